"""`wordyard load`: players who keep a ledger of all that they were told, and the check that all of it was true."""
