"""Telling players who are not there: the log is followed, and what somebody wants to hear of is queued, once."""
