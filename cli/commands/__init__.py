"""The commands of `fireside`, one module each."""
