"""Reports of tournaments: live progress and tables in the terminal, and JSON, CSV and SVG files."""
