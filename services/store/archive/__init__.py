"""Finished matches on their way into an archive, and a store that reads them from there."""
