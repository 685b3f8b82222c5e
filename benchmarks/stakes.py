"""The mean loss of players at Crown and Anchor, in chips per bet, compared with the least possible loss.

A seat with chips must bet at least one chip, and every chip staked loses 17/216 on average, so 17/216 chips per bet is
the least possible loss. A player plays in all seats; the Banker's gains are not counted. Each throw is one sample,
since all bets on it depend on the same dice.

python benchmarks/stakes.py random greedy policy:runs/crown/policy.onnx [--variant many_bets] [--throws 200000]
"""

from __future__ import annotations

from dataclasses import dataclass

import click
import numpy as np
from numpy.typing import NDArray
from peers import show, table

import parlour
from parlour.players import parse_player

GAME = "crown_and_anchor-v0"
GAMES, CHIPS, LEAST = 512, 20, 17 / 216
VARIANTS = ("parker", "many_bets")
"""Those in which every chip loses 17/216; all bets of a seat on one throw are counted as one."""


@dataclass(frozen=True)
class Throws:
    """M throws of Bankers.

    Attributes:
        bets: int64 (M,), how many seats had a stake.
        chips: int64 (M,), how many chips they had staked.
        lost: float64 (M,), how many chips they lost.
    """

    bets: NDArray[np.int64]
    chips: NDArray[np.int64]
    lost: NDArray[np.float64]

    @property
    def loss(self) -> tuple[float, float]:
        """Chips lost per bet, and the standard error of that ratio."""
        ratio = self.lost.sum() / self.bets.sum()
        return float(ratio), float(np.sqrt(((self.lost - ratio * self.bets) ** 2).sum()) / self.bets.sum())


def play(name: str, variant: str, least: int, seed: int) -> Throws:
    """Plays at least ``least`` throws, with the player in all seats."""
    batch = parlour.make_batch(GAME, GAMES, variant=variant, seed=seed, start_chips=CHIPS)
    player = parse_player(name, batch.game)
    roll = batch.single_action_space.n - 1
    parts: list[tuple[NDArray[np.int64], ...]] = []
    seen, infos = batch.reset()
    while sum(len(part[0]) for part in parts) < least:
        rolling = seen["action_mask"][:, roll] == 1  # then the Banker acts, and is row 0 of its own observation
        stakes = seen["observation"][rolling, 0].astype(np.int64).sum(axis=2)
        bankers = infos["to_act"][rolling].astype(np.int64)
        seen, rewards, _, _, infos = batch.step(batch.ask(player))
        lost = rewards[rolling, bankers] * CHIPS  # the Banker gains what the others lose
        parts.append(((stakes > 0).sum(axis=1), stakes.sum(axis=1), lost))
    return Throws(*(np.concatenate(column) for column in zip(*parts)))


@click.command()
@click.argument("players", nargs=-1, required=True)
@click.option("--variant", type=click.Choice(VARIANTS), default=VARIANTS[0], show_default=True)
@click.option("--throws", default=200_000, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(players: tuple[str, ...], variant: str, throws: int, seed: int) -> None:
    """Prints the mean stake and mean loss of each of PLAYERS."""
    grid = table(
        f"Crown and Anchor: the least possible loss is {LEAST:.4f} chips a bet",
        "player", "throws", "bets", "mean stake", "loss a bet", "standard error", "standard errors above the least",
    )  # fmt: skip
    for name in players:
        made = play(name, variant, throws, seed)
        loss, error = made.loss
        grid.add_row(
            name, f"{len(made.bets):,}", f"{made.bets.sum():,}", f"{made.chips.sum() / made.bets.sum():.4f}",
            f"{loss:.4f}", f"{error:.4f}", f"{(loss - LEAST) / error:+.2f}",
        )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
