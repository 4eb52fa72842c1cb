"""Servers to compare with."""
