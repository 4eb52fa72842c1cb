"""Tournaments of bots: plans, a ledger of results, coordinators and workers that play the blocks, and the service."""
