"""What runs the rules of any game. Authors of games never need to open this folder.

* `game`        a game as one record over the modules of its folder
* `games`       N games side by side as arrays
* `arrays`      the arrays that compiled calls work on
* `variant_mix` one variant, or several among which each new game chooses
* `threads`     helper threads
* `trees`       search trees, the same for all games
* `kernels`     compiled loops, the same for all games; `rules_table` and `calls` let them call a game's rules
"""
