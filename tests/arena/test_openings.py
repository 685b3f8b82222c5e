"""Openings: what is read and refused, that both games of a pair have the same, and where they are used by default."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import parlour
from parlour.arena import Threads, compare, match
from parlour.arena.matches.contests import plan_contest
from parlour.arena.matches.tally import Tally, counted_units
from parlour.arena.runs.journal import read_run
from parlour.arena.setting.openings import AUTOMATIC_PLIES, OpeningChoice, Openings, read_openings
from parlour.arena.setting.plans import Played
from parlour.arena.setting.rulesets import read_ruleset
from parlour.arena.study.plans import SavedComparison
from parlour.interfaces.registry import find
from parlour.players import parse_players
from parlour.records import read_records, record_game, replay, write_records
from parlour.support.typed_json import read_json
from tests.arena.made_up import finished, play, series
from tests.support.command_line import Run, check_error, words
from tests.support.networks import constant_network

CHECKERS = "checkers-v0"


def positions(count: int, game: str = CHECKERS, plies: int = 5) -> list[str]:
    """Positions of random games."""
    env, texts = parlour.make(game), list[str]()
    for seed in range(count):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(plies):
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        texts.append(env.unwrapped.position())
    return texts


def first_legal(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


def last_legal(observation: Any, mask: Any) -> Any:
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


first_legal.version = last_legal.version = "1"  # type: ignore[attr-defined]


# --- what may be asked for ---


def test_openings_are_read_and_written(tmp_path: Path) -> None:
    game = find(CHECKERS)
    rulesets = [read_ruleset(game, variant.name, {}) for variant in game.variants]
    texts = positions(3)
    (tmp_path / "book.txt").write_text("# five plies\n\n" + "\n".join(texts) + "\n")
    drawn = tuple(texts[k] for k in np.random.default_rng(0).permutation(3))
    expected = {
        "auto": None, "none": Openings(), "random:8": Openings(8), str(tmp_path / "book.txt"): Openings(0, drawn)
    }  # fmt: skip
    for text, openings in expected.items():
        choice = read_openings(text, game, rulesets)
        assert choice == OpeningChoice(openings)
        assert read_openings(choice.as_config(), game, rulesets, seed=5) == choice
    assert read_openings(texts, game, rulesets, seed=5).openings == Openings(0, tuple(texts))
    assert [Openings(0, tuple(texts)).position(k) for k in range(4)] == [*texts, texts[0]]


@pytest.mark.parametrize(
    ("openings", "said"),
    [
        ("random", "1 to 1000"),
        ("random:0", "1 to 1000"),
        ("random:1001", "1 to 1000"),
        ("random:-1", "1 to 1000"),
        ("random:٣", "1 to 1000"),
        ("auto:9", "0 to 8"),
        ("sicilian", "no openings 'sicilian', and no such file; valid: auto, none, random:PLIES"),
        ([], "hold no position"),
        (["nonsense"], "position 1, under american: "),
        (["W:W1:B2", "B:W32:B31"], "position 1, under american: "),
    ],
)
def test_openings_that_are_refused(openings: Any, said: str) -> None:
    game = find(CHECKERS)
    with pytest.raises(ValueError) as caught:
        read_openings(openings, game, [read_ruleset(game, "american", {})])
    assert said in str(caught.value)


def test_a_position_that_is_not_valid_is_told_by_its_line(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text(f"# mine\n{positions(1)[0]}\nhello\n")
    ran = run("match", "checkers", "greedy", "random", "--games", 2, "--openings", book)
    check_error(ran, f"{book}, line 3, under american", "hello")


def test_a_position_that_is_over_is_refused() -> None:
    env = parlour.make(CHECKERS, max_plies=3)
    env.reset(seed=0)
    while env.agents and not any(env.truncations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    text = env.unwrapped.position()
    game = find(CHECKERS)
    with pytest.raises(ValueError, match="position 1, under american: the game is over"):
        read_openings([text], game, [read_ruleset(game, "american", {"max_plies": 3})])


# --- files of games ---

FIRST, SECOND = "11-15 23-18 8-11 27-23", "11-15 23-18 8-11 26-23"
GAMES = (FIRST, SECOND, "11-15 23-19", FIRST)
FENS = ("B:W21,22,30:B1,2,3", "W:W21,22,30:B1,2,3", "B:WK5,22:B1,K2")


def archive(file: Path, fens: Sequence[str] = ()) -> Path:
    """Four games as PDN, two of them alike and one short; then games without a move from positions."""
    games = [f'[Event "{name}"]\n[Result "*"]\n\n{moves} *\n' for name, moves in enumerate(GAMES)]
    games += [f'[Event "{fen}"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Result "*"]\n\n*\n' for fen in fens]
    file.write_text("\n".join(games), encoding="utf-8")
    return file


def test_positions_of_games_are_openings(tmp_path: Path) -> None:
    """Those that games begin from, or those after some plies; each once, and none where the game is over by then."""
    game, file = find(CHECKERS), archive(tmp_path / "a.pdn", FENS)
    rulesets = [read_ruleset(game, "american", {})]

    def read(openings: str, seed: int = 0) -> list[str]:
        choice = read_openings(openings, game, rulesets, seed=seed).openings
        assert choice is not None
        return list(choice.positions)

    env = parlour.make(CHECKERS)
    env.reset()
    for move in SECOND.split():
        env.step(env.unwrapped.parse_move(move))
    assert {text.split()[0] for text in read(str(file))} == set(FENS)
    after = read(f"{file}:4")
    assert len(after) == 2
    assert env.unwrapped.position().split()[0] in {text.split()[0] for text in after}
    assert len(read(f"{file}:2")) == 2
    assert {tuple(read(str(file), seed)) for seed in range(20)} == set(itertools.permutations(read(str(file))))
    write_records(tmp_path / "a.jsonl", read_records(file))
    assert read(f"{tmp_path / 'a.jsonl'}:4") == after


def test_what_files_of_games_do_not_give(tmp_path: Path) -> None:
    game, file = find(CHECKERS), archive(tmp_path / "a.pdn")
    (tmp_path / "book.txt").write_text(positions(1)[0])
    other = write_other_game(tmp_path / "ur.jsonl")
    for openings, said in (
        (str(file), f"openings {file}: no game begins from a position; {file}:8 takes the positions after 8 plies"),
        (f"{file}:9", f"openings {file}: no game goes on after 9 plies"),
        (f"{file}:0", "the plies of its games are 1 to 1000"),
        (f"{file}:x", f"there are no openings '{file}:x', and no such file; valid: "),
        (f"{tmp_path / 'no.pdn'}:8", "and no such file; valid: "),
        (f"{tmp_path / 'book.txt'}:8", "holds positions, so there are no plies to be played"),
        (f"{other}:1", f"{other}, game 1 is a game of royal_ur-v0, not of checkers-v0"),
    ):
        with pytest.raises(ValueError) as caught:
            read_openings(openings, game, [read_ruleset(game, "american", {})])
        assert said in str(caught.value)


def write_other_game(file: Path) -> Path:
    players = parse_players("random", 2)
    write_records(file, [record_game(parlour.make("royal_ur-v0", men=1).unwrapped, players, 0)])
    return file


def test_the_seed_draws_positions_and_the_result_says_which(run: Run, tmp_path: Path) -> None:
    """The same command resumes the run; another seed plays other positions."""
    file = archive(tmp_path / "a.pdn", FENS)
    command = ["match", "checkers", "greedy", "random", "--games", 4, "--openings", file]
    begun = []
    for seed in (3, 4):
        folder = tmp_path / f"run {seed}"
        ran = [run(*command, "--seed", seed, "--out", folder) for _ in range(2)]
        assert [one.status for one in ran] == [0, 0], ran
        assert all(f"from 2 of 3 positions of {file}, drawn by seed {seed}," in words(one.out) for one in ran)
        begun.append(sorted(record.position for _, record in read_run(folder)))
        saved = json.loads((folder / "config.json").read_text())["openings"]
        assert begun[-1] == sorted(2 * saved[:2])
    assert begun[0] != begun[1]
    assert Openings(0, ("a", "b"), "of f, drawn by seed 1").among(2) == "2 positions of f, drawn by seed 1"
    assert Openings(0, ("a", "b", "c")).among(2) == "3 positions in turn"


# --- what is played ---


def test_both_games_of_a_pair_begin_at_their_position() -> None:
    texts = tuple(positions(3))
    one = series("checkers", "greedy", "random", 8, openings=Openings(0, texts))
    games = play("checkers", one, workers=Threads(2))
    assert [played.spec.position for played in games] == [texts[k // 2 % 3] for k in range(8)]
    env = parlour.make(CHECKERS, illegal_move="raise")
    for played in games:
        env.reset(seed=played.spec.seed, options={"position": played.spec.position})
        for action in played.moves.tolist():
            env.step(action)
        assert list(env.rewards.values()) == list(played.returns)
        assert len(played.moves) == played.plies


@pytest.mark.parametrize("game", ["checkers", "acey_ducey"])
@pytest.mark.parametrize("kind", ["random", "positions"])
def test_games_with_openings_are_replayed(game: str, kind: str, tmp_path: Path) -> None:
    """In a game with dice, too: the dice go on from the seed, the position being set."""
    openings = "random:6" if kind == "random" else positions(2, find(game).id)
    match(find(game).id, "greedy", "random", games=4, openings=openings, folder=tmp_path)
    again = match(find(game).id, "greedy", "random", games=4, openings=openings, folder=tmp_path)
    assert again.games == 4
    records = list(read_run(tmp_path))
    assert len(records) == 4
    for number, record in records:
        assert len(list(replay(record, f"game {number}"))) == len(record.moves) + 1


def test_random_openings_are_used_between_deterministic_players_alone() -> None:
    def openings(game: str, first: Any, second: Any, asked: str = "auto") -> Openings:
        plan = plan_contest(find(game), {"first": first, "second": second}, [], 4, None, 0, {}, asked)
        return plan.series[0].openings

    assert openings("checkers", first_legal, last_legal) == Openings(AUTOMATIC_PLIES)
    assert openings("checkers", "expectimax:1", "expectimax:2") == Openings(AUTOMATIC_PLIES)
    assert openings("checkers", first_legal, last_legal, "none") == Openings()
    assert openings("checkers", first_legal, "random") == Openings()
    assert openings("checkers", "mcts:5", "mcts:6") == Openings()
    assert openings("acey_ducey", first_legal, last_legal) == Openings()
    assert openings("acey_ducey", first_legal, last_legal, "random:3") == Openings(3)


@pytest.mark.parametrize("variant", ["usual", "misere"])
def test_automatic_openings_fit_a_short_game(run: Run, tmp_path: Path, variant: str) -> None:
    """So that games count: `misere` had none whose random opening was shorter than the game."""
    command = ["--import", "examples.games.tic_tac_toe", "match", "tic_tac_toe", "expectimax:2", "expectimax:3"]
    ran = run(*command, "--variant", variant, "--games", 20, "--out", tmp_path / "run")
    assert (ran.status, ran.err) == (0, "")
    assert "games from 4 random plies, since games are short" in ran.out
    assert json.loads((tmp_path / "run" / "config.json").read_text())["openings"] == "auto:4"


def test_one_number_of_plies_fits_all_variants_and_is_saved(tmp_path: Path) -> None:
    parlour.register("examples.games.tic_tac_toe")
    ask: dict[str, Any] = {"workers": Threads(1), "progress": False, "seed": 1}
    found = compare("tic_tac_toe-v0", players=["expectimax:2"], games=20, skill=None, folder=tmp_path, **ask)
    assert {one.openings for one in found.plan.plan.series} == {Openings(4, short=True)}
    assert "begin with 4 random plies, since games are short." in words(str(found))
    saved = read_json(tmp_path / "config.json", SavedComparison)
    assert saved.openings == "auto:4"
    assert saved.plan("config").as_config() == found.plan.as_config()
    old = msgspec.structs.replace(saved, openings="auto").plan("config")
    assert {one.openings for one in old.plan.series} == {Openings(AUTOMATIC_PLIES)}
    assert old.as_config()["openings"] == "auto"


# --- what is counted ---


def test_identical_games_are_counted_once(run: Run) -> None:
    """Two games are all that these two can play without openings; with them, every pair may be another."""
    same = match(CHECKERS, first_legal, last_legal, games=40, openings="none")
    assert (same.games, same.duplicates, same.in_opening) == (2, 38, 0)
    assert same.wins + same.draws + same.losses == 2
    assert same.score.count == 1
    assert same.score.high - same.score.low > 0.5
    assert "38 of 40 games are the same as others, move for move" in str(same)
    other = match(CHECKERS, first_legal, last_legal, games=40)
    assert other.games + other.duplicates == 40
    assert other.games > 30
    assert other.openings == "8 random plies"


def test_games_with_chance_are_all_counted() -> None:
    """However many come out the same: they are independent."""
    made = match("swords_and_shields-v0", "random", first_legal, games=40, max_plies=1)
    assert (made.games, made.duplicates) == (40, 0)
    dice = match("acey_ducey-v0", first_legal, last_legal, games=4, max_plies=1)
    assert (dice.games, dice.duplicates) == (4, 0)


def test_games_that_end_within_their_opening_are_not_counted() -> None:
    one = series(games=6, openings=Openings(3))
    specs, tally = list(one.specs()), Tally(one)
    longer = (1, 2, 3, 4)
    games: list[Played] = [
        finished(specs[0], 1, -1, moves=longer), finished(specs[1], 1, -1, moves=longer),
        finished(specs[2], 1, -1), finished(specs[3], 1, -1),
        finished(specs[4], -1, 1, moves=longer), finished(specs[5], 1, -1),
    ]  # fmt: skip
    for played in games:
        tally.add(played)
    made = tally.score()
    assert (made.games, made.in_opening, made.duplicates) == (2, 4, 0)
    assert "4 of 6 games ended within their random opening" in str(made)
    units, notes = counted_units(one, games)
    assert units == [(games[0], games[1]), None, None]
    assert notes == made.notes


def test_pairs_are_the_same_only_if_both_games_are() -> None:
    one = series(games=6, distinct=True)
    specs, tally = list(one.specs()), Tally(one)
    for spec, moves in zip(specs, ((1, 2), (3, 4), (1, 2), (3, 5), (1, 2), (3, 4))):
        tally.add(finished(spec, 1, -1, moves=moves))
    made = tally.score()
    assert (made.games, made.duplicates) == (4, 2)
    assert made.pentanomial == (0, 0, 2, 0, 0)


@pytest.mark.filterwarnings("error::RuntimeWarning")  # of lengths that are not counted
def test_compare_says_which_games_it_did_not_count(run: Run, tmp_path: Path) -> None:
    """Before, it found differences between variants whose games were one game, played over and over."""
    layout = find(CHECKERS).layout(find(CHECKERS).resolve(None, {})[1])
    logits = np.random.default_rng(1).normal(size=(2, layout.actions)).tolist()
    one, other = (constant_network(tmp_path / f"{k}.onnx", layout.shape, logits[k]) for k in range(2))
    ask = (
        "compare", "checkers", "--players", f"policy:{one}", "--skill", f"policy:{one},policy:{other}", "--games", 12,
        "--out",
    )  # fmt: skip
    ran = run(*ask, tmp_path / "none", "--openings", "none")
    assert ran.status == 0, ran.err
    assert "are the same as others, move for move, and are not counted" in " ".join(ran.out.split())
    report = (tmp_path / "none" / "report.html").read_text(encoding="utf-8")
    assert "move for move, and are not counted" in report
    assert "Openings: the start of the game." in report
    assert run(*ask, tmp_path / "auto").status == 0
    assert "Openings: 8 random plies." in (tmp_path / "auto" / "report.html").read_text(encoding="utf-8")
