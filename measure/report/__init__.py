"""What a person looks at: tables built from results, and the three ways to show one. Computes nothing."""
