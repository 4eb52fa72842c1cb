"""Asynchronous client: a service, its games, matches and Play sessions."""
