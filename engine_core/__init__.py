"""Game rules, matches, verifiable chance and bots: standard library only, no network and no storage."""
