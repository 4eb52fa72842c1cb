"""The engine service: the games over gRPC, on stored matches and on inline states."""
