"""The page in the browser: static files under `static/`, and the rules of the games as HTML."""
