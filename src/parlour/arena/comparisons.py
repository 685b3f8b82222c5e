"""Comparisons of variants: the function `parlour.arena.compare`, and its result with tables and a report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from parlour.arena.matches.tally import judged_lines
from parlour.arena.reporting.games import write_games
from parlour.arena.reporting.report import RESULTS, TESTS, Reported, plotted, report_html, write_answer
from parlour.arena.reporting.summary import Summary, comparison_summary
from parlour.arena.reporting.terminal import WIDTH, text_of, trace_tables
from parlour.arena.runs.journal import open_run
from parlour.arena.runs.playing import Threads, Workers, play_plan, run_progress
from parlour.arena.setting.game_specs import OnPlayed, Played
from parlour.arena.setting.openings import AUTO, OpeningsLike
from parlour.arena.setting.rulesets import RulesetLike
from parlour.arena.study.comparison import ComparisonResult
from parlour.arena.study.findings import read_rank
from parlour.arena.study.plans import DEFAULT_GAMES, DEFAULT_SKILL, ComparisonPlan, plan_comparison
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES
from parlour.support.signed import signed


class Comparison(Reported, ComparisonResult):
    """The result of a comparison: see `parlour.arena.study.comparison.ComparisonResult` for its data."""

    def report(self, folder: str | Path) -> Path:
        """See `Reported`."""
        tables = {RESULTS: self.figure_rows(), TESTS: self.test_rows()}
        return write_answer(Path(folder), report_html(self), plotted(self), tables, self.summary)

    @property
    def summary(self) -> Summary:
        """See `Reported`."""
        return comparison_summary(self)

    @property
    def below(self) -> list[str]:
        """The skill trace if there is one, results without luck, and the players on the ladder."""
        judged = (series.key for series in self.plan.plan.series if series.judge)
        without_luck = [line for key, score in zip(judged, self.matches) for line in judged_lines(key, score)]
        rated = [
            textwrap.fill(
                f"on the ladder of {label}: {', '.join(f'{name} {signed(elo, 0)}' for name, elo in players.items())}",
                WIDTH,
            )
            for label, players in self.on_ladder.items()
        ]
        return [*text_of(trace_tables(self)).splitlines(), *without_luck, *rated]


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
    judge: str | None = None,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    rank: Sequence[str] | None = None,
    paired: bool = False,
    exact: str | Path | None = None,
    inputs: str = PLANES,
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
        seed, openings, workers, on_played, progress, inputs: as in `parlour.arena.match`.
        measures: keys or groups of measures, see ``docs/measures.md``; None for all.
        judge: in a game with dice, the player that values throws, so that results of games between two players are also
            given without their luck, as ``.matches``: see `parlour.arena.match`. None for none.
        folder: a folder for every finished game, the report and all tables. The same call resumes a run that was
            stopped, and a call with more games, players or variants adds to it.
        rank: the goals by which the summary ranks variants: "decided", "fair", "short" or "long", "skill", "choice";
            None for the first of them that are measured.
        paired: whether game k has the same seed, hence the same dice and random opening, in every variant and for every
            player. Variants with the same openings are then compared game by game, which finds smaller differences.
        exact: the folder of a table of `parlour.solve` for the measure ``regret``; ``{variant}`` in it stands for the
            variant's name. None for that of a player ``exact:FOLDER``, if one plays.
        **options: option values for all variants.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays an illegal action.
    """
    plan = plan_comparison(
        game, variants, players, skill, games, seed, options, openings, measures, trace, paired, exact, judge,
        inputs=inputs,
    )  # fmt: skip
    run = Path(folder) if folder else None
    return play_comparison(plan, workers or Threads(), run, on_played, progress, rank=read_rank(plan, rank))


def play_comparison(
    plan: ComparisonPlan,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    on_opened: Callable[[], None] = lambda: None,
    rank: Sequence[str] | None = None,
) -> Comparison:
    """Plays the games that ``folder`` does not have yet, measures, tests, and writes the report. ``on_opened`` is
    called when the folder's plan has been checked, before a bar is shown and anything is played."""
    played: list[Played] = []

    def on_finished(games: list[Played]) -> None:
        played.extend(one.without_moves() for one in games)
        on_played(games)

    with open_run(folder, plan.plan) as run:
        on_opened()
        with run_progress(plan.plan.games, folder, progress, on_finished) as bar:
            play_plan(plan.plan, workers, bar, run)
        result = Comparison(plan, played, rank)
        if folder:
            result.on_page = write_games(folder, result.notable)
            result.report(folder)
    return result
