"""Requests of the game services: their messages, checks of their fields, and whose seat they are for."""
