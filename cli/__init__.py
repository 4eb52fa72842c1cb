"""The `fireside` command, one file for each of its commands."""
