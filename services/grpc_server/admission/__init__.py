"""Admission control of gRPC calls: limits on their size, number and computing time."""
