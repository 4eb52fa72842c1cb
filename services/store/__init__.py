"""The match store: stored matches and queues of hosted turns, in Redis or in this process."""
