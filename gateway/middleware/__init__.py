"""What holds for every request, whatever its route."""
