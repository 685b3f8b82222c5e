"""A run's folder: nothing finished is lost, nothing foreign is touched, damage is found wherever it is."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.toy_games.pig  # noqa: F401
from parlour.arena import Threads
from parlour.arena.matches.contests import plan_contest, play_contest
from parlour.arena.runs.journal import (
    CONFIG,
    JOURNAL,
    Folder,
    count_saved,
    pack_moves,
    read_config,
    unpack_moves,
)
from parlour.arena.runs.playing import play_plan
from parlour.arena.setting.plans import Plan, Played
from parlour.interfaces.registry import find
from parlour.support.files import UNFINISHED
from parlour.support.locks import LOCK
from tests.support.faults import EVERY_BYTE, damaged, disk_full_from, run_and_kill, tree

GAMES = 6


def plan(games: int = GAMES, players: tuple[str, ...] = ("greedy", "random"), seed: int = 3, **options: Any) -> Plan:
    """A short match of Pig."""
    named = {name: name for name in players}
    return plan_contest(find("pig"), named, [], games, None, seed, {"goal": 12, **options})


def play(folder: Path, games: Plan | None = None) -> list[Played]:
    """Plays a plan in a folder: all its games, in their order."""
    found: list[Played] = []
    play_plan(games or plan(), Threads(1), found.extend, folder)
    return sorted(found, key=lambda played: (played.spec.series, played.spec.index))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run that is complete."""
    play(tmp_path / "run")
    return tmp_path / "run"


def resealed(line: bytes, **changes: Any) -> bytes:
    """A line with other entries, and with the checksum that belongs to them."""
    content = json.loads(line)
    content.update(changes)
    del content["crc32"]
    body = json.dumps(content, ensure_ascii=False).encode()[:-1]
    return b'%s, "crc32": "%08x"}' % (body, zlib.crc32(body))


# --- what it keeps ---


def test_games_are_there_again_as_they_were(tmp_path: Path) -> None:
    first = play(tmp_path)
    journal = (tmp_path / JOURNAL).read_bytes()
    again = play(tmp_path)
    assert again == first
    assert all((a.moves == b.moves).all() for a, b in zip(first, again))
    assert (tmp_path / JOURNAL).read_bytes() == journal
    assert count_saved(tmp_path) == GAMES
    assert read_config(tmp_path / CONFIG) == plan().config


def test_a_row_stands_on_its_own(folder: Path) -> None:
    row = json.loads((folder / JOURNAL).read_bytes().splitlines()[0])
    assert row["number"] == 1
    assert (row["game"], row["variant"], row["options"]) == ("pig-v0", "pig", {"goal": 12})
    assert len(row["players"]) == len(row["seats"]) == len(row["returns"]) == 3
    assert set(row["players"]) == {"greedy", "random"}
    assert set(row["events"]) == {"held", "turn_lost"}
    assert sum(row["events"].values()) <= row["plies"]
    assert (row["random_plies"], row["position"]) == (0, "")
    assert len(unpack_moves(row["moves"], row["plies"])) == row["plies"]


def test_moves_go_through_text_unchanged() -> None:
    moves = np.array([0, 1, 65535, 7], np.int32)
    assert unpack_moves(pack_moves(moves), 4).tolist() == moves.tolist()


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("", 1),
        ("%%", 1),
        (base64.b64encode(b"\x03" + zlib.compress(b"ab")).decode(), 1),
        (base64.b64encode(b"\x02ab").decode(), 1),
        (pack_moves(np.array([1, 2])), 1),
        (pack_moves(np.array([1, 2])), 3),
        (base64.b64encode(b"\x02" + zlib.compress(bytes(10**7), 9)).decode(), 4),
        (base64.b64encode(b"\x02" + zlib.compress(b"ab") + b"more").decode(), 1),
        (base64.b64encode(b"\x02" + zlib.compress(b"ab")[:-2]).decode(), 1),
    ],
)
def test_other_texts_are_no_moves(text: str, plies: int) -> None:
    with pytest.raises(ValueError, match="are not "):
        unpack_moves(text, plies)


# --- damage ---


@EVERY_BYTE
def test_no_damaged_journal_is_accepted(cases: int | None, folder: Path) -> None:
    """A byte flipped anywhere is found, with its line. A journal that was cut is resumed from its last whole line, and
    the games are the same."""
    whole, games = tree(folder), play(folder)
    journal = whole[JOURNAL]
    for content in damaged(journal, cases):
        (folder / JOURNAL).write_bytes(content)
        if journal.startswith(content):
            assert play(folder) == games
            assert (folder / JOURNAL).read_bytes().startswith(content[: content.rfind(b"\n") + 1])
        else:
            with pytest.raises(ValueError, match=r"journal\.jsonl, line \d+: "):
                play(folder)
            assert tree(folder) == {**whole, JOURNAL: content}


def test_a_half_written_last_line_is_played_again(folder: Path) -> None:
    whole = (folder / JOURNAL).read_bytes()
    games = play(folder)
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in (last + 1, last + 20, len(whole) - 2, len(whole) - 1):
        (folder / JOURNAL).write_bytes(whole[:cut])
        assert count_saved(folder) == GAMES - 1
        assert play(folder) == games
        assert count_saved(folder) == GAMES


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "number": ({"number": 7}, "number is 7"),
    "game": ({"game": "agon-v0"}, "game is 'agon-v0', but in this run it is 'pig-v0'"),
    "variant": ({"variant": "strict"}, "variant is 'strict'"),
    "options": ({"options": {"goal": 13}}, "options is"),
    "players": ({"players": ["greedy"] * 3}, "players is"),
    "seats": ({"seats": ["North", "South", "East"]}, "seats is"),
    "series": ({"series": "pig: greedy against mcts:5"}, "'pig: greedy against mcts:5' is not part of this run"),
    "index": ({"index": 6}, "game 6 of 'pig: greedy against random' is not part of this run: 0 to 5"),
    "seed": ({"seed": 1}, "seed is 1"),
    "opening": ({"random_plies": 2}, "random_plies is 2"),
    "position": ({"position": "somewhere"}, "position is 'somewhere'"),
    "too few returns": ({"returns": []}, "returns is []"),
    "two winners": ({"returns": [1.0, 1.0, 1.0]}, "returns is [1.0, 1.0, 1.0], but a replay of its moves gives"),
    "an unknown end": ({"end": "boredom"}, "end is 'boredom'"),
    "truncated": ({"truncated": True}, "truncated is True"),
    "other plies": ({"plies": 1}, "moves are not the actions of 1 plies"),
    "choices": ({"choices": 1}, "choices is 1"),
    "lead changes": ({"lead_changes": 99}, "lead_changes is 99"),
    "events": ({"events": {"held": 1}}, "events is"),
    "an illegal move": ({"moves": pack_moves(np.full(400, 9)), "plies": 400}, "ply 1: the action 9 is not legal"),
    "a move too many": ({"more": 1}, "a replay of its moves gives"),
    "a move too few": ({"more": -1}, "the game is not over after its"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_line_that_says_anything_else_than_its_game_is_refused(name: str, folder: Path) -> None:
    """With a checksum that agrees with it, as someone has who means to deceive."""
    changes, said = CHANGES[name]
    lines = (folder / JOURNAL).read_bytes().splitlines()
    if "more" in changes:
        row = json.loads(lines[2])
        moves = unpack_moves(row["moves"], row["plies"])
        moves = np.append(moves, 0) if changes["more"] > 0 else moves[:-1]
        changes = {"moves": pack_moves(moves), "plies": len(moves)}
    lines[2] = resealed(lines[2], **changes)
    (folder / JOURNAL).write_bytes(b"\n".join([*lines, b""]))
    before = tree(folder)
    with pytest.raises(ValueError, match=r"journal\.jsonl, line 3: ") as caught:
        play(folder)
    assert said in str(caught.value)
    assert tree(folder) == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "line 3: number is 4: lines are missing"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "line 2: number is 3"),
        (lambda lines: [*lines[:2], resealed(lines[1], number=3), *lines[3:]], "appears a second time"),
        (lambda lines: [*lines[:2], b"[" * 100_000, *lines[3:]], "line 3: not a game of a journal"),
        (lambda lines: [*lines[:2], b"", *lines[3:]], "line 3: not a game of a journal"),
        (lambda lines: [*lines[:2], b'{"number": NaN, "crc32": "00000000"}', *lines[3:]], "line 3: damaged"),
    ],
)
def test_lines_in_disorder_are_refused(damage: Callable[[list[bytes]], list[bytes]], said: str, folder: Path) -> None:
    lines = (folder / JOURNAL).read_bytes().splitlines()
    (folder / JOURNAL).write_bytes(b"\n".join([*damage(lines), b""]))
    before = tree(folder)
    with pytest.raises(ValueError, match=re.escape(said)):
        play(folder)
    assert tree(folder) == before


# --- plans ---


def test_another_plan_is_refused(folder: Path) -> None:
    before = tree(folder)
    with pytest.raises(ValueError, match="holds a run with seed 3, not 4"):
        play(folder, plan(seed=4))
    with pytest.raises(ValueError, match=r"holds a run with options \{'goal': 12\}, not \{'goal': 13\}"):
        play(folder, plan(goal=13))
    with pytest.raises(ValueError, match="games 6, not 4; they can grow, but not shrink"):
        play(folder, plan(4))
    with pytest.raises(ValueError, match=r"players"):
        play(folder, plan(players=("greedy", "mcts:2")))
    assert tree(folder) == before
    (folder / CONFIG).write_text("[")
    with pytest.raises(ValueError, match=r"config\.json: "):
        play(folder)


def test_a_run_can_take_more_games_and_further_players(folder: Path, tmp_path: Path) -> None:
    """And then holds what it would hold had it been asked for at once."""
    kept = (folder / JOURNAL).read_bytes()
    for larger in (plan(10), plan(10, ("greedy", "random", "mcts:2"))):
        grown, at_once = play(folder, larger), play(tmp_path / str(larger.games), larger)
        assert grown == at_once
        assert len(grown) == larger.games
        assert read_config(folder / CONFIG) == larger.config
    assert (folder / JOURNAL).read_bytes().startswith(kept)


def test_players_without_a_version_are_not_resumed(tmp_path: Path) -> None:
    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax(axis=1)

    def games() -> Plan:
        return plan_contest(find("pig"), {"mine": first, "random": "random"}, [], 4, None, 0, {"goal": 12})

    played = play(tmp_path / "unknown", games())
    with pytest.raises(ValueError, match=r"player 'mine' \(.*first\) states no version"):
        play(tmp_path / "unknown", games())
    first.version = "1"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"'mine' are by .*unknown"):
        play(tmp_path / "unknown", games())
    assert play(tmp_path / "known", games()) == play(tmp_path / "known", games()) == played
    first.version = "2"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="results of different players can't be put together"):
        play(tmp_path / "known", games())


def test_a_player_of_ones_own_does_not_go_on_for_one_that_is_called_like_it(folder: Path) -> None:
    """Nor the other way round: the names in a journal are the same."""

    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax(axis=1)

    first.version = "1"  # type: ignore[attr-defined]
    mine = plan_contest(find("pig"), {"greedy": "greedy", "random": first}, [], GAMES, None, 3, {"goal": 12})
    before = tree(folder)
    with pytest.raises(ValueError, match=r"line 1: another player 'random' played this game; .*first"):
        play(folder, mine)
    assert tree(folder) == before
    play(folder.parent / "other", mine)
    with pytest.raises(ValueError, match="its games of player 'random' are by "):
        play(folder.parent / "other")


# --- folders, links, other processes ---


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        Folder(tmp_path / "file", plan())


@pytest.mark.parametrize("name", [CONFIG, JOURNAL, LOCK])
@pytest.mark.parametrize("kind", ["symbolic", "hard", "dangling", "pipe"])
def test_no_link_is_followed(kind: str, name: str, folder: Path, tmp_path: Path) -> None:
    """What a link leads to is neither read, cut, nor written."""
    victim = tmp_path / "victim"
    content = (folder / name).read_bytes() + b'{"half'
    victim.write_bytes(content)
    (folder / name).unlink()
    if kind == "hard":
        os.link(victim, folder / name)
    elif kind == "pipe":
        os.mkfifo(folder / name)
    else:
        (folder / name).symlink_to(victim if kind == "symbolic" else tmp_path / "nowhere")
    with pytest.raises(ValueError, match=f"{name}: not a plain file"):
        play(folder)
    assert victim.read_bytes() == content
    assert not (tmp_path / "nowhere").exists()


def test_two_runs_into_one_folder_are_refused(tmp_path: Path) -> None:
    """Another process holds the folder, and lets go of it when it is killed."""
    program = (
        "import sys, time; from pathlib import Path; import parlour; parlour.register('tests.toy_games.pig')\n"
        "from tests.arena.test_journal import plan, Folder\n"
        "run = Folder(Path(sys.argv[1]), plan())\nprint('open', flush=True)\ntime.sleep(600)"
    )
    other = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ValueError, match=rf"another run \(process {other.pid} on .+\) is writing to this folder"):
            Folder(tmp_path, plan())
    finally:
        other.kill()
        other.wait()
    Folder(tmp_path, plan()).close()


def test_a_run_that_was_killed_before_its_plan_was_written_can_be_begun_again(tmp_path: Path) -> None:
    (tmp_path / f"{UNFINISHED}1234-config.json").write_text('{"ki')
    (tmp_path / LOCK).touch()
    assert len(play(tmp_path)) == GAMES
    assert sorted(os.listdir(tmp_path)) == [CONFIG, JOURNAL, LOCK]


KILLED = """
import sys
from pathlib import Path
import parlour
parlour.register("tests.toy_games.pig")
from tests.arena.test_journal import Threads, plan
from parlour.arena.runs.playing import Run
with Run(plan(3000), Threads(2), Path(sys.argv[1])) as run:
    print("ready", flush=True)
    run.play(lambda games: None)
"""


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_a_killed_run_ends_as_one_that_was_not(kills: int, tmp_path: Path) -> None:
    """Killed over and over, each time after having gone on from where it was."""
    undisturbed = play(tmp_path / "undisturbed", plan(3000))
    for kill in range(kills):
        run_and_kill(KILLED, tmp_path / "killed", delay=0.02 + 0.0137 * (kill % 23))
        kept = count_saved(tmp_path / "killed")
        if kept == 3000:
            assert play(tmp_path / "killed", plan(3000)) == undisturbed
            (tmp_path / "killed" / JOURNAL).unlink()
    assert play(tmp_path / "killed", plan(3000)) == undisturbed
    assert sorted(os.listdir(tmp_path / "killed")) == [CONFIG, JOURNAL, LOCK]


def test_a_full_disk_loses_no_finished_game(folder: Path, tmp_path: Path) -> None:
    undisturbed, call = play(folder), 0
    while True:
        try:
            with disk_full_from(call) as calls:
                play(tmp_path / "full")
            break
        except OSError as error:
            assert "No space left" in str(error)
        assert UNFINISHED not in str(os.listdir(tmp_path / "full"))
        call += 1
    assert calls[0] >= 4
    assert play(tmp_path / "full") == undisturbed


@EVERY_BYTE
def test_a_damaged_plan_is_refused(cases: int | None, folder: Path) -> None:
    """Whatever byte of it is cut or flipped, except for those that change nothing."""
    whole = tree(folder)
    refused = 0
    for content in damaged(whole[CONFIG], cases):
        (folder / CONFIG).write_bytes(content)
        try:
            play(folder)
        except ValueError as error:
            assert str(error).startswith(str(folder))
            refused += 1
            assert tree(folder) == {**whole, CONFIG: content}
        else:
            assert read_config(folder / CONFIG) == plan().config
    assert refused > 0.9 * (cases or 9 * len(whole[CONFIG]))


def test_a_contest_of_millions_of_games_starts_at_once() -> None:
    """Games are made as they are needed: ten million in memory first would take minutes and gigabytes."""

    class EnoughError(Exception):
        pass

    def stop(games: list[Played]) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        play_contest(plan(10_000_000), Threads(1), stop, None)
    assert plan(10_000_000).series[0].spec(9_999_999).index == 9_999_999
