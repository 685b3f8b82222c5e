"""The games, one folder each, and PettingZoo's classic module convention: ``from parlour.envs import agon_v0``.

A new game is one folder here and one line in `GAMES`.
"""

if __name__ != "parlour.envs":  # run from the repository's root, `import envs` would make every class twice
    raise ImportError("import parlour.envs, not envs")

GAMES = ("agon", "swords_and_shields", "acey_ducey", "crown_and_anchor", "checkers", "royal_ur", "backgammon")
