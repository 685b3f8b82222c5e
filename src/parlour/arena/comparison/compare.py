"""Playing a comparison: the function `parlour.arena.compare`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from parlour.arena.comparison.defaults import DEFAULT_GAMES, DEFAULT_SKILL
from parlour.arena.comparison.plan import ComparisonPlan, plan_comparison
from parlour.arena.comparison.result import Comparison
from parlour.arena.fixtures import Played
from parlour.arena.journal import Folder
from parlour.arena.openings import AUTO, OpeningsLike
from parlour.arena.playing import OnPlayed, Threads, Workers, play_plan
from parlour.arena.progress import run_progress
from parlour.arena.reporting.games import write_games
from parlour.arena.rulesets import RulesetLike
from parlour.players import PlayerLike

NO_MOVES = np.zeros(0, np.int32)


def compare(
    game: str,
    *,
    variants: Sequence[RulesetLike] | None = None,
    players: Sequence[str] | Mapping[str, PlayerLike] | None = None,
    skill: Sequence[str] | Mapping[str, PlayerLike] | None = DEFAULT_SKILL,
    trace: tuple[str, int] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    measures: Sequence[str] | None = None,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    **options: object,
) -> Comparison:
    """Plays the variants of a game and tests how they differ.

    Args:
        game: an id such as ``"agon-v0"``.
        variants: names of variants, texts such as ``"classic:touch_move=true"``, or mappings of option values with the
            variant under ``"variant"``; None for all variants of the game.
        players: each plays a group of games in all seats. Names, or a mapping of your own names to players; None for
            the champion, or for ``mcts:5`` if no champion plays all the variants.
        skill: a weaker and a stronger player, to measure the influence of skill; None not to measure it.
        trace: a player with a number, and a number of doublings, such as ``("mcts:10", 5)``: measures what each
            doubling of the search gains.
        games: the number of games of each group per variant; even.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
        measures: keys or groups of measures, see ``docs/measures.md``; None for all.
        workers: what plays the games; None for `parlour.arena.Threads`, one per core.
        folder: a folder for every finished game, the report and all tables. The same call resumes a run that was
            stopped, and a call with more games, players or variants adds to it.
        on_played: called with games as they finish.
        progress: whether a progress bar is shown; None: only if standard error is a terminal.
        **options: option values for all variants.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays an illegal action.
    """
    plan = plan_comparison(game, variants, players, skill, games, seed, options, openings, measures, trace)
    return play_comparison(plan, workers or Threads(), Path(folder) if folder else None, on_played, progress)


def play_comparison(
    plan: ComparisonPlan,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    on_opened: Callable[[], None] = lambda: None,
) -> Comparison:
    """Plays the games that ``folder`` does not have yet, measures, tests, and writes the report. ``on_opened`` is
    called when the folder's plan has been checked, before anything is played."""
    played: list[Played] = []
    with run_progress(plan.plan.games, folder, progress) as bar:

        def on_finished(games: list[Played]) -> None:
            played.extend(replace(one, moves=NO_MOVES) for one in games)
            bar(games)
            on_played(games)

        if folder is None:
            play_plan(plan.plan, workers, on_finished)
            return Comparison(plan, played)
        with Folder(folder, plan.plan) as run:
            on_opened()
            play_plan(plan.plan, workers, on_finished, run)
            result = Comparison(plan, played)
            result.on_page = write_games(folder, result.notable)
            result.report(folder)
    return result
