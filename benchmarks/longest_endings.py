"""The longest won endings of tables of exact values: both sides play perfectly, and all of it is kept to be replayed.

    python benchmarks/longest_endings.py tables/checkers tables/agon --out longest.jsonl
    parlour replay longest.jsonl --out longest.html

Only for games without dice. Who wins takes the fastest win, and who loses the slowest loss.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
from exact_regret import overrides, position_at

import parlour
from parlour.engine.solving_arrays import NO_CODE
from parlour.interfaces.game_record import GameRecord
from parlour.players.exact import Exact
from parlour.players.value.exact.parts import turns_of


def longest(solution: parlour.Solution) -> Any:
    """An environment at the won position that takes the most turns."""
    tier = max(solution.table, key=lambda tier: tier.info.longest)
    codes = tier.codes(slice(None)).astype(np.int64)
    number = int(np.where(codes == NO_CODE, 0, turns_of(np.maximum(codes, 0))).argmax())
    env = parlour.make(solution.table.game.id, variant=solution.info.variant, **overrides(solution)).unwrapped
    env.reset(seed=0)
    at = position_at(solution, env, tier.info.tier, number, np.random.default_rng(0))
    assert at is not None
    return at


def played(env: Any, player: Exact) -> GameRecord:
    """The game from there to its end."""
    while not env.is_over():
        env.step(env.ask(player))
    record: GameRecord = env.record([player.KIND] * 2)
    return record


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File for the games, .jsonl.")
def main(folders: tuple[Path, ...], out: Path) -> None:
    """Plays the longest won ending of each table in FOLDERS."""
    print("| table | turns | plies | position | end |\n|---|---|---|---|---|")
    out.unlink(missing_ok=True)
    for folder in folders:
        solution = parlour.Solution.load(folder)
        env = longest(solution)
        text, turns = env.position(), solution.turns(env)
        record = played(env, Exact(str(folder)))
        record.append_to(out)
        print(f"| {solution.table.label} | {turns} | {len(record.moves)} | `{text}` | {record.end} |")


if __name__ == "__main__":
    main()
