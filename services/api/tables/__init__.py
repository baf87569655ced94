"""The tables of the api: people and their sessions, mail to be sent, chat's moderation, answered request keys."""
