"""Measures of openings: how much the first plies of games differ.

Only games without a random opening or a given position are measured. In games with dice, openings differ by the throws
alone.
"""

from __future__ import annotations

import hashlib
from functools import partial

from parlour.arena.measures.kinds import DIVERSITY, ENTROPY
from parlour.arena.measures.registry import OPENINGS, Measure, family
from parlour.arena.setting.game_specs import Played
from parlour.engine.game import Game

LENGTHS = (4, 8, 12)


@family
def openings(game: Game, seats: int) -> list[Measure]:
    """The effective number and the entropy of the first plies."""
    measures = []
    for count in LENGTHS:
        first = f"of the first {count} plies"
        code = partial(opening_code, count)
        measures += [
            Measure(
                f"openings_{count}", f"Openings, {count} plies", f"effective number of different openings {first}",
                DIVERSITY, code, OPENINGS, "Hill 1973, order 2, of Simpson's index 1949", traced=False,
            ),
            Measure(
                f"opening_entropy_{count}", f"Opening entropy, {count} plies", f"collision entropy {first}",
                ENTROPY, code, OPENINGS, "Rényi 1961, order 2", traced=False,
            ),
        ]  # fmt: skip
    return measures


def opening_code(count: int, game: Played) -> float | None:
    """A hash of the first ``count`` actions; None for a shorter game, or one with an opening or a given position."""
    if game.plies < count or game.spec.random_plies or game.spec.position:
        return None
    hasher = hashlib.blake2b(game.moves[:count].astype("<i4").tobytes(), digest_size=6)
    return float(int.from_bytes(hasher.digest(), "little"))
