"""The api as a player's browser or program meets it: real servers, real processes."""
