"""Take one to three counters from a pile; the seat that takes the last counter wins."""

TITLE = "Starter"
VERSION = 0
SEAT_NAMES = ("First", "Second")
