"""Archive of finished matches: objects at an fsspec address, an index, and the process that moves matches there."""
