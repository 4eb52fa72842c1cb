"""gRPC server of all roles: call handlers, errors, health and reflection; `admission/` limits calls."""
