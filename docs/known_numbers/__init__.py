"""Exact numbers of games: one module a game, which prints the tables of its README; and what Backgammon's networks see
of bearing off."""
