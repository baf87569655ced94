"""Measuring the service against what its parts cost bare, in one run on one machine."""
