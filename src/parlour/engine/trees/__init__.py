"""Search trees in flat arrays, and what happens in them whatever the game.

* `nodes`      the arrays: nodes and edges
* `policies`   which edge a simulation takes, and what a search comes to
* `updates`    taking in evaluations and passing values up
* `root_noise` random numbers for the root

The template `parlour.engine.kernels.network_search` brings a game's rules to them.
"""
