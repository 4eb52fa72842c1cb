"""The ledger of a tournament: a file, or Redis."""
