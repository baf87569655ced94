"""The alarm clock: turns the passing of time into commands."""
