"""The command ``replay``: games of a file are shown, stepped through and verified."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

import parlour
from parlour.cli.replay import step_through
from parlour.players import parse_players
from parlour.players.people.board import for_people
from parlour.records import read_records, record_game, replay, write_records
from tests.records.test_records import line_of, short_game
from tests.support.command_line import Run, check_error, check_refused

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")


def test_a_replay_is_stepped_through(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "", "b", "3", "x", "e", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    screen = Console(file=io.StringIO(), width=80)
    assert step_through([f"board {ply}" for ply in range(6)], screen)
    shown = re.findall(r"board (\d)", screen.file.getvalue())  # type: ignore[attr-defined]
    assert shown == ["0", "1", "2", "1", "3", "3", "5"]
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    assert not step_through(["board"], screen)


@pytest.fixture
def two_games(tmp_path: Path) -> Path:
    """A short game of Swords & Shields, and one of Pig."""
    path = tmp_path / "games.jsonl"
    pig = record_game(parlour.make("pig-v0", variant="strict"), parse_players("greedy", 3), 5)
    write_records(path, [short_game(), pig])
    return path


def test_replay_shows_and_verifies(run: Run, two_games: Path) -> None:
    ran = run("replay", two_games)
    assert (ran.status, ran.err) == (0, "")
    place = 0
    for line, record in enumerate(read_records(two_games), 1):
        for ply, env in enumerate(replay(record, "here")):
            if ply:
                place = ran.out.index(f"ply {ply}: {record.moves[ply - 1]}\n", place)
            place = ran.out.index(for_people(env.ansi()), place)
        verified = f"{two_games}, line {line}: verified, {record.game} {record.variant}, {len(record.moves)} plies, "
        place = ran.out.index(verified + record.end, place)
    assert ran.out.count("verified") == 2


def test_replay_quietly(run: Run, two_games: Path) -> None:
    ran = run("replay", two_games, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) == 2
    for line, text in enumerate(lines, 1):
        assert text.startswith(f"{two_games}, line {line}: verified, ")


def test_replay_of_one_game(run: Run, two_games: Path) -> None:
    whole = run("replay", two_games).out
    parts = [run("replay", two_games, "--game", number) for number in (1, 2)]
    assert "".join(part.out for part in parts) == whole
    assert "pig-v0" not in parts[0].out
    assert "swords_and_shields-v0" not in parts[1].out
    check_refused(run("replay", two_games, "--game", 3), two_games, "2 games", "no game 3")
    check_refused(run("replay", two_games, "--game", 0), "--game", ">=1")
    with two_games.open("a") as file:
        file.write(line_of(short_game(), end="escape") + "\n")
    assert run("replay", two_games, "--game", 2) == parts[1]  # another game's fault is not this one's
    check_error(run("replay", two_games, "--game", 3, "--quiet"), "line 3")
    with two_games.open("a") as file:
        file.write("nonsense\n")
    assert run("replay", two_games, "--game", 2) == parts[1]
    check_refused(run("replay", two_games, "--game", 4), "line 4", "not valid JSON")


def test_others_are_shown_beside_a_game_that_is_not_true(run: Run, tmp_path: Path) -> None:
    moves = short_game().moves
    path = tmp_path / "games.jsonl"
    path.write_text(f"{short_game().line()}\n{line_of(short_game(), moves=[*moves[:3], 'e5-a9', *moves[4:]])}\n")
    ran = run("replay", path)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith(f"parlour: left out: {path}, line 2, ply 4: 'e5-a9'")
    assert ran.out.endswith(": 1 of 2 games left out\n")
    check_error(run("replay", path, "--strict"), f"{path}, line 2, ply 4: ", "'e5-a9'")
    assert ran.out.count("verified") == 1
    assert ran.out.count("ply 3: ") == 2
    assert ran.out.count("ply 4: ") == 1


def test_what_is_left_out_is_not_written(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "out.jsonl"
    path.write_text(f"{short_game().line()}\nnonsense\n{line_of(short_game(), end='escape')}\n")
    ran = run("replay", path, "--out", out)
    assert (ran.status, ran.err.count("left out: ")) == (1, 2)
    assert ran.out.endswith(f"wrote {out}\n{path}: 2 of 3 games left out\n")
    assert read_records(out) == [short_game()]
    out.unlink()
    check_refused(run("replay", path, "--out", out, "--strict"), f"{path}, line 2: not valid JSON")
    assert not out.exists()


def test_a_file_of_which_nothing_is_left(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("a\nb\n")
    check_refused(run("replay", path), f"{path}, line 1: not valid JSON", "2 games, none of which can be read")
    path.write_text(2 * (line_of(short_game(), end="escape") + "\n"))
    ran = run("replay", path, "--quiet")
    assert (ran.status, ran.err.count("\n"), ran.out) == (2, 3, "")
    none = tmp_path / "games.json"
    none.write_text("[]")
    check_refused(run("replay", none), f"{none}: there are no games in it")


def test_a_game_behind_a_blank_line_is_named_by_its_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{short_game().line()}\n\n{short_game().line()}\n")
    assert run("replay", path, "--quiet", "--game", 2).out.startswith(f"{path}, line 3: verified")


FIELD = Path(__file__).parents[1] / "games" / "checkers" / "field"


def test_games_of_others(run: Run, tmp_path: Path) -> None:
    """Of a file with one bad game the others are shown, also one alone; notes are told."""
    path = FIELD / "02_one_bad_of_three.pdn"
    ran = run("replay", path, "--quiet")
    assert (ran.status, ran.out.count("verified")) == (1, 2)
    assert ran.out.endswith(f"{path}: 1 of 3 games left out\n")
    assert f"{path}, game 2, line 5: '23-20' is not legal" in ran.err
    for number in (1, 3):
        ran = run("replay", path, "--quiet", "--game", number)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(f"{path}, game {number}: verified")
    check_refused(run("replay", path, "--game", 2), f"{path}, line 5: '23-20' is not legal")
    check_refused(run("replay", path, "--strict"), f"{path}, line 5: '23-20' is not legal")
    check_refused(run("replay", FIELD / "18_ten_by_ten.pdn"), "10 × 10")
    assert "Latin-1" in run("replay", FIELD / "10_latin1.pdn", "--quiet").err
    assert "game 1, line 1: it has tags alone" in run("replay", FIELD / "09_tag_twice.pdn", "--quiet").err
