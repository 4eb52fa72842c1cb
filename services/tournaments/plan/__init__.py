"""Plans of tournaments: entrants, formats, pairings, blocks."""
