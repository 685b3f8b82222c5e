"""Tests of the game: ``python -m pytest`` in the folder that holds it."""
