"""Shared by the benchmarks: environments to compare with, loops that are timed, options, and tables."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from pettingzoo import AECEnv
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

import parlour
from parlour.arena import Score, Threads, match
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.batch import Batch
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # some benchmarks use helpers of the tests, and examples
FIGURE = re.compile(r"[+\-−×≥(]? ?\d|$")
"""How the cells of columns of figures begin, which are set to the right."""
OPENING = 8
"""The random plies before a pair of games."""


class DoNothing(AECEnv[str, Any, int]):
    """An environment with another one's spaces: seats alternate, a game has 100 plies, and nothing else changes."""

    metadata = {"name": "do_nothing_v0"}  # noqa: RUF012

    def __init__(self, like: Any) -> None:
        """``like``: an environment after `reset`, whose agents and spaces are used."""
        self.possible_agents = like.possible_agents
        self.observation_spaces = like.observation_spaces
        self.action_spaces = like.action_spaces
        self.seen = like.observe(like.agent_selection)

    def observation_space(self, agent: str) -> Any:
        """That of the other environment."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """That of the other environment."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.plies = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """Always the same object."""
        return self.seen

    def step(self, action: int) -> None:
        """Counts the ply."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.plies += 1
        self.agent_selection = self.possible_agents[self.plies % len(self.possible_agents)]
        self._accumulate_rewards()
        if self.plies >= 100:
            self.terminations = dict.fromkeys(self.agents, True)


def aec_loop(env: Any, plies: int, choose: Callable[[Any, Any], Any]) -> float:
    """Plies per second of random play, by processor time: ``last``, an action by ``choose(env, mask)``, ``step``."""
    env.reset(seed=0)
    done, began = 0, time.thread_time()
    while done < plies:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(choose(env, seen["action_mask"]))
        done += 1
    return plies / (time.thread_time() - began)


def batch_loop(env: Any, plies: int) -> float:
    """Plies per second of ``step(sample_actions())``, over all rows; on one thread of processor time."""
    batch = getattr(env, "batch", env)
    clock = time.thread_time if batch.games.threads == 1 else time.perf_counter
    steps = max(plies // env.num_envs, 1)
    began = clock()
    for _ in range(steps):
        env.step(env.sample_actions())
    return steps * env.num_envs / (clock() - began)


def by_the_space(env: Any, mask: Any) -> Any:
    """A random legal action by the space's `sample`, as in PettingZoo's documentation."""
    return env.action_space(env.agent_selection).sample(mask)


_GENERATOR = np.random.default_rng(0)


def by_numpy(env: Any, mask: Any) -> int:
    """A random legal action by NumPy, with as little work as possible in Python."""
    legal = mask.nonzero()[0]
    return int(legal[int(_GENERATOR.random() * len(legal))])


def seconds_of_children() -> float:
    """The processor time, user and system together, of all processes that this one has run to their ends."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rounds(measures: Sequence[Callable[[], float]], count: int) -> list[float]:
    """The median of each measure over ``count`` rounds, each of which takes all measures in turn."""
    return np.median([[measure() for measure in measures] for _ in range(count)], axis=0).tolist()  # type: ignore[no-any-return]


def table(title: str, *columns: str) -> Table:
    """An empty table."""
    return Table(*columns, title=title, title_justify="left")


def rounds_option(default: int) -> Any:
    """``--rounds``, as the argument ``count``."""
    return click.option("--rounds", "count", default=default, show_default=True)


def games_option(command: Any) -> Any:
    """``--game``, as the argument ``games``: all games unless some are named."""

    def named(context: click.Context, option: click.Parameter, games: tuple[str, ...]) -> tuple[str, ...]:
        return games or tuple(parlour.games())

    text = "Only this game; repeatable. Default: all."
    return click.option("--game", "games", multiple=True, callback=named, help=text)(command)


def num_games_option(*default: int) -> Any:
    """``--num-games``, as the argument ``sizes``."""
    return click.option(
        "--num-games", "sizes", multiple=True, type=click.IntRange(min=1), default=default, show_default=True,
        help="The number of games in the batch; repeatable.",
    )  # fmt: skip


def in_play(game: str, num_games: int, plies: int, **options: Any) -> Batch:
    """A batch of games after so many random plies each."""
    batch = parlour.make_batch(game, num_games, seed=0, **options)
    batch.reset()
    for _ in range(plies):
        batch.step(batch.sample_actions())
    return batch


def plies_limit(game: str) -> int:
    """The option ``max_plies`` of a game in matches: without dice a game is cut off after 400 plies. 0 is no limit."""
    return 0 if find(game).rules.DICE else 400


def positions(game: str, plies: Sequence[int], seed: int) -> list[GameEnv]:
    """Positions of the game's first variant: for each number in ``plies`` that of a game so many plies of
    ``expectimax:4`` after `OPENING` random ones. Games that are over before are left out."""
    env, envs = parlour.make(game, max_plies=plies_limit(game)).unwrapped, []
    for number, count in enumerate(plies):
        env.reset(seed=1000 * seed + number)
        for player in [parse_player("random")] * OPENING + [parse_player("expectimax:4")] * count:
            if not env.is_over():
                env.step(env.ask(player))
        if not env.is_over():
            envs.append(env.clone())
    return envs


def midgames(game: str, count: int, seed: int) -> list[GameEnv]:
    """`positions` sixteen plies after an opening, at most ``count``."""
    return positions(game, [16] * count, seed)


def matches(
    game: str, first: dict[str, Player], second: dict[str, Player], pairs: int, variants: Sequence[str], seed: int,
    folder: Path | None, before: Callable[[str], None] = lambda variant: None,
) -> dict[str, Score]:  # fmt: skip
    """A match in each variant, ``pairs`` pairs of games in all, from random openings on one thread. ``folder``: where
    the games are kept, so that a match can be resumed. ``before``: called with each variant."""
    scores = {}
    for variant in variants:
        before(variant)
        scores[variant] = match(
            game, first, second, games=2 * -(-pairs // len(variants)), variant=variant, seed=seed,
            openings=f"random:{OPENING}", workers=Threads(1), folder=folder and folder / variant, judge="none",
            max_plies=plies_limit(game),
        )  # fmt: skip
    return scores


def show(*tables: Table) -> None:
    """Prints tables: with lines on a terminal, else as Markdown, for docs/speed.md."""
    for column in (column for table in tables for column in table.columns):
        if all(FIGURE.match(str(cell)) for cell in column.cells):
            column.justify = "right"
    console = Console()
    if console.is_terminal:
        console.print(*tables, sep="\n")
        return
    for table in tables:
        title, table.title, table.box = table.title, None, MARKDOWN
        if title:
            print(f"{title}:\n")
        Console(width=1000).print(table)
