"""What PostgreSQL keeps of the log, as numbered files; each is applied once, in order."""
