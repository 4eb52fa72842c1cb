"""Benchmarks of the rules in one process: decisions, states and search."""
