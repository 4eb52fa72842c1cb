"""ASGI middleware for all requests: limits, errors, ids, CORS and the access log."""
