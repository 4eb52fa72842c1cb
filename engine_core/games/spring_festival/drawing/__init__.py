"""What the picture of Spring Festival is drawn from: tiles and cards, the store, and the seats."""
