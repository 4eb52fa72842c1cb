"""Tournaments in a terminal: live progress, tables, and files to keep."""
