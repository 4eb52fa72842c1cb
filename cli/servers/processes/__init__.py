"""`fireside serve --processes N`: a supervisor, and the processes that it starts."""
