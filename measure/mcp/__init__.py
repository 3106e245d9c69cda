"""MCP: what a tool costs before it is called (contract), when it answers (envelope), and what a host makes of it.

Three evidence words keep apart what is easily mixed. `constructed`: written here, after the specification. `captured`:
read off the pipe between the official client and a server. `published`: somebody else's. And two counts: *wire
tokens* are those of the lines on the pipe, *context tokens* those of the text that a host gives the model. No model
ever reads a line of the wire.
"""
