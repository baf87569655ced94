"""Services against real servers."""
