"""The gRPC server of all roles: calls, errors, health, reflection."""
