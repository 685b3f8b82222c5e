"""Parlour: reinforcement-learning environments for historical board and dice games, with exact rules at compiled speed.

    import parlour
    env = parlour.make("swords_and_shields-v0", variant="tablut", render_mode="rgb_array")    # PettingZoo AEC
    batch = parlour.make_batch("swords_and_shields-v0", num_games=1024, seed=0)               # vector engine

`games`, `variants` and `options` list what is available. `make` and `make_batch` create environments, `register` adds
a game of your own, and raw environments raise `IllegalMove`.
"""

from importlib.metadata import version

from parlour.errors import IllegalMove
from parlour.registry import games, make, make_batch, options, register, variants

__version__ = version("parlour")
__all__ = ["IllegalMove", "__version__", "games", "make", "make_batch", "options", "register", "variants"]
