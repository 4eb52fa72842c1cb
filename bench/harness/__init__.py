"""What the benchmarks share: results and goals, server processes, and clients that make load."""
