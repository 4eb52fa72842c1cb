"""Webhooks of platforms: the calls that create them, and the workers that deliver events to them."""
