"""What two players give away of the exact value in a series, by the kind of position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.arena.setting.game_specs import Played
from parlour.arena.statistics import Estimate, mean

SHOWN = 12
"""The largest number of kinds of positions that are printed: the most frequent ones."""


@dataclass(frozen=True)
class RegretScore:
    """What a player gives away.

    Attributes:
        player: its name.
        kind: the kind of position (`parlour.players.regrets.Regret`); empty for all together.
        choices: in how many positions of the table it chose between two actions or more.
        regret: the mean regret of a choice; units are pairs of games with the same dice.
    """

    player: str
    kind: str
    choices: int
    regret: Estimate

    def __str__(self) -> str:
        sure = "" if self.regret.constant else f" (95 %: {self.regret.low:.5f} to {self.regret.high:.5f})"
        who = self.kind or f"{self.player} gives away of the exact value a choice"
        return f"{who}: {self.regret.value:.5f}{sure}, {self.choices} choice{'s' if self.choices > 1 else ''}"


class RegretTally:
    """Adds up what the players of one series, or of several, give away, game by game."""

    def __init__(self) -> None:
        self._lost: dict[tuple[str, str], dict[tuple[Any, int], list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, played: Played) -> None:
        """Adds a finished game."""
        pair = played.spec.series, played.spec.index // 2
        for one in played.regrets:
            player = played.spec.players[one.seat]
            for kind in dict.fromkeys(("", one.kind)):
                self._lost[player, kind][pair].append(one.lost)

    def scores(self) -> tuple[RegretScore, ...]:
        """Of each player, all positions first, then each kind, the most frequent first."""
        found = []
        for (player, kind), by_pair in self._lost.items():
            means = [float(np.mean(lost)) for lost in by_pair.values()]
            found.append(RegretScore(player, kind, sum(map(len, by_pair.values())), mean(means, 0)))
        return tuple(sorted(found, key=lambda one: (one.player, one.kind != "", -one.choices)))


def regret_lines(regrets: Sequence[RegretScore]) -> list[str]:
    """Regrets in words: of each player in all positions, then by kind if there are several."""
    lines = []
    for player in dict.fromkeys(one.player for one in regrets):
        total, *kinds = (one for one in regrets if one.player == player)
        lines.append(str(total))
        if len(kinds) > 1:
            lines += [f"  {one}" for one in kinds[:SHOWN]]
    return lines
