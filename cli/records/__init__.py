"""Data sets of finished matches: the sources that `fireside records` reads, and the files that it writes."""
