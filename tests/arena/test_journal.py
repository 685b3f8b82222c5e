"""A run's folder: nothing finished is lost, nothing foreign is touched, damage is told by its line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.arena.fixtures import Played
from parlour.arena.journal import Folder, count_kept, read_config, read_journal
from parlour.files import UNFINISHED
from tests.support.faults import EVERY_BYTE, damaged, disk_full_from, run_and_kill, tree

CONFIG = {"kind": "match", "seed": 3}


def game(number: int) -> Played:
    return Played(number, (1.0, -1.0), "capture", False, 10 + number, 200, 1, 2, (3, 0))


def journal_of(folder: Path, *numbers: int) -> Path:
    with Folder(folder, CONFIG, 5) as run:
        run.note(game(number) for number in numbers)
    return folder / "journal.jsonl"


def test_what_was_noted_is_there_again(tmp_path: Path) -> None:
    journal_of(tmp_path / "run", 2, 0)
    with Folder(tmp_path / "run", CONFIG, 5) as run:
        assert run.played == {2: game(2), 0: game(0)}
        run.note([game(4)])
    assert list(read_journal(tmp_path / "run" / "journal.jsonl", 5)) == [2, 0, 4]
    assert read_config(tmp_path / "run" / "config.json").value == CONFIG


def test_whole_lines_are_kept(tmp_path: Path) -> None:
    assert count_kept(tmp_path) == 0
    file = journal_of(tmp_path, 0, 1)
    assert count_kept(tmp_path) == 2
    file.write_bytes(file.read_bytes()[:-1])
    assert count_kept(tmp_path) == 1


def test_a_half_written_last_line_is_taken_out(tmp_path: Path) -> None:
    file = journal_of(tmp_path, 0, 1)
    whole = file.read_bytes()
    for cut in (1, 20, whole.index(b"\n") - 1):
        file.write_bytes(whole[:-cut])
        with Folder(tmp_path, CONFIG, 5) as run:
            assert list(run.played) == [0]
            run.note([game(1)])
        assert file.read_bytes() == whole


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda line: b"{]", "not a game"),
        (lambda line: b"[1]", "a game has number, returns"),
        (lambda line: line.replace(b'"end"', b'"ends"'), "a game has number, returns"),
        (lambda line: line.replace(b'"plies": 11', b'"plies": "11"'), "'plies' is '11'"),
        (lambda line: line.replace(b"-1.0", b"null"), "are numbers"),
        (lambda line: line.replace(b'"number": 1', b'"number": 5'), "game 5 is not in the plan, which has 0 to 4"),
        (lambda line: line.replace(b'"number": 1', b'"number": 0'), "game 0 stands here a second time"),
    ],
)
def test_other_damage_is_refused_with_its_line(tmp_path: Path, damage, said: str) -> None:  # type: ignore[no-untyped-def]
    file = journal_of(tmp_path, 0, 1, 2)
    lines = file.read_bytes().splitlines()
    assert damage(lines[1]) != lines[1]
    file.write_bytes(b"\n".join([lines[0], damage(lines[1]), lines[2], b""]))
    before = file.read_bytes()
    with pytest.raises(ValueError, match="line 2: ") as caught:
        Folder(tmp_path, CONFIG, 5)
    assert said in str(caught.value)
    assert str(file) in str(caught.value)
    assert file.read_bytes() == before


def test_another_plan_is_refused(tmp_path: Path) -> None:
    journal_of(tmp_path, 0)
    with pytest.raises(ValueError, match="holds a run with seed 3, not 4"):
        Folder(tmp_path, {**CONFIG, "seed": 4}, 5)
    with pytest.raises(ValueError, match="holds a run with games None, not 7"):
        Folder(tmp_path, {**CONFIG, "games": 7}, 5)
    (tmp_path / "config.json").write_text("[")
    with pytest.raises(ValueError, match=r"config\.json, line 1: not JSON"):
        Folder(tmp_path, CONFIG, 5)


def test_a_run_that_was_killed_before_its_plan_was_written_can_be_begun_again(tmp_path: Path) -> None:
    (tmp_path / f"{UNFINISHED}1234-config.json").write_text('{"ki')
    (tmp_path / "lock").touch()
    with Folder(tmp_path, CONFIG, 5) as run:
        run.note([game(0)])
    assert sorted(os.listdir(tmp_path)) == ["config.json", "journal.jsonl", "lock"]


OPENING = """
import sys
from pathlib import Path
from tests.arena.test_journal import CONFIG, Folder
print("ready", flush=True)
for number in range(10_000):
    Folder(Path(sys.argv[1]) / str(number), CONFIG, 5).close()
"""


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_no_moment_of_a_kill_locks_a_folder(kills: int, tmp_path: Path) -> None:
    for kill in range(kills):
        run_and_kill(OPENING, tmp_path / str(kill), delay=0.01 + 0.0037 * (kill % 23))
        for folder in (tmp_path / str(kill)).iterdir():
            Folder(folder, CONFIG, 5).close()
            assert sorted(os.listdir(folder)) == ["config.json", "journal.jsonl", "lock"]


def test_a_full_disk_leaves_no_half_of_a_plan(tmp_path: Path) -> None:
    for call in range(4):
        with disk_full_from(call), pytest.raises(OSError, match="No space left"):
            Folder(tmp_path, CONFIG, 5)
        assert set(tree(tmp_path).values()) <= {b""}  # the lock
        assert UNFINISHED not in str(tree(tmp_path))
    Folder(tmp_path, CONFIG, 5).close()


@EVERY_BYTE
def test_a_damaged_plan_is_refused(cases: int | None, tmp_path: Path) -> None:
    """Whatever byte of it is cut or flipped, but for those that change nothing."""
    folder = tmp_path / "run"
    Folder(folder, CONFIG, 5).close()
    whole = tree(folder)
    refused = 0
    for content in damaged(whole["config.json"], cases):
        (folder / "config.json").write_bytes(content)
        try:
            Folder(folder, CONFIG, 5).close()
        except ValueError as error:
            assert str(error).startswith(str(folder))
            refused += 1
        else:
            assert json.loads(content) == CONFIG
        assert tree(folder) == {**whole, "config.json": content}
    assert refused > 0.9 * (cases or 9 * len(whole["config.json"]))


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000])
def test_a_deep_plan_is_refused(content: str, tmp_path: Path) -> None:
    Folder(tmp_path, CONFIG, 5).close()
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(ValueError, match=r"config\.json, line 1: .*deep"):
        Folder(tmp_path, CONFIG, 5)


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ValueError, match=r"holds 'thesis\.tex' and no config\.json"):
        Folder(tmp_path, CONFIG, 5)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        Folder(tmp_path / "file", CONFIG, 5)


def test_two_runs_into_one_folder_are_refused(tmp_path: Path) -> None:
    """Another process holds the folder, and lets go of it when it is killed."""
    program = (
        "import sys, time; from pathlib import Path; from parlour.arena.journal import Folder\n"
        f"run = Folder(Path(sys.argv[1]), {json.dumps(CONFIG)}, 5)\nprint('open', flush=True)\ntime.sleep(600)"
    )
    other = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ValueError, match="another run is writing to this folder"):
            Folder(tmp_path, CONFIG, 5)
    finally:
        other.kill()
        other.wait()
    Folder(tmp_path, CONFIG, 5).close()
