"""Trains a network in another way than `parlour train` does, for a comparison.

    python benchmarks/trained_otherwise.py --game agon-v0 --variant classic --variant bloody_queen --minutes 8 \
        --method generations --discount 1 --out runs/undiscounted.value
    python benchmarks/trained_otherwise.py --game backgammon-v0 --variant standard --minutes 2 --without "can hit" \
        --without "stand to lose" --out runs/no_shots.value
    python benchmarks/trained_otherwise.py --game royal_ur-v0 --minutes 1 --rate 2e-3 --decay 3e6 --out runs/large.value

``--discount`` is that of generations' results; ``--without`` leaves out features, of networks that see features;
``--rate`` and ``--decay`` are `TDLambdaSettings.learning_rate` and `TDLambdaSettings.decay_positions`; ``--against``
names fixed players, as for ``parlour train``. The file plays as ``value:FILE`` in every command, and as ``--network
FILE`` in ``benchmarks/strength.py match``. Minutes are processor time, on one thread, without compiling.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from parlour.interfaces.registry import find
from parlour.learn.generations import Generations
from parlour.learn.methods import METHODS, choose_method, compile_for, first_network, new_method, prepare
from parlour.learn.td_lambda import TDLambda
from parlour.players.value import ValueNetwork, save


def leaving_out(network: ValueNetwork, names: tuple[str, ...]) -> ValueNetwork:
    """The network without the units of the features that have one of ``names`` in them."""
    features = network.game.evaluation.FEATURES
    for name in names:
        if not any(name in feature.meaning for feature in features):
            raise click.UsageError(
                f"no feature has {name!r} in it: {', '.join(feature.meaning for feature in features)}"
            )
    left_out = [any(name in feature.meaning for name in names) for feature in features for _ in range(feature.count)]
    is_used = ~np.array(left_out)[network.units[:, 0]]
    return replace(network, units=network.units[is_used], hidden=network.hidden[is_used])


@click.command()
@click.option("--game", required=True)
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: all.")
@click.option("--minutes", default=4.0, show_default=True)
@click.option("--method", type=click.Choice(METHODS), help="Default: the one that suits the game.")
@click.option("--discount", type=float, help="Of generations: factor per ply; 1: none.")
@click.option("--without", "left_out", multiple=True, help="A part of a feature's meaning; repeatable.")
@click.option("--rate", type=float, help="Of TD(λ): the learning rate at the start.")
@click.option("--decay", type=float, help="Of TD(λ): about the positions after which the rate falls.")
@click.option("--against", multiple=True, help="A fixed player to learn against; repeatable.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file of the network.")
def main(
    game: str, variants: tuple[str, ...], minutes: float, method: str | None, discount: float | None,
    left_out: tuple[str, ...], rate: float | None, decay: float | None, against: tuple[str, ...],
    seed: int, out: Path,
) -> None:  # fmt: skip
    """Trains a network and writes its file."""
    names = variants or tuple(variant.name for variant in find(game).variants)
    prepared = prepare(find(game), names, {})
    chosen = choose_method(prepared, method)
    network = first_network(prepared, chosen, None, seed)
    start = leaving_out(network, left_out) if left_out else network
    learner = new_method(prepared, chosen, start, 0, seed, threads=1, against=against)
    if discount is not None:
        if not isinstance(learner, Generations):
            raise click.UsageError("only generations have a discount: --method generations")
        self_play = replace(learner.settings.self_play, discount=discount)
        learner.settings = replace(learner.settings, self_play=self_play)
    steps = {"learning_rate": rate, "decay_positions": decay}
    changed = {name: value for name, value in steps.items() if value is not None}
    if changed:
        if not isinstance(learner, TDLambda):
            raise click.UsageError("only TD(λ) has --rate and --decay: --method td")
        learner.settings = replace(learner.settings, **changed)
    compile_for(learner)
    seconds = 0.0
    while seconds < 60 * minutes:
        began = time.process_time()
        learner.round()
        seconds += time.process_time() - began
    print(f"{seconds / 60:.2f} min, {learner.plies:,} plies, {len(learner.network.units)} units")
    out.parent.mkdir(parents=True, exist_ok=True)
    save(learner.network, out)


if __name__ == "__main__":
    main()
