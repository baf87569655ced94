"""People: guests and accounts, their sessions and tokens, signing in. Plain rows, so that they can be erased."""
