"""The command line, as its users call it."""
