"""The worker against a real queue and a real mail server."""
