"""What the picture of Fireship is drawn from: colours, glyphs, the sea, and the panels around it."""
