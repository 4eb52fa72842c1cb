"""The engine service: games over gRPC, with stored matches and with inline states."""
