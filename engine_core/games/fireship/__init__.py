"""Fireship: two to four fleets fight for nine islands, with dice, secret cards and answers out of turn."""
