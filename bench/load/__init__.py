"""Load generator: clients that play and watch matches on a stack, and the latencies of their calls."""
