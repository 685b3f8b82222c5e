"""Players are rated, and ladders made."""
