"""Arguments of a batch with one value per row, and its autoreset mode: reading and checking them.

Every function raises ValueError for a value that is not valid, with a message that says what is.
"""

from __future__ import annotations

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED, NEXT_STEP, SAME_STEP
from parlour.engine.seeds import check_seed
from parlour.rulebook.chance import row_seeds
from parlour.support.arguments import shown, whole_numbers
from parlour.support.errors import listing

AUTORESET = {
    "same_step": (AutoresetMode.SAME_STEP, SAME_STEP),
    "next_step": (AutoresetMode.NEXT_STEP, NEXT_STEP),
    "disabled": (AutoresetMode.DISABLED, DISABLED),
}


def read_autoreset(autoreset: object) -> tuple[AutoresetMode, int]:
    """A mode, by its name or as Gymnasium's, and its number in the engine."""
    for name, (mode, number) in AUTORESET.items():
        if autoreset is mode or (isinstance(autoreset, str) and autoreset == name):
            return mode, number
    raise ValueError(
        f"autoreset {shown(autoreset)} is not valid; valid: {listing(list(AUTORESET))}, or an AutoresetMode"
    )


def read_seeds(seed: object, num_games: int) -> list[int]:
    """A seed for each of N rows, from one seed for all, or from N seeds."""
    if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != num_games:
            raise ValueError(f"{len(seed)} seeds were given; {num_games} games need as many, or a single one")
        return [check_seed(each) for each in seed]
    seeds: list[int] = row_seeds(check_seed(seed), num_games).tolist()
    return seeds


def read_row_ids(name: str, rows: object, num_games: int) -> NDArray[np.int64]:
    """Rows (M,) of N games, repeated or not. ``name``: of the argument."""
    row_ids = whole_numbers(name, rows)
    strays = row_ids[(row_ids < 0) | (row_ids >= num_games)]
    if len(strays):
        raise ValueError(f"{name}: there is no game {strays[0]}; games: 0 to {num_games - 1}")
    return row_ids


def read_distinct_rows(name: str, rows: object, num_games: int) -> NDArray[np.int64]:
    """Different rows (M,) of N games. ``name``: of the argument."""
    row_ids = read_row_ids(name, rows, num_games)
    if len(np.unique(row_ids)) < len(row_ids):
        raise ValueError(f"{name} must name each row at most once, not {row_ids.tolist()}")
    return row_ids


def read_reset_mask(mask: object, num_games: int) -> NDArray[np.bool_]:
    """The option ``reset_mask``: bool (N,)."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_games,):
        raise ValueError(f"reset_mask must be a bool array of shape ({num_games},), not {shown(mask)}")
    return mask


def one_per_row(name: str, value: object, kinds: tuple[type, ...], num_games: int) -> list[object]:
    """One value for each of N rows; a single value of one of ``kinds`` is for all rows. ``name``: of the argument."""
    if isinstance(value, kinds):
        return [value] * num_games
    several = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if not several or len(value) != num_games:  # type: ignore[arg-type]
        raise ValueError(f"{name} takes one for all games, or a list of {num_games}, not {shown(value)}")
    return list(value)  # type: ignore[call-overload]
