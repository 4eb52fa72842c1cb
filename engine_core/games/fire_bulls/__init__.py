"""Fire Bulls: two to five players chase an army with hidden hands of bulls."""
