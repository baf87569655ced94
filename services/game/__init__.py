"""The heart: commands in, events out, projections beside them."""
