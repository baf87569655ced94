"""Notices: what of a game is worth telling somebody who is not there, and in which sentences. None holds marks."""
