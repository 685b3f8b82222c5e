"""What players give away in the positions of tables of exact values, and how far a champion's values are from them.

    python benchmarks/exact_regret.py tables/checkers tables/backgammon --players random,greedy,mcts:100,champion

Positions are drawn uniformly from those of a table, with a throw where the game has dice; those with a single legal
action are left out. Every player chooses once in each. Regret is in points: 2 is a certain win that becomes a certain
loss. The second table has it by the kind of position. The third is the calibration of the champion's network: what
positions are worth that it values alike. Without dice the network values the position itself; with dice, as it has
learnt to, the end of the champion's turn. `--plot FILE` draws it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import parlour
from parlour.arena.statistics import mean
from parlour.engine.view import GamesView
from parlour.players import parse_player
from parlour.rulebook.endings import PLACED

BINS = 10
"""Intervals of the values from −1 to 1."""
KINDS, LEAST = 6, 20
"""How many kinds of positions are shown of each table, and with how many positions at least."""
Calibration = tuple[NDArray[np.float64], NDArray[np.float64]]
"""What a network says of positions, and what is true."""


def positions_of(solution: parlour.Solution, count: int, seed: int) -> list[Any]:
    """Environments at positions of the table with a choice, each with a throw of its own."""
    table, rng, starts = solution.table, np.random.default_rng(seed), []
    env = parlour.make(table.game.id, variant=solution.info.variant, **overrides(solution)).unwrapped
    sizes = np.cumsum([tier.size for tier in table.info.tiers])
    while len(starts) < count:
        env.reset(seed=int(rng.integers(1 << 31)))
        index = int(rng.integers(sizes[-1]))
        tier = int(np.searchsorted(sizes, index, side="right"))
        at = position_at(solution, env, tier, index - int(sizes[tier]) + table.info.tiers[tier].size, rng)
        if at is not None and not at.is_over() and len(at.legal_moves()) > 1:
            starts.append(at)
    return starts


def position_at(solution: parlour.Solution, env: Any, tier: int, number: int, rng: np.random.Generator) -> Any:
    """An environment at a position of a tier, with a throw if the game has dice; None if the number has no position.
    ``env``: at the game's start, which is changed."""
    game, state, variant = solution.table.game, env.games.states[0], env.games.variants[0]
    state["end"], state["turn_over"], state["plies"] = 0, 1, 0
    if game.endings.place(tier, number, state, variant) != PLACED:
        return None
    dice = game.rules.DICE[: game.dice_thrown(variant)]
    if dice:
        faces = [die.faces[rng.choice(len(die.faces), p=np.array(die.weights) / die.sides)] for die in dice]
        game.rules.throw(state, variant, np.array(faces, np.int8), np.zeros(2))
    at = parlour.make(game.id, variant=solution.info.variant, **overrides(solution)).unwrapped
    at.reset(seed=int(rng.integers(1 << 31)), options={"position": env.position()})
    return at


def overrides(solution: parlour.Solution) -> dict[str, Any]:
    """The option values in which the table is not the variant."""
    return dict(solution.table.game.overrides_in(solution.info.variant, solution.info.values))


def compare(solution: parlour.Solution, players: list[str], positions: list[Any]) -> dict[str, NDArray[np.float64]]:
    """What each player gives away in each position. Prints a row for each."""
    lost = {}
    for name in players:
        player = parse_player(name, solution.table.game)
        lost[name] = np.array([solution.regret(env, env.ask(player)) for env in positions])
        regret, best = mean(lost[name].tolist(), 0), 100 * np.mean(lost[name] <= solution.gap)
        interval = "" if regret.constant else f"{regret.low:.5f} to {regret.high:.5f}"
        print(f"| {solution.table.label} | `{name}` | {regret.value:.5f} | {interval} | {best:.1f} % |", flush=True)
    return lost


def by_kind(solution: parlour.Solution, positions: list[Any], lost: dict[str, NDArray[np.float64]]) -> list[str]:
    """Rows: the mean regret of each player in the most frequent kinds of positions."""
    kinds = np.array([solution.kind_of(env.games) for env in positions])
    return [
        f"| {solution.table.label} | {kind} | {count} | "
        + " | ".join(f"{each[kinds == kind].mean():.5f}" for each in lost.values())
        + " |"
        for kind, count in Counter(kinds.tolist()).most_common(KINDS)
        if count >= LEAST
    ]


def calibration(solution: parlour.Solution, positions: list[Any]) -> Calibration:
    """What the champion's network says of positions to the seat to act, and what they are worth."""
    champion, predicted = parse_player("champion", solution.table.game), []
    for env in positions:
        seat = env.possible_agents.index(env.agent_selection)
        view = GamesView(env.games)
        values = champion.consider(view).values if solution.table.game.rules.DICE else champion.network_values(view)[0]
        predicted.append(values[seat])
    return np.array(predicted), np.array([np.mean(solution.value(env)) for env in positions])


def binned(known: Calibration) -> list[tuple[int, float, float, int]]:
    """For each interval that has positions: its number, the mean of what the network says in it, the mean of what is
    true, and how many."""
    predicted, true = known
    places = np.clip(((predicted + 1) / 2 * BINS).astype(int), 0, BINS - 1)
    return [
        (int(k), float(predicted[here].mean()), float(true[here].mean()), int(np.count_nonzero(here)))
        for k in np.unique(places)
        for here in [places == k]
    ]


def calibration_rows(label: str, known: Calibration) -> list[str]:
    """Rows of `binned`, and one for all."""
    predicted, true = known
    rows = [
        f"| {label} | {2 * k / BINS - 1:+.1f} to {2 * (k + 1) / BINS - 1:+.1f} | {mean:+.3f} | {exact:+.3f} | {count} |"
        for k, mean, exact, count in binned(known)
    ]
    apart = f"{np.abs(predicted - true).mean():.3f} off, {np.mean(predicted - true):+.3f} on average"
    return [*rows, f"| {label} | all: {apart} | {predicted.mean():+.3f} | {true.mean():+.3f} | {len(predicted)} |"]


def draw(file: Path, known: dict[str, Calibration]) -> None:
    """A plot for each table: a dot for each interval, larger for more positions."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "parlour"
    figure, axes = plt.subplots(1, len(known), figsize=(2.2 * len(known), 2.8), sharey=True, squeeze=False)
    for axis, (label, values) in zip(axes[0], known.items()):
        _, predicted, true, counts = zip(*binned(values))
        axis.plot([-1, 1], [-1, 1], color="#999", linewidth=0.8)
        axis.plot(predicted, true, color="#1f6f8b", linewidth=1)
        axis.scatter(predicted, true, s=np.sqrt(counts) * 3, color="#1f6f8b")
        axis.set(xlabel="champion's network", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        axis.set_title(label.replace("-v0, ", "\n"), fontsize=8)
    axes[0, 0].set_ylabel("exact value")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--players", default="random,greedy,mcts:100,champion", show_default=True)
@click.option("--positions", default=1000, show_default=True, type=click.IntRange(2))
@click.option("--seed", default=0, show_default=True)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the calibration of the champion's networks here.")
def main(folders: tuple[Path, ...], players: str, positions: int, seed: int, plot: Path | None) -> None:
    """Measures PLAYERS by the tables in FOLDERS."""
    names = players.split(",")
    kinds, known = [], {}
    print("| table | player | regret a choice | 95 % | plays a best action |\n|---|---|---|---|---|")
    for folder in folders:
        solution = parlour.Solution.load(folder)
        starts = positions_of(solution, positions, seed)
        kinds += by_kind(solution, starts, compare(solution, names, starts))
        if "champion" in names:
            known[solution.table.label] = calibration(solution, starts)
    print(f"\n| table | kind of position | positions | {' | '.join(names)} |\n|---|---|---|{'---|' * len(names)}")
    print(*kinds, sep="\n")
    if known:
        print("\n| table | valued at | mean | exact | positions |\n|---|---|---|---|---|")
    for label, values in known.items():
        print(*calibration_rows(label, values), sep="\n")
    if plot is not None:
        draw(plot, known)


if __name__ == "__main__":
    main()
