"""Watched matches: delivery of new log lines from the store to the streams of this process."""
