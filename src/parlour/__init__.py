"""Parlour: reinforcement-learning environments for historical board and dice games, with exact rules at compiled speed.

    import parlour
    env = parlour.make("swords_and_shields-v0", variant="tablut", render_mode="rgb_array")    # PettingZoo AEC
    batch = parlour.make_batch("swords_and_shields-v0", num_games=1024, seed=0)               # vector engine

`games`, `variants` and `options` list what is available, and `info` says as data what a game is. `make` creates a
`GameEnv`, `make_batch` a `Batch`; `register` adds a game of your own. Raw environments raise `IllegalMove`, and
`GameEnv.record` gives a `GameRecord`. `NetworkSearch` looks ahead round any network; `solve` finds exact values of
positions, a `Solution`; `dataset` gives games of experts as arrays to learn from, a `Dataset`.

The packages `arena`, `learn`, `players`, `records`, `serve`, `testing`, `text` and `wrappers` are imported when they
are first used, as in ``parlour.arena.rate(…)``.
"""

from importlib.metadata import version

from parlour.interfaces.game_info import GameInfo
from parlour.interfaces.game_record import Pages, draw_pages_with
from parlour.interfaces.registry import (
    games,
    info,
    make,
    make_batch,
    options,
    register,
    register_installed,
    variants,
)
from parlour.support.errors import IllegalMove
from parlour.support.lazy import lazy_names
from parlour.support.renamed import find_renamed_modules

__version__ = version("parlour")
__all__ = [
    "Batch", "Dataset", "GameEnv", "GameInfo", "GameRecord", "IllegalMove", "NetworkSearch", "Solution", "__version__",
    "dataset", "games", "info", "make", "make_batch", "options", "register", "solve", "variants",
]  # fmt: skip
_, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "interfaces.aec": "GameEnv",
        "interfaces.batch": "Batch",
        "interfaces.game_record": "GameRecord",
        "learn.datasets": "Dataset dataset",
        "players.search.network_search": "NetworkSearch",
        "players.value.exact.solution": "Solution",
        "players.value.exact.solving": "solve",
    },
    {
        "make_vec": "N games for agents of all seats: parlour.make_batch(game, N); with a learner against opponents: "
        "gymnasium.make_vec('parlour/Checkers-v0', num_envs=N, opponent='random')",
        **dict.fromkeys(("aec_env", "env", "make_env", "raw_env"), "an environment is made by parlour.make(game)"),
        "parallel_env": "as PettingZoo's ParallelEnv: pettingzoo.utils.turn_based_aec_to_parallel(parlour.make(game))",
        **dict.fromkeys(("pprint_registry", "spec"), "parlour.games() lists games, parlour.info(game) tells of one"),
    },
)


def _pages() -> Pages:
    from parlour.records import page

    return page


draw_pages_with(_pages)
find_renamed_modules()
register_installed()
