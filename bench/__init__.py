"""Measurements that print ratios: what we do beside what else could be used, in one run on one machine."""
