"""Kernels in which a game's rules are compiled right in: each file is run once a game by `compiling.instantiate`, which
binds what it declares at its head without a value.

* `plies`     a ply of one game, its throws, and the endings that all games share
* `decisions` the same, stopping at each throw
* `engine`    the executor of many games side by side
* `choosing`  the players ``random`` and ``greedy``
* `advancing` playing many games on to a learner's next ply
* `judging`   potentials and events
* `warning`   who could win with the next ply
* `mcts`, `expectimax`  the players that search
"""
