"""Which games an arena plays, and what it notes of each.

Every pairing is played in both seats with the same dice: game 2k and game 2k + 1 of a series have one seed and the
players' seats exchanged. A game follows from its fixture alone, so it is the same whoever plays it, wherever and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.rulebook.chance import row_seeds


@dataclass(frozen=True)
class Fixture:
    """A game to be played.

    Attributes:
        number: its place in the whole plan, from 0.
        series: what it is played for, such as ``"even"``; games of one series and variant are counted together.
        variant: the variant's name.
        players: who sits in each seat (P,), as `parlour.players.parse_player` reads them.
        seed: what its dice and its players' chance come from.
    """

    number: int
    series: str
    variant: str
    players: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class Played:
    """What is noted of a finished game.

    Attributes:
        number: of its fixture.
        returns: each seat's sum of rewards (P,).
        end: the word for how it ended, such as ``"enthroned"``; ``"max_plies"`` where it was cut.
        truncated: whether it was cut.
        plies: how many were played.
        choices: legal actions, summed over the plies.
        forced: plies with a single legal action.
        lead_changes: how often another seat than before came to lead by the game's potential.
        events: how often each of the game's events happened, in the order of its ``evaluation.EVENTS``.
    """

    number: int
    returns: tuple[float, ...]
    end: str
    truncated: bool
    plies: int
    choices: int
    forced: int
    lead_changes: int
    events: tuple[int, ...]

    @property
    def winner(self) -> int:
        """The seat with the highest return; −1 where seats share it or the game was cut."""
        best = max(self.returns)
        alone = self.returns.count(best) == 1 and not self.truncated
        return self.returns.index(best) if alone else -1


def points(name: str, fixture: Fixture, played: Played) -> float:
    """What a player scores in a game against others: 1, ½ or 0 as its seats get more on average than theirs, as much,
    or less; ½ where the game was cut."""
    own = [value for player, value in zip(fixture.players, played.returns) if player == name]
    others = [value for player, value in zip(fixture.players, played.returns) if player != name]
    ahead = sum(own) / len(own) - sum(others) / len(others)
    if played.truncated or abs(ahead) < 1e-9:  # sums of many rewards differ in their last digits
        return 0.5
    return float(ahead > 0)


def pair_points(name: str, fixtures: Sequence[Fixture], games: Sequence[Played]) -> list[float]:
    """What a player scores on average in each pair of games of one seed: those are independent of one another, games of
    a pair are not."""
    pairs: dict[int, list[float]] = {}
    for fixture, played in zip(fixtures, games):
        pairs.setdefault(fixture.seed, []).append(points(name, fixture, played))
    return [sum(pair) / len(pair) for pair in pairs.values()]


def seating(first: str, second: str, seats: int) -> tuple[str, ...]:
    """``first`` and ``second`` in turns round the table: (P,). In a game of two seats, one each."""
    return tuple(first if seat % 2 == 0 else second for seat in range(seats))


def pair_series(
    series: str, variant: str, first: str, second: str, seats: int, games: int, seed: int, number: int = 0
) -> list[Fixture]:
    """``games`` games between two players, two a seed with the seats exchanged, numbered from ``number`` on."""
    seeds: Sequence[int] = row_seeds(seed, -(-games // 2)).tolist()
    return [
        Fixture(
            number + g,
            series,
            variant,
            seating(*((first, second) if g % 2 == 0 else (second, first)), seats),
            seeds[g // 2],
        )
        for g in range(games)
    ]
