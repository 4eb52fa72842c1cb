"""Benchmarks: each row compares Fireside with a baseline (a bare server, a library) in the same run, as a ratio."""
