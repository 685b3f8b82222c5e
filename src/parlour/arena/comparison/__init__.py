"""Comparing the variants of a game: the plan, playing it, estimates and tests, and what may be concluded."""
