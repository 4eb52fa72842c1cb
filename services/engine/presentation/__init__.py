"""What people read of a game: names of its components, and texts of responses in the language of a request."""
