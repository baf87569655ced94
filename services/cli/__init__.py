"""The command line: it composes the services and belongs to none of them."""
