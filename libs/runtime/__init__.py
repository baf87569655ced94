"""The plumbing that all services share: it acts and never thinks."""
