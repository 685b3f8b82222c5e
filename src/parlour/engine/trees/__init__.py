"""Tree search with a network: the part that is the same for all games. Trees are flat arrays.

* `nodes`      the arrays: nodes and edges
* `policies`   selection of edges, and the result of a search
* `updates`    expansion with the network's evaluations, and backup
* `root_noise` random numbers for the root

The template `parlour.engine.kernels.network_search` adds a game's rules.
"""
