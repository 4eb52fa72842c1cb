"""Benchmark of tournaments, and the recorded ones of docs/bots.md."""
