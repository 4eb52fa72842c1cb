"""Routing: HTTP routes from the annotations of the protos, and their endpoints."""
