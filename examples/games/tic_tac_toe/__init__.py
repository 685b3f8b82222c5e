"""Tic-tac-toe: three in a line on a board of three by three."""

TITLE = "Tic-Tac-Toe"
VERSION = 0
SEAT_NAMES = ("Crosses", "Noughts")
