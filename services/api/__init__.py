"""The edge: HTTP, sockets, sessions and the client's files. It knows no rules."""
