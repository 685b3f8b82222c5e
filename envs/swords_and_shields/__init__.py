"""Swords & Shields (Milton Bradley, 1970): a tafl game, sixteen swords against eight shields and their Chief."""

TITLE = "Swords & Shields"
VERSION = 0
SEAT_NAMES = ("Swords", "Shields")
