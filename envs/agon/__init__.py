"""Agon, or Queen's Guard (London, 1842): bring the queen to the throne and her six guards round her."""

TITLE = "Agon (Queen's Guard)"
VERSION = 0
SEAT_NAMES = ("Light", "Dark")
