"""Kernels in which a game's rules are compiled right in: `compiling.instantiate` runs each file once a game.

A file says what it needs by annotations without a value at its head: ``rules`` and ``evaluation`` are the game's own,
``kernel`` and ``loop`` make kernels, any other name is another of these files. `parlour.engine.compiled` finds them.

* `ply`            a ply of one game, its throws, and the endings that all games share
* `stepwise`       the same, stopping at each throw
* `step`           the executor of many games side by side
* `simple_players` the players ``random`` and ``greedy``
* `self_play`      playing many games on to a learner's next ply
* `scoring`        potentials and events
* `win_threats`    who could win with the next ply
* `mcts`, `expectimax`  the players that search
* `network_search` tree search round a network
"""
