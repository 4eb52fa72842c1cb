"""REST gateway to the gRPC services: routes, schemas and documents come from the protos. Knows no rules of games."""
