"""The subcommands of `fireside`, one module each; those that run services are in `services/`."""
