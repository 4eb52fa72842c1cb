"""Tournaments of bots: a plan of blocks, a ledger of their results, and a runner that plays what the ledger lacks."""
