"""Third-party bots, called over gRPC or by webhook."""
