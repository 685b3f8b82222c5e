"""Monte Carlo tree search: the part that is the same for all games. Trees are flat arrays.

* `nodes`      the arrays: nodes and edges
* `policies`   selection of edges, and the result of a search
* `updates`    expansion with a network's evaluations, and backup
* `root_noise` random numbers for the root

The kernels `network_search` and `mcts` add a game's rules.
"""
