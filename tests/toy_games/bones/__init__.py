"""Bones: a knucklebone, a stick and a die of twenty faces; who comes near enough to the goal wins. For the tests."""

TITLE = "Bones"
VERSION = 0
SEAT_NAMES = ()
