"""What the picture of Fire Bulls is drawn from: colours, glyphs, the board, and the panels around it."""
