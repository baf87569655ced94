"""Signing in at a real OpenID Connect provider, which runs in a process of its own and lies when it is told to."""
