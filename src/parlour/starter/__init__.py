"""Take one to three counters from a pile; the last one wins."""

TITLE = "Starter"
VERSION = 0
SEAT_NAMES = ("First", "Second")
