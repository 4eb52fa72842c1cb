"""The bots service: plays hosted seats (seats given to bots) of stored matches, with our or third-party bots."""
