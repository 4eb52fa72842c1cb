"""REST over gRPC: routes, schemas and documents read off the proto descriptors. Knows no rules."""
