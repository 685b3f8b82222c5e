"""Checkers (American checkers, English draughts): twelve men a side, jumping is compulsory, and men become kings."""

TITLE = "Checkers"
VERSION = 0
SEAT_NAMES = ("Black", "White")
RECORD_FORMS = {".pdn": "pdn"}
