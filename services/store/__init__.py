"""The store, in Redis or in this process: matches, queues of hosted turns, events and webhooks."""
