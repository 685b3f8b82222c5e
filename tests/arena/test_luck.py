"""Results without the luck of the dice: without bias whatever the judge, intervals that hold, sequential tests that
keep their error rates; in matches, folders, and on the command line."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Threads, compare, explore, match, rate, tournament
from parlour.arena.matches.contests import SequentialTally
from parlour.arena.matches.tally import points_text
from parlour.arena.runs.journal import CONFIG
from parlour.arena.setting.openings import Openings
from parlour.arena.setting.plans import Series
from parlour.arena.setting.rulesets import read_ruleset
from parlour.arena.statistics import mean
from parlour.arena.statistics.control import FEWEST, RunningAdjustment, adjusted, worth
from parlour.arena.statistics.engine_testing import CONTINUE, Sprt
from parlour.interfaces.registry import find
from parlour.players.value import new_network, save
from tests.support.cases import sampled
from tests.support.command_line import Run, check_error

UR = "royal_ur-v0"
THROWS, STRONG = 12, 0.2

Judge = Callable[[NDArray[np.float64], int], NDArray[np.float64]]
"""What a position of the simulated game is worth to the first player, with so many throws left."""
UNKNOWING = np.random.default_rng(5).normal(size=4000)


def knowing(position: NDArray[np.float64], left: int) -> NDArray[np.float64]:
    """About right: who is ahead will win, and the more surely the fewer throws are left."""
    return np.asarray(np.tanh(position / (1.5 + 1.6 * math.sqrt(left))))


def noise(position: NDArray[np.float64], left: int) -> NDArray[np.float64]:
    """A number that says nothing, but always the same of the same position."""
    return np.asarray(UNKNOWING[(position.astype(np.int64) * 37 + left * 101) % len(UNKNOWING)])


JUDGES = {"knowing": knowing, "noise": noise}


def simulated(
    generator: np.random.Generator, pairs: int, skill: float, judge: Judge
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The scores (n,) of pairs of games, and the luck in them: of a game of twelve throws from −3 to 3, after each of
    which the first player gains a step with the probability ``skill``. Who is ahead at the end has won."""
    position, luck = np.zeros(2 * pairs), np.zeros(2 * pairs)
    for left in range(THROWS - 1, -1, -1):
        expected = sum(judge(position + faces, left) for faces in range(-3, 4)) / 7
        position += generator.integers(-3, 4, 2 * pairs)
        luck += judge(position, left) - expected
        position += generator.random(2 * pairs) < skill
    scores = (1 + np.sign(position)) / 2
    return scores.reshape(-1, 2).mean(axis=1), luck.reshape(-1, 2).mean(axis=1) / 2


def true_score(skill: float) -> float:
    """The probability of a win and half of that of a draw, exactly."""
    chances = np.zeros(12 * THROWS + 1)
    chances[len(chances) // 2] = 1
    for _ in range(THROWS):
        chances = sum((np.roll(chances, faces) for faces in range(-3, 4)), np.zeros_like(chances)) / 7
        chances = (1 - skill) * chances + skill * np.roll(chances, 1)
    middle = len(chances) // 2
    return float(chances[middle + 1 :].sum() + chances[middle] / 2)


@sampled("matches", 1000, 10_000)
@pytest.mark.parametrize("judge", JUDGES)
def test_adjusted_scores_have_no_bias_and_their_intervals_hold(judge: str, matches: int) -> None:
    """In simulated matches of 100 pairs: the bias is below 0.002 and chance (three standard errors), the intervals hold
    in 95 ± 1 % (and three standard errors), and the judge that knows nothing costs nothing."""
    generator, truth = np.random.default_rng(7), true_score(STRONG)
    scores, luck = simulated(generator, 100 * matches, STRONG, JUDGES[judge])
    found, held, gained = [], 0, []
    for own, lucky in zip(scores.reshape(matches, 100), luck.reshape(matches, 100)):
        without = adjusted(own, lucky)
        estimate = mean(without, 0.0, 1.0)
        found.append(estimate.value)
        held += estimate.covers(truth)
        gained.append(worth(own, without))
    chance = 3 * np.std(found) / math.sqrt(matches)
    assert abs(np.mean(found) - truth) < max(0.002, chance)
    assert abs(held / matches - 0.95) < 0.01 + 3 * math.sqrt(0.95 * 0.05 / matches)
    assert np.mean(gained) > (0.995 if judge == "noise" else 8)


@sampled("matches", 40, 1000)
@pytest.mark.parametrize("skill", [0.0, STRONG / 2])
def test_a_sequential_test_keeps_its_error_rates(skill: float, matches: int) -> None:
    """On adjusted scores, in the worst case: where H0, or H1, is exactly true. (With chance: three standard
    deviations.)"""
    score = true_score(STRONG / 2)
    test = Sprt(0, 400 * math.log10(score / (1 - score)))
    generator, wrong, alpha = np.random.default_rng(11), 0, test.alpha
    for _ in range(matches):
        running, seen, verdict = RunningAdjustment(), list[float](), CONTINUE
        for result, lucky in zip(*simulated(generator, 2000, skill, knowing)):
            seen.append(running.add(float(result), float(lucky)))
            verdict = test.verdict(test.log_likelihood_ratio([0] * 5, seen))
            if verdict != CONTINUE:
                break
        wrong += verdict == ("H1" if skill == 0 else "H0")
        assert verdict != CONTINUE
    assert wrong <= matches * alpha + 3 * math.sqrt(matches * alpha * (1 - alpha))


def test_a_sequential_test_takes_time_in_proportion_to_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look goes over all pairs so far: together over some dozens of times as many as there are, and over the last
    pair too."""
    looked: list[int] = []

    def look(test: Sprt, counts: object, scores: list[float]) -> float:
        looked.append(len(scores))
        return 0.0

    monkeypatch.setattr(Sprt, "log_likelihood_ratio", look)
    for pairs in (500, 8000):
        looked.clear()
        series = Series(read_ruleset(find(UR), None, {}), "a", "b", 2 * pairs, 0, Openings(), judge="champion")
        tally: Any = SequentialTally(series, Sprt(0, 5))
        tally.is_complete = lambda pair, pairs=pairs: pair < pairs
        tally.pair = lambda pair: (True, pair % 5, (pair,), pair)
        tally.pair_luck = lambda pair: 0.1
        tally._test_complete_pairs()
        assert looked[:64] == list(range(1, 65))
        assert looked[-1] == pairs == tally.pairs
        assert sum(looked) < 66 * pairs


def test_each_pair_is_adjusted_by_others_alone() -> None:
    """So what is subtracted is that pair's luck times a number that it has no part in."""
    generator = np.random.default_rng(3)
    scores, luck = simulated(generator, 40, 0.1, knowing)
    changed = luck.copy()
    changed[7] += 1
    before, after = adjusted(scores, luck), adjusted(scores, changed)
    slope = (scores - before)[7] / luck[7]
    assert (scores - after)[7] == pytest.approx(slope * changed[7])
    running = RunningAdjustment()
    one_by_one = [running.add(float(a), float(b)) for a, b in zip(scores, luck)]
    assert one_by_one[:FEWEST] == scores[:FEWEST].tolist()
    assert one_by_one[-1] == pytest.approx(before[-1])  # by all that came before: all others
    assert (adjusted(np.full(9, 0.5), luck[:9]) == 0.5).all()
    assert math.isnan(worth([1.0, 1.0], [1.0, 1.0]))


# --- matches ---


def test_a_match_without_luck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The raw result stays what it was; the same comes out of a folder, and on any number of threads."""
    monkeypatch.chdir(tmp_path)  # players' names seed the games: with tmp_path in one, each run has others
    save(new_network(find(UR), hidden=8, seed=2), tmp_path / "noise.value")
    ask: dict[str, Any] = {"first": "random", "second": "value:noise.value", "games": 60}
    raw = match(UR, judge="none", **ask)
    made = match(UR, folder=tmp_path / "run", **ask)
    assert (raw.judge, raw.adjusted.count) == ("", 0)
    assert (made.score, made.elo, made.pentanomial) == (raw.score, raw.elo, raw.pentanomial)
    assert made.judge == "champion"
    assert made.adjusted.count == 30
    assert made.adjusted.low < raw.score.value < made.adjusted.high
    assert math.isfinite(made.adjusted_elo.value)
    assert made.worth > 1
    assert made.points.count == 0  # a win is always one point
    assert "adjusted for luck (champion): score" in str(made)
    assert f"\n  that is as good as {made.worth:.1f} times as many games without it" in str(made)
    assert made.as_row()["adjusted"] == made.adjusted.value
    assert match(UR, folder=tmp_path / "run", workers=Threads(1), **ask) == made
    for judge in ("none", "value:noise.value"):
        with pytest.raises(ValueError, match="judge"):
            match(UR, folder=tmp_path / "run", judge=judge, **ask)


def test_a_folder_keeps_its_judge(tmp_path: Path) -> None:
    """A tournament has none, and may go on there."""
    ask: dict[str, Any] = {"games": 4, "folder": tmp_path / "run"}
    made = match(UR, "greedy", "random", **ask)
    tournament(UR, ["greedy", "random", "mcts:2"], **ask)
    config = json.loads((tmp_path / "run" / CONFIG).read_text())
    assert config["judge"] == made.judge == "champion"
    assert "judge champion" in config["identities"]


@pytest.mark.long
def test_points_without_luck() -> None:
    made = match("backgammon-v0", "greedy", "random", games=20)
    assert made.points.value > 1
    assert made.adjusted_points.count == 10
    assert "points a game" in str(made)


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ([3.0], "+3.000 [unknown]"),
        ([3.0] * 3, "+3.000 [the same in all 3]"),
        ([-1.0, 1.0] * 50, "0.000 [−0.199, +0.199]"),
    ],
)
def test_points_of_which_little_is_known(points: list[float], text: str) -> None:
    assert points_text(mean(points)) == text


def test_a_sequential_test_goes_by_results_without_luck(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"sprt": (0, 200), "games": 100, "confirm": 4}
    made = match(UR, "greedy", "random", folder=tmp_path / "run", **ask)
    assert made.sequential is not None
    assert (made.sequential.verdict, made.sequential.adjusted) == ("H1", True)
    assert made.sequential.ratio >= made.sequential.test.bounds[1]
    assert made.sequential.confirmation is not None
    assert made.sequential.confirmation.judge == "champion"
    assert "(α 0.05, β 0.05, adjusted for luck): H1 accepted" in str(made)
    assert match(UR, "greedy", "random", folder=tmp_path / "run", workers=Threads(1), **ask) == made


def test_a_judge_that_knows_nothing_changes_nothing_on_average(tmp_path: Path) -> None:
    save(new_network(find(UR), hidden=8, seed=2), tmp_path / "noise.value")
    made = match(UR, "greedy", "random", games=200, judge=f"value:{tmp_path / 'noise.value'}")
    assert made.adjusted.low < made.score.value < made.adjusted.high
    assert made.worth == pytest.approx(1, abs=0.1)


def test_the_file_of_a_judge_that_has_changed_is_noticed(tmp_path: Path) -> None:
    file, ask = tmp_path / "a.value", {"games": 4, "judge": f"value:{tmp_path / 'a.value'}"}
    save(new_network(find(UR), hidden=8, seed=2), file)
    match(UR, "greedy", "random", folder=tmp_path / "run", **ask)  # type: ignore[arg-type]
    save(new_network(find(UR), hidden=8, seed=3), file)
    with pytest.raises(ValueError, match="judge value:"):
        match(UR, "greedy", "random", folder=tmp_path / "run", **ask)  # type: ignore[arg-type]


def test_the_command(run: Run) -> None:
    ask = ("match", "royal_ur", "greedy", "random", "--games", 20)
    ran = run(*ask)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[2].startswith("score ")
    assert lines[3].startswith("adjusted for luck (champion): score ")
    assert "adjusted" not in run(*ask, "--judge", "none").out
    check_error(run(*ask, "--judge", "greedy"), "'greedy' can't judge throws", "exact:FOLDER")
    check_error(run("match", "checkers", "greedy", "random", "--judge", "champion"), "without dice")


def test_a_rating_without_luck(run: Run, tmp_path: Path) -> None:
    """Who stops at 64 games has played the same ones with a judge and without."""
    ask: dict[str, Any] = {"within": 200, "workers": Threads(1), "progress": False}
    raw, made = (rate(UR, "mcts:3", judge=judge, folder=tmp_path / str(judge), **ask) for judge in ("none", None))
    assert (raw.judge, raw.raw.count) == ("", 0)
    assert made.judge == "champion"
    assert made.games == raw.games == made.raw.count == 64
    assert (made.raw.value, made.raw.low, made.raw.high) == pytest.approx((raw.elo, raw.low, raw.high))
    assert 1 < made.worth < 20
    assert raw.low < made.low < made.elo < made.high < raw.high
    assert rate(UR, "mcts:3", folder=tmp_path / "None", **ask) == made
    shown = run("rate", "royal_ur", "mcts:3", "--within", 200, "--threads", 1).out
    assert "adjusted for luck (champion); without that: Elo " in shown
    assert f"that is as good as {made.worth:.1f} times as many games without it" in shown
    assert "as good as" not in str(replace(made, worth=math.nan))
    assert "luck" not in run("rate", "royal_ur", "mcts:3", "--within", 200, "--threads", 1, "--judge", "none").out
    check_error(run("rate", "checkers", "greedy", "--judge", "champion"), "without dice")


def test_a_tournament_without_luck(tmp_path: Path, run: Run) -> None:
    """The raw ratings stay what they were; those without luck are surer, and in all outputs."""
    players, ask = ["random", "mcts:2", "mcts:3"], {"games": 40, "workers": Threads(1), "progress": False}
    raw, made = tournament(UR, players, **ask), tournament(UR, players, judge="champion", folder=tmp_path, **ask)  # type: ignore[arg-type]
    assert made.ratings == raw.ratings
    assert raw.adjusted == {}
    for name, one in made.adjusted.items():
        assert one.low < made.ratings[name].value < one.high
        assert one.high - one.low < made.ratings[name].high - made.ratings[name].low
        assert one.count == 80
    assert sum(one.value for one in made.adjusted.values()) == pytest.approx(0, abs=1e-6)
    assert made.rating_rows()[0]["adjusted"] == made.adjusted[made.names[0]].value
    assert str(made).count("adjusted for luck") == 6  # players and pairings
    shown = run("tournament", "royal_ur", *players, "--games", 40, "--judge", "champion", "--out", tmp_path).out
    assert shown.count("adjusted for luck (champion): score") == 3


def test_an_exploration_without_luck(tmp_path: Path) -> None:
    """The finalists' new games, as of a match; what is explored and chosen stays what it was."""
    ask: dict[str, Any] = {
        "options": {"max_plies": [900, 700, 800]}, "goals": ["skill:max"], "skill": ("random", "greedy"), "games": 4,
        "finalists": 1, "final": 12, "workers": Threads(1), "progress": False,
    }  # fmt: skip
    raw, made = (explore(UR, judge=judge, folder=tmp_path / str(judge), **ask) for judge in (None, "champion"))
    assert raw.matches == {}
    (number,) = made.matches
    assert made.finalists[0].number == raw.finalists[0].number == number
    assert made.matches[number].score.value == pytest.approx(1 - made.finalists[0].estimates["skill"].value)
    assert made.matches[number].adjusted.count == 6
    assert f"combination {number}, random against greedy: score" in str(made)
    assert explore(UR, judge="champion", folder=tmp_path / "champion", **ask).matches == made.matches


def test_a_comparison_without_luck(tmp_path: Path) -> None:
    """The games of the weaker against the stronger player, as of a match; its figures stay what they were."""
    ask: dict[str, Any] = {"variants": ["finkel", "blitz"], "players": [], "skill": ("random", "greedy"), "games": 8}
    raw, made = compare(UR, **ask), compare(UR, judge="champion", folder=tmp_path / "run", **ask)
    assert raw.matches == []
    assert [score.judge for score in made.matches] == ["champion"] * 2
    assert [score.adjusted.count for score in made.matches] == [4, 4]
    assert made.figure_rows() == raw.figure_rows()
    assert str(made).count("adjusted for luck (champion)") == 2
    assert compare(UR, judge="champion", folder=tmp_path / "run", **ask).matches == made.matches
