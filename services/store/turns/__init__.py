"""Queues of the turns of hosted seats in Redis."""
