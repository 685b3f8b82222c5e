"""Trains a network by generations with another discount of results than the default, for a comparison.

    python benchmarks/discounts.py --game agon-v0 --variant classic --variant bloody_queen --minutes 8 --discount 1 \
        --out runs/undiscounted.value

The file plays as ``value:FILE:4`` in every command, and as ``--network FILE`` in ``benchmarks/strength.py match``.
Minutes are processor time, on one thread, without compiling.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from parlour.learn.generations import Generations
from parlour.learn.methods import GENERATIONS, compile_for, new_method
from parlour.learn.self_play import SelfPlay
from parlour.registry import find
from parlour.value import save


@click.command()
@click.option("--game", required=True)
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: all.")
@click.option("--minutes", default=4.0, show_default=True)
@click.option("--discount", default=SelfPlay.discount, show_default=True, help="Factor per ply; 1: none.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file of the network.")
def main(game: str, variants: tuple[str, ...], minutes: float, discount: float, seed: int, out: Path) -> None:
    """Trains a network and writes its file."""
    found = find(game)
    names = variants or tuple(variant.name for variant in found.variants)
    method = new_method(found, names, {}, GENERATIONS, None, seed, threads=1)
    assert isinstance(method, Generations)
    self_play = replace(method.recipe.self_play, discount=discount)
    method.recipe = replace(method.recipe, self_play=self_play)
    compile_for(method)
    seconds = 0.0
    while seconds < 60 * minutes:
        began = time.process_time()
        method.round()
        seconds += time.process_time() - began
        print(f"{seconds / 60:.2f} min, {method.plies:,} plies", flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    save(method.network, out)


if __name__ == "__main__":
    main()
