"""Templates: kernels that are compiled together with one game's rules. `parlour.engine.compiled` runs each file once
per game.

Annotations without a value at the head of a file say what it needs: ``rules``, ``evaluation`` and ``endings`` are the
game's own, ``kernel``, ``loop`` and ``inner_loop`` make kernels, and any other name is another of these files.

* `ply`            a ply of one game, its throws, and the endings that all games share
* `stepwise`       the same, stopping at each throw
* `step`           the executor of many games side by side
* `simple_players` the players ``random`` and ``greedy``
* `self_play`      playing many games on to a learner's next ply
* `scoring`        potentials and events
* `win_threats`    who could win with the next ply
* `tracing`        what happens in every ply, for measures of whole games
* `after_states`   the positions after every action, or every turn
* `roll_out`       random or greedy play to the end of a game
* `mcts`           Monte Carlo tree search; `played_outcome` and `network_outcome` end its simulations
* `alpha_beta`, `max_n`  the searches of `expectimax`; `search_loop` drives them, `potential_leaf`, `network_leaf` and
  `exact_leaf` value their leaves, and `search_path`, `search_values`, `decision_nodes`, `chance_nodes`, `throws`,
  `move_order`, `selective` and `transpositions` are their parts
* `network_search` tree search with a network; its plies, and those of `mcts`, are in `tree_plies`
* `network_value`  positions valued by a small network, `table_value` by a table; `turn_choice` plays whole turns by
  them, `td_self_play` learns so, `luck` tells how lucky throws are
* `solving`        exact values of games and endings; `legal_actions` lists what is legal
"""
