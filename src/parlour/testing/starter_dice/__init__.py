"""Run two men along a track by the throws of a die; the seat whose men are both home first wins."""

TITLE = "Starter"
VERSION = 0
SEAT_NAMES = ("First", "Second")
