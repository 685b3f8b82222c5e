"""Pig with two dice, for two to twelve seats: what the protocol has and the first game has not, for the tests."""

TITLE = "Pig"
VERSION = 0
SEAT_NAMES = ()
