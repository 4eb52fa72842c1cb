"""Which calls a server takes on: limits of their size, number and computing time."""
