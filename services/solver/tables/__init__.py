"""The tables of the task queue."""
