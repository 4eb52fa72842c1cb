"""Ledger of tournaments: durable storage of plans and results, in a SQLite file or in Redis."""
