"""Agent transcripts: their neutral form in `model`, and a loader for each format in which programs record them."""
