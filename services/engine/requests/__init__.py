"""Requests of the game services: protocols of their messages, validation, and authorization of seats."""
