"""Benchmarks of the services: calls, streams, pictures, the page, start-up and memory."""
