"""Tables: who has the seats of a stored match, and the calls that change it."""
