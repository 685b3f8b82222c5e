"""Search trees in flat arrays, and what happens in them whatever the game.

* `nodes`      the arrays: nodes and edges
* `policies`   which edge a simulation takes, and the result of a search
* `updates`    taking in evaluations and passing values up
* `root_noise` random numbers for the root

The template `parlour.engine.kernels.network_search` brings a game's rules to them.
"""
