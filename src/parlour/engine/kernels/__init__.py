"""Kernels, compiled once for all games. They call a game's functions by ``rules`` (`parlour.engine.game_functions`). Of
states and option values they see the fields that all games share.

* `ply`            a ply of one game, and the endings that all games share; `repeats`, for variants that forbid
  repeated positions; `stepwise`, which stops at each throw
* `step`           the executor of many games side by side
* `simple_players` the players ``random`` and ``greedy``; `roll_out`, games that they play to the end
* `self_play`      plays many games up to a learner's next ply
* `scoring`        potentials and events; `tracing`, what happens in every ply, for measures of whole games
* `after_states`   the positions after every action, or every turn
* `mcts`           Monte Carlo tree search; `network_search`, tree search with a network, and `network_policy`, what a
  small network says of its leaves; the plies of both are in `tree_plies`
* `alpha_beta`     the search of `expectimax`; `leaf` values its leaves, and `search_path`, `move_order` and
  `transpositions` are its parts
* `network_value`  positions valued by a small network; `turn_choice` plays whole turns by it or by a table,
  `td_self_play` learns so, `luck` measures how lucky throws are
* `solving`        exact values of games and endings
"""
