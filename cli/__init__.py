"""The `fireside` command line."""
