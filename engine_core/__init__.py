"""Rules of the games, matches and chance: standard library only, no network, no storage, no clock."""
