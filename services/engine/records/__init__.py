"""Records of finished matches: written, signed, read and verified."""
