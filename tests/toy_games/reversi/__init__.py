"""Reversi on eight by eight, as Othello is played: enclose the other seat's discs to turn them over."""

TITLE = "Reversi"
VERSION = 0
SEAT_NAMES = ("Black", "White")
