"""The rules of every game and the shapes they share. Nothing here reads a clock, draws chance or touches a network."""
