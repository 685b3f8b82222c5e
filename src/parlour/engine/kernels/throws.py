"""The throws between plies. ``rules`` is a game's ``rules.py`` here, which is inlined."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record, Rules


@kernel
def make_throws(
    rules: Rules, sides: Any, shown: Any, state: Record, variant: Record, dice_rng: Record, forced_dice: Any,
    faces: Any, rewards: Any,
) -> None:  # fmt: skip
    """Makes every throw that is due: forced throws first, then from the stream. ``sides`` and ``shown``: see
    `parlour.rulebook.chance.DiceTables`; ``faces`` (int8, those of a throw) is scratch."""
    due = throws_due(rules, state, variant)
    while due > 0:
        next_faces(sides, shown, due, dice_rng, forced_dice, faces)
        rules.throw(state, variant, faces, rewards)
        due = throws_due(rules, state, variant)


@kernel
def throws_due(rules: Rules, state: Record, variant: Record) -> int:
    """How many dice must be thrown before the game continues; 0 if it is over."""
    return rules.dice_due(state, variant) if state.end == RUNNING else 0


@kernel
def next_faces(sides: Any, shown: Any, due: int, dice_rng: Record, forced_dice: Any, faces: Any) -> None:
    """Writes the faces of a throw of ``due`` dice: the next forced throw if it has as many dice (if not, notes the
    misfit), else from the stream."""
    forced = dice_rng.forced_used < dice_rng.forced_end and dice_rng.misfit == 0
    if forced and forced_dice[dice_rng.forced_used, sides.shape[0]] != due:
        dice_rng.misfit = due
        forced = False
    for k in range(due):
        faces[k] = forced_dice[dice_rng.forced_used, k] if forced else shown[k, below(dice_rng, sides[k])]
    if forced:
        dice_rng.forced_used += 1
