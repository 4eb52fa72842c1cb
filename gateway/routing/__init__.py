"""Routes: from the annotations of the protos to endpoints."""
