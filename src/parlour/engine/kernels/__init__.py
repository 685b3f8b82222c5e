"""Kernels in which a game's rules are compiled right in: each file is run once a game by `compiling.instantiate`, which
binds what it declares at its head without a value.

* `ply`            a ply of one game, its throws, and the endings that all games share
* `stepwise`       the same, stopping at each throw
* `step`           the executor of many games side by side
* `simple_players` the players ``random`` and ``greedy``
* `self_play`      playing many games on to a learner's next ply
* `scoring`        potentials and events
* `win_threats`    who could win with the next ply
* `mcts`, `expectimax`  the players that search
"""
