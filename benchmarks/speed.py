"""The speed of every game: the tables of docs/speed.md that show plies a second.

    python benchmarks/speed.py aec            the AEC loop beside connect four, and beside one that does nothing
    python benchmarks/speed.py batch          the batch engine on one thread and two
    python benchmarks/speed.py many           the batch engine with few and with many games
    python benchmarks/speed.py openspiel      beside OpenSpiel's games of the same kind, on one thread
    python benchmarks/speed.py pgx            beside pgx on one CPU thread
    python benchmarks/speed.py accelerator    beside pgx on an accelerator

Figures are medians of rounds; each round takes all measures of a line in turn. On one thread times are processor time,
so that other work on the machine has little influence.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click
import numpy as np
import peers
from pettingzoo.classic import connect_four_v3

import parlour
from parlour.interfaces.batch import Batch

SIZES = (1, 8, 64, 1024, 8192, 65536)
WARM_UP = 150
"""Steps before the first round of `many`. Games then have different lengths, and tables of positions have grown."""
ROWS = 1024
"""Games of a batch."""
OPENSPIEL = [
    ("backgammon-v0", "standard", "backgammon"),
    ("checkers-v0", "american", "checkers"),
    ("checkers-v0", "openspiel", "checkers"),
]
"""Our game, its variant, and OpenSpiel's game that it is compared with. In OpenSpiel's backgammon an action is both
moves of a throw, so that a ply of theirs is about two of ours."""
PGX = [
    ("tic_tac_toe", "examples.games.tic_tac_toe", "tic_tac_toe-v0"),
    ("othello", "tests.toy_games.reversi", "reversi-v0"),
    ("backgammon", "", "backgammon-v0"),
    ("connect_four", "", ""),
]
"""pgx's game; the package of our game if it must be registered; our game, if there is one. Tic-tac-toe,
Othello and backgammon are the same games in both libraries, and in both backgammons a ply is one man by one number."""

Loop = Callable[[float], float]
"""Plays for so many seconds, and returns the plies per second."""
_GENERATOR = np.random.default_rng(0)


@click.group()
def main() -> None:
    """Measures plies a second."""


# --- the AEC loop ---


@main.command()
@peers.games_option
@peers.rounds_option(9)
@click.option("--plies", default=4000, show_default=True)
def aec(games: tuple[str, ...], count: int, plies: int) -> None:
    """The AEC loop of every game."""
    grid = peers.table(
        f"AEC loop, plies a second, median of {count} rounds of {plies}",
        "game", "action by", "connect four", "do-nothing", "env()", "× connect four", "× do-nothing",
    )  # fmt: skip
    for game in games:
        env = parlour.make(game)
        env.reset(seed=0)
        nothing, four = peers.DoNothing(env), connect_four_v3.env()
        for name, choose in (("action_space.sample", peers.by_the_space), ("NumPy", peers.by_numpy)):
            peers.aec_loop(env, 200, choose)
            measures = [
                lambda each=each, n=n, choose=choose: peers.aec_loop(each, n, choose)
                for each, n in ((four, plies // 4), (nothing, plies), (env, plies))
            ]
            slow, bare, ours = peers.rounds(measures, count)
            speeds = (f"{speed:,.0f}" for speed in (slow, bare, ours))
            grid.add_row(game, name, *speeds, f"{ours / slow:.1f}", f"{ours / bare:.2f}")
    peers.show(grid)


# --- the batch engine ---


def filling(batch: Batch, plies: int) -> float:
    """Plies per second if a step only filled mask and observation with one number, without any rules."""
    outputs = [np.zeros_like(batch.games.masks), np.zeros_like(batch.games.planes)]
    steps = max(plies // batch.num_games, 1)
    began = time.perf_counter()
    for step in range(steps):
        for array in outputs:
            array.fill(step & 1)
    return steps * batch.num_games / (time.perf_counter() - began)


@main.command("batch")
@peers.games_option
@peers.num_games_option(ROWS, 8192)
@peers.rounds_option(9)
@click.option("--plies", default=1_000_000, show_default=True)
def batch_engine(games: tuple[str, ...], sizes: tuple[int, ...], count: int, plies: int) -> None:
    """The batch engine with observations, masks and sampled actions, on one thread and two; beside connect four, and
    beside the time that it takes to write the outputs alone."""
    grid = peers.table(
        f"Batch, plies a second, median of {count} rounds of {plies}",
        "game", "variant", "games", "one thread", "ns a ply", "outputs alone, ns", "× connect four", "two threads ×",
        "bytes a game",
    )  # fmt: skip
    four = connect_four_v3.env()
    for game in games:
        for variant in parlour.variants(game):
            for num_games in sizes:
                alone, double = (peers.in_play(game, num_games, 0, variant=variant, threads=k) for k in (1, 2))
                for batch in (alone, double):
                    peers.batch_loop(batch, plies // 4)
                measures = [
                    lambda: peers.aec_loop(four, 1000, peers.by_numpy),
                    lambda batch=alone: peers.batch_loop(batch, plies),
                    lambda batch=double: peers.batch_loop(batch, plies),
                    lambda batch=alone: filling(batch, plies),
                ]
                slow, one_thread, two_threads, fill = peers.rounds(measures, count)
                grid.add_row(
                    game, variant, str(num_games), f"{one_thread:,.0f}", f"{1e9 / one_thread:.0f}", f"{1e9 / fill:.0f}",
                    f"{one_thread / slow:.0f}", f"{two_threads / one_thread:.2f}", str(alone.games.states.itemsize),
                )  # fmt: skip
    peers.show(grid)


@main.command()
@peers.games_option
@peers.num_games_option(*SIZES)
@peers.rounds_option(5)
@click.option("--plies", default=300_000, show_default=True, help="Plies per round, but at most 1,000 steps.")
def many(games: tuple[str, ...], sizes: tuple[int, ...], count: int, plies: int) -> None:
    """Nanoseconds per ply with few and with many games, and the ratio to the best figure of the line. With few games
    most time goes into the call from Python, with many into memory accesses."""
    title = f"Many games, ns a ply, median of {count} rounds of {plies}"
    grid = peers.table(title, "game", *(f"{num_games:,}" for num_games in sizes))
    for game in games:
        batches = [peers.in_play(game, num_games, WARM_UP) for num_games in sizes]
        measures = [
            lambda batch=batch: peers.batch_loop(batch, min(plies, 1000 * batch.num_games)) for batch in batches
        ]
        nanoseconds = [1e9 / rate for rate in peers.rounds(measures, count)]
        grid.add_row(game, *(f"{taken:,.0f} ({taken / min(nanoseconds):.2f} ×)" for taken in nanoseconds))
    peers.show(grid)


# --- beside other libraries ---


def through_python(game: Any, plies: int) -> float:
    """Plies per second of random play by OpenSpiel's binding, with mask and tensor; chance nodes don't count."""
    done, began = 0, time.process_time()
    state = game.new_initial_state()
    while done < plies:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(_GENERATOR.random() * len(outcomes))][0])
        else:
            legal = state.legal_actions()
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(legal[int(_GENERATOR.random() * len(legal))])
            done += 1
    return plies / (time.process_time() - began)


def core_alone(game: Any, games: int) -> float:
    """Plies per second of OpenSpiel's own C++ loop of two random bots (`evaluate_bots`), which makes only legal
    actions, neither mask nor tensor; this favours OpenSpiel. Chance nodes don't count as plies."""
    import pyspiel

    plies, seconds = 0, 0.0
    for seed in range(games):
        bots = [pyspiel.make_uniform_random_bot(p, 100 * seed + p) for p in range(2)]
        state = game.new_initial_state()
        began = time.process_time()
        pyspiel.evaluate_bots(state, bots, seed)
        seconds += time.process_time() - began
        plies += sum(1 for ply in state.full_history() if ply.player >= 0)
    return plies / seconds


@main.command()
@peers.rounds_option(9)
@click.option("--plies", default=1_000_000, show_default=True)
def openspiel(count: int, plies: int) -> None:
    """The batch engine beside OpenSpiel's C++ games: through its binding, and its core alone."""
    import pyspiel

    grid = peers.table(
        f"Batch of {ROWS} beside OpenSpiel, plies a second, median of {count} rounds",
        "game", "variant", "OpenSpiel's", "by Python", "core alone", "batch", "× by Python", "× core alone",
    )  # fmt: skip
    for ours, variant, theirs in OPENSPIEL:
        batch, game = peers.in_play(ours, ROWS, 0, variant=variant), pyspiel.load_game(theirs)
        peers.batch_loop(batch, plies // 4)
        measures = [
            lambda game=game: through_python(game, plies // 100),
            lambda game=game: core_alone(game, max(plies // 20_000, 1)),
            lambda batch=batch: peers.batch_loop(batch, plies),
        ]
        binding, core, speed = peers.rounds(measures, count)
        numbers = f"{binding:,.0f}", f"{core:,.0f}", f"{speed:,.0f}", f"{speed / binding:.0f}", f"{speed / core:.0f}"
        grid.add_row(ours, variant, theirs, *numbers)
    peers.show(grid)


def pgx_loop(name: str, rows: int, plies: int = 1, clock: Callable[[], float] = time.process_time) -> Loop:
    """A function that plays ``rows`` of pgx's games at random, ``plies`` of each in one compiled call, for some seconds
    by ``clock``, and returns the plies per second."""
    try:
        import jax
        import pgx
        from pgx.experimental import act_randomly, auto_reset
    except ImportError:
        raise click.ClickException("pgx is not installed: pip install 'parlour[peers]'") from None
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def ply(running, _):  # type: ignore[no-untyped-def]
        state, key = running
        key, choice, chance = jax.random.split(key, 3)
        return (step(state, act_randomly(choice, state.legal_action_mask), jax.random.split(chance, rows)), key), None

    play = jax.jit(lambda running: jax.lax.scan(ply, running, None, plies)[0])
    running = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), rows)), jax.random.PRNGKey(1)
    running = jax.block_until_ready(play(running))

    def run(seconds: float) -> float:
        nonlocal running
        calls, began = 0, clock()
        while clock() - began < seconds:
            running = jax.block_until_ready(play(running))
            calls += 1
        return calls * plies * rows / (clock() - began)

    return run


def batch_beside(package: str, game: str) -> Callable[[], float]:
    """A function that measures the batch of `ROWS` games. ``package``: see `PGX`."""
    if package:
        parlour.register(package)
    batch = peers.in_play(game, ROWS, 0)
    peers.batch_loop(batch, 400_000)
    return lambda: peers.batch_loop(batch, 400_000)


def seconds_option(command: Any) -> Any:
    """``--seconds``."""
    text = "Seconds per round of each of pgx's games."
    return click.option("--seconds", default=0.5, show_default=True, help=text)(command)


@main.command("pgx")
@peers.rounds_option(5)
@seconds_option
def beside_pgx(count: int, seconds: float) -> None:
    """The batch engine beside pgx, whose games are JAX programs, on one CPU thread. pgx steps its games in one compiled
    call, `jax.vmap` over its own ``auto_reset(step)`` and ``act_randomly``. It is made for accelerators; see
    `accelerator` for those. It needs pip install "parlour[peers]"."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # read when JAX is imported
    title = f"Batch of {ROWS} beside pgx, ns a ply, median of {count} rounds"
    grid = peers.table(title, "pgx's game", "pgx", "game", "batch", "×")
    for theirs, package, ours in PGX:
        measures = [partial(pgx_loop(theirs, ROWS), seconds)]
        if ours:
            measures.append(batch_beside(package, ours))
        taken = [1e9 / rate for rate in peers.rounds(measures, count)]
        beside = [ours, f"{taken[1]:,.0f}", f"{taken[0] / taken[1]:,.1f}"] if ours else ["", "", ""]
        grid.add_row(theirs, f"{taken[0]:,.0f}", *beside)
    peers.show(grid)


@main.command()
@peers.num_games_option(1024, 16_384, 262_144)
@peers.rounds_option(3)
@seconds_option
@click.option("--plies", default=64, show_default=True, help="Plies of each game in one call of pgx's compiled code.")
def accelerator(sizes: tuple[int, ...], count: int, seconds: float, plies: int) -> None:
    """pgx on the accelerator that JAX finds, with few games and many, beside the batch engine on one CPU thread of the
    same machine. Observations are made in both; neither side moves them to the other device. pgx by wall-clock time."""
    titles = [f"pgx, {size:,} games" for size in sizes]
    grid = peers.table("", "pgx's game", *titles, "game", "batch", "best of pgx ×")
    for theirs, package, ours in PGX:
        measures = [partial(pgx_loop(theirs, size, plies, time.perf_counter), seconds) for size in sizes]
        if ours:
            measures.append(batch_beside(package, ours))
        rates = peers.rounds(measures, count)
        best = max(rates[: len(sizes)])
        beside = [ours, f"{rates[-1]:,.0f}", f"{best / rates[-1]:,.2f}"] if ours else ["", "", ""]
        grid.add_row(theirs, *(f"{rate:,.0f}" for rate in rates[: len(sizes)]), *beside)
    import jax

    grid.title = f"pgx on {jax.devices()[0].device_kind}, plies a second, median of {count} rounds"
    peers.show(grid)


if __name__ == "__main__":
    main()
