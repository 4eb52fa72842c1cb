"""The subcommands of `fireside`, one module each."""
