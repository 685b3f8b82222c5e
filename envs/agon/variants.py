"""Options and variants of Agon (the README; Woolson, Kato and Neto are the printed sources)."""

from __future__ import annotations

from parlour.rulebook.options import REPEATS, Choice, Flag, Value, Variant, WithoutEffect, max_plies, repetition

CAPTURE = Choice(
    "capture",
    ("relocate", "bloody"),
    "trapped pieces are relocated by turns of their own; or Bloody Queen: the trapping turn itself deals with them",
)
GEOMETRY = Choice(
    "geometry",
    ("line", "ring"),
    "what traps: enemies on opposite sides in a straight line, or on both sides along the piece's own ring",
)
ENTERING = Choice(
    "entering",
    ("forbidden", "trapped"),
    "no piece may arrive where it would stand trapped; or it may, and is then trapped",
)
GUARD_GOES = Choice(
    "guard_goes",
    ("outer", "next_ring"),
    "where a trapped guard is put: the outer ring, or the ring just outside its own",
)
QUEEN_GOES = Choice(
    "queen_goes",
    ("anywhere", "next_ring", "outer"),
    "where a trapped queen is put: any cell, the ring just outside her own, or the outer ring",
)
QUEEN_PLACED_BY = Choice("queen_placed_by", ("owner", "opponent"), "who puts a trapped queen down")
SETUP = Choice(
    "setup",
    ("fixed", "guards", "all"),
    "the printed set-up; or the guards are placed by turns; or the queens first, then the guards",
)
SURROUND_LOSES = Choice(
    "surround_loses",
    ("queen_absent", "throne_empty"),
    "six guards round the throne without their queen on it lose: always, or only when the throne is empty",
)
RELOCATED_BY = Choice(
    "relocated_by",
    ("trapper", "owner"),
    "who puts down the guards trapped in Bloody Queen: the trapping seat or theirs",
)
TOUCH_MOVE = Flag("touch_move", "a turn begins by touching a piece, which must then be moved or the move is lost")

OPTIONS = (
    CAPTURE, GEOMETRY, ENTERING, GUARD_GOES, QUEEN_GOES, QUEEN_PLACED_BY, SETUP, SURROUND_LOSES, RELOCATED_BY,
    TOUCH_MOVE, repetition(0), REPEATS, max_plies(500),
)  # fmt: skip

RING: dict[str, Value] = {
    "geometry": "ring",
    "entering": "trapped",
    "guard_goes": "next_ring",
    "queen_goes": "next_ring",
    "surround_loses": "throne_empty",
}

VARIANTS = (
    Variant("classic", "the classic rules as printed by Kanare Kato: blocking, trapped guards to the outer ring"),
    Variant("classic_placing", "the first alternative rule: the guards are placed by turns", {"setup": "guards"}),
    Variant(
        "classic_exile",
        "the second alternative rule: the opponent puts a trapped queen down",
        {"queen_placed_by": "opponent"},
    ),
    Variant("lion_coffee", "the Woolson Spice Company's sheet: no blocking", {"entering": "trapped"}),
    Variant("bell", "after R. C. Bell: no blocking, guards placed", {"entering": "trapped", "setup": "guards"}),
    Variant(
        "parlett", "after David Parlett: no blocking, queens and guards placed", {"entering": "trapped", "setup": "all"}
    ),
    Variant("ring", "traps along the rings, one ring back", RING),
    Variant(
        "ring_outer",
        "traps along the rings, back to the outer ring: its author's remedy against draws",
        {**RING, "guard_goes": "outer", "queen_goes": "outer"},
    ),
    Variant("bloody_queen", "Kanare Kato's sharper game: guards are removed, queens exchanged", {"capture": "bloody"}),
)

WITHOUT_EFFECT = {
    "bloody": (GEOMETRY, ENTERING, GUARD_GOES, QUEEN_GOES, QUEEN_PLACED_BY),
    "relocate": (RELOCATED_BY,),
}
"""Options that have no effect under each value of `capture`."""


def resolve_dependent(values: dict[str, Value], explicit: frozenset[str]) -> None:
    """Refuses options that have no effect under `capture`, where they are given."""
    for option in WITHOUT_EFFECT[str(values["capture"])]:
        if option.name in explicit:
            raise WithoutEffect(values, option.name, "capture")
