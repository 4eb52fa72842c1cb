"""Spring Festival: two to four players build fireworks of tiles, all at the same time."""
