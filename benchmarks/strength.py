"""The search engine compared with that of an earlier version: its Elo with the same thinking time, and the time of a
search to the same depth.

The earlier version runs in a process with its own interpreter, which is told each position:

    git worktree add ../earlier v0.1.0 && python -m venv ../earlier/.venv && ../earlier/.venv/bin/pip install ../earlier
    python benchmarks/strength.py match --python ../earlier/.venv/bin/python [--folder swords]
    python benchmarks/strength.py depth --python ../earlier/.venv/bin/python

With ``--network FILE`` the engine values positions by a value network, such as the champion's in a game's folder. Any
two players meet with ``--player`` and ``--earlier``, each in a process of its own and with its own effort:
``--player mcts:200 --earlier mcts:200``.

Both use one thread. Times are processor time, so other work on the machine has little influence. In version 0.1.0
`expectimax` takes no time limit, only a depth: it plays at the greatest depth whose mean time per ply is within the
limit, on positions from all stages of games. Its mean time in the match is printed. Each pair of games begins after
some random plies and is played with the seats exchanged. Pairs with exactly the same moves are counted once.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from peers import matches, midgames, plies_limit, positions, show, table

import parlour
from parlour.arena import Score
from parlour.arena.matches.tally import elo_text
from parlour.learn.strength import pooled
from parlour.players import GamesView, Player
from parlour.players.search.expectimax import Expectimax
from parlour.players.value import load

GAMES = ("swords_and_shields-v0", "checkers-v0", "agon-v0")
STAGES = range(0, 24 * 6, 6)
"""Plies after an opening, one position each, from which the earlier version's depth is found."""
MAX_DEPTH = 20

PROGRAM = """
import json, sys, time
import numpy as np, parlour
from parlour.players import parse_player
games, players = {}, {}
for line in sys.stdin:
    asked = json.loads(line)
    key = asked["game"], asked["variant"], asked["max_plies"]
    if key not in games:
        games[key] = parlour.make(key[0], variant=key[1], max_plies=key[2]).unwrapped
    env = games[key]
    env.reset(seed=asked["seed"], options={"position": asked["position"]})
    known = [env.game] if hasattr(env, "ask") else []  # version 0.1.0 has no players that need their game
    player = players.setdefault((key, asked["player"]), parse_player(asked["player"], *known))
    began = time.thread_time()
    if hasattr(env, "ask"):
        action = env.ask(player)
    else:  # version 0.1.0
        actions = np.zeros(1, np.int64)
        env.table.show()
        player.choose(env.table, np.ones(1, np.bool_), actions)
        action = int(actions[0])
    seconds = time.thread_time() - began
    print(json.dumps({"move": env.move_name(action), "seconds": seconds}), flush=True)
"""
"""The program that the interpreter of a version runs."""


class OwnProcess:
    """A player of some version, in its own process.

    Attributes:
        name: of the player.
        variant: of the games that it plays.
        seconds: the thinking time of every answer.
    """

    def __init__(self, process: Any) -> None:
        self.process, self.name, self.variant, self.seconds = process, "", "", list[float]()

    def __deepcopy__(self, memo: object) -> OwnProcess:
        return self  # there is one process

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        for row in np.flatnonzero(row_mask).tolist():
            actions[row] = view.parse_move(row, self.move(view.game_id, view.position(row)))

    def move(self, game: str, position: str) -> str:
        """The move that it chooses."""
        asked = {
            "game": game, "variant": self.variant, "max_plies": plies_limit(game), "seed": len(self.seconds),
            "position": position, "player": self.name,
        }  # fmt: skip
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.seconds.append(answer["seconds"])
        return str(answer["move"])

    def mean_seconds(self, envs: list[Any], player: str) -> float:
        """The mean thinking time of one of its players in some positions, the first of which it may compile for."""
        self.name, self.variant = player, envs[0].variant
        self.seconds.clear()
        for env in (envs[0], *envs):
            self.move(env.games.game.id, env.position())
        return float(np.mean(self.seconds[1:]))

    def deepest(self, envs: list[Any], seconds: float) -> str:
        """The deepest ``expectimax`` whose mean time in some positions is within ``seconds``."""
        depth = 1
        while depth < MAX_DEPTH and self.mean_seconds(envs, f"expectimax:{depth + 1}") <= seconds:
            depth += 1
        return f"expectimax:{depth}"


@contextmanager
def version(python: str) -> Iterator[OwnProcess]:
    """Runs a version. ``python``: its interpreter."""
    with Popen([python, "-c", PROGRAM], stdin=PIPE, stdout=PIPE, text=True) as process:
        yield OwnProcess(process)
        process.stdin.close()  # type: ignore[union-attr]


@click.group()
def main() -> None:
    """Compares the search engine with that of an earlier version."""


@main.command("match")
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", default=GAMES[0], show_default=True)
@click.option("--pairs", default=150, show_default=True)
@click.option("--seconds", default=0.05, show_default=True, help="Thinking time per ply.")
@click.option("--earlier", "theirs", help="The earlier version's player. Default: the depth that fits the time.")
@click.option("--player", "ours", help="This version's player. Default: the engine with the thinking time.")
@click.option("--network", type=click.Path(path_type=Path), help="A value network for the engine.")
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: all.")
@click.option("--seed", default=1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="For the games; rerun to resume or to see the results.")
def play(
    python: str, game: str, pairs: int, seconds: float, theirs: str | None, ours: str | None, network: Path | None,
    variants: tuple[str, ...], seed: int, folder: Path | None,
) -> None:  # fmt: skip
    """Plays a match, as many games of each variant: with the same thinking time, or between two players by name."""
    engine = Expectimax(seconds=seconds, network=load(network) if network else None, clock=time.thread_time)
    with version(python) as earlier, version(sys.executable) if ours else nullcontext() as now:
        name = theirs or earlier.deepest(positions(game, STAGES, seed + 1), seconds)
        print(f"{game}: the earlier version plays {name}", flush=True)
        first: dict[str, Player] = {network.stem if network else "expectimax": engine}
        asked = {earlier: name}
        if ours and now:
            first, asked[now] = {ours: now}, ours

        def begin(variant: str) -> None:
            for process in asked:
                process.variant = variant

        for process, player in asked.items():  # the first search may compile, and is not counted
            process.mean_seconds(positions(game, [0], seed), player)
            process.seconds.clear()
        scores = matches(
            game, first, {f"{name} of the earlier version": earlier}, pairs, variants or tuple(parlour.variants(game)),
            seed, folder, begin,
        )  # fmt: skip
        show(
            shown(f"{game} against {name} of the earlier version, {np.mean(earlier.seconds or 0):.3f} s a ply", scores)
        )
        if now:
            print(f"{ours} of this version: {np.mean(now.seconds or 0):.3f} s a ply")


def shown(title: str, scores: dict[str, Score]) -> Any:
    """The score of a match as a table: of all games, then by variant."""
    grid = table(title, "variant", "games", "won", "drawn", "lost", "score", "Elo")
    for name in ["all", *scores] if len(scores) > 1 else scores:
        some = list(scores.values()) if name == "all" else [scores[name]]
        total = pooled(name, some)
        score = f"{total.score.value:.3f} [{total.score.low:.3f}, {total.score.high:.3f}]"
        counts = (sum(getattr(each, what) for each in some) for what in ("games", "wins", "draws", "losses"))
        grid.add_row(name, *map(str, counts), score, elo_text(total.elo))
    return grid


@main.command()
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", default=GAMES[0], show_default=True)
@click.option("--depth", default=4, show_default=True)
@click.option("--positions", "count", default=40, show_default=True)
@click.option("--seed", default=1, show_default=True)
def depth(python: str, game: str, depth: int, count: int, seed: int) -> None:
    """Times a search to a depth from midgame positions, each with an empty table."""
    envs = midgames(game, count, seed)
    env, engine, seconds = envs[0].clone(), Expectimax(depth), []
    for place in (envs[0], *envs):  # the first search may compile, and is not counted
        env.reset(options={"position": place.position()})
        env.games.observe()
        began = time.thread_time()
        env.ask(engine)
        seconds.append(time.thread_time() - began)
    with version(python) as earlier:
        theirs = earlier.mean_seconds(envs, f"expectimax:{depth}")
    ours = float(np.mean(seconds[1:]))
    print(f"{game}, depth {depth}, {len(envs)} positions, mean: {1e3 * ours:.2f} ms; earlier {1e3 * theirs:.2f} ms")
    print(f"{theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
