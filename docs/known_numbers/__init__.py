"""Exact numbers that stand in READMEs of games: one module a game, which prints its tables."""
