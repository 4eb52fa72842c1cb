"""Imported bots: Python classes of the user, each in a process of its own with limits of time and memory."""
