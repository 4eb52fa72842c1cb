"""Webhooks of platforms in Redis: settings, deliveries that are due, and logs of attempts."""
