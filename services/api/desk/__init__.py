"""The desk: what the operators of the service see of reports and players, and do about them."""
