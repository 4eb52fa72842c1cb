"""What `fireside play` is made of: the person's words, the tale of a match, the waiting, and the bots beside."""
