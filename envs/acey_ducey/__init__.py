"""Acey Ducey (Parker Brothers): a race of fifteen men a side round 24 points, with ACEY and DUCEY on the dice."""

TITLE = "Acey Ducey"
VERSION = 0
SEAT_NAMES = ("Red", "Black")
