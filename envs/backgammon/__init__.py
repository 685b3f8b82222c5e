"""Backgammon without the doubling cube: a race of fifteen men a side round 24 points, as the world plays it."""

TITLE = "Backgammon"
VERSION = 0
SEAT_NAMES = ("White", "Black")
RECORD_FORMS = {".mat": "mat", ".sgf": "sgf"}
"""Forms of record that other programs read, by the endings of files."""
