"""Results of blocks, and the standings and ratings computed from them."""
