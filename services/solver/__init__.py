"""The fleet of workers: slow work off the task queue."""
