"""What a game is, as data that libraries can read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from parlour.engine.game import Game
from parlour.rulebook.options import Value, ends_by_repetition
from parlour.rulebook.protocol import Layout, Plane

if TYPE_CHECKING:
    from parlour.rulebook.chance import Die  # it needs Numba, which takes long to import


@dataclass(frozen=True)
class GameInfo:
    """A game under given options: what `parlour.info` returns.

    Attributes:
        id, title, summary: such as ``"agon-v0"``, the name on the box, and one line.
        variant: the variant's name.
        variants: the names of all variants, the default first.
        options: the value of every option.
        seats: P.
        seat_names: what players call the seats.
        actions: A.
        shape: (C, H, W) of an observation.
        planes: C of them.
        dice: the dice of a throw, each with its faces and their weights; empty without dice.
        zero_sum: whether the rewards of all seats add up to 0 after every ply.
        ends: the ways in which a game can end; ``"max_plies"`` truncates it.
    """

    id: str
    title: str
    summary: str
    variant: str
    variants: tuple[str, ...]
    options: dict[str, Value]
    seats: int
    seat_names: tuple[str, ...]
    actions: int
    shape: tuple[int, int, int]
    planes: tuple[Plane, ...]
    dice: tuple[Die, ...]
    zero_sum: bool
    ends: tuple[str, ...]

    @property
    def chance(self) -> bool:
        """Whether anything is left to chance. All that is thrown is seen by all seats."""
        return bool(self.dice)


def info_of(game: Game, variant: str | None, overrides: dict[str, object]) -> GameInfo:
    """ValueError for an unknown variant or option, or a value that is not valid."""
    chosen, values = game.resolve(variant, overrides)
    layout: Layout = game.layout(values)
    by_options = {"max_plies": bool(values.get("max_plies")), "repetition": ends_by_repetition(values)}
    return GameInfo(
        id=game.id,
        title=game.title,
        summary=game.summary,
        variant=chosen.name,
        variants=tuple(each.name for each in game.variants),
        options=values,
        seats=layout.seats,
        seat_names=tuple(map(game.seat_name, range(layout.seats))),
        actions=layout.actions,
        shape=layout.shape,
        planes=layout.planes,
        dice=tuple(game.rules.DICE),
        zero_sum=bool(getattr(game.rules, "ZERO_SUM", True)),
        ends=tuple(end for end in game.rules.ENDS[1:] if by_options.get(end, True)),
    )
