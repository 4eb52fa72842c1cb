"""The subcommands that run services until a signal, one module each."""
