"""Outboxes: what steps of matches cause at keys of other hash slots: events of platforms and turns of bots."""
