"""The Royal Game of Ur: a race of seven men a side over shared squares, with rosettes that give another throw."""

TITLE = "The Royal Game of Ur"
VERSION = 0
SEAT_NAMES = ("Light", "Dark")
