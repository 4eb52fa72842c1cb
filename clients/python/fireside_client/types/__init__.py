"""Types of the JSON of the API, in a module for each game."""
