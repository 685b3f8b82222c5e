"""The command line: what it prints, what it writes, and one line with exit status 2 for whatever is wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.shell_completion import ShellComplete
from PIL import Image

import parlour
from parlour.cli import COMMANDS, GONE, commands
from parlour.cli.openenv import game_maker
from parlour.interfaces.registry import find
from parlour.interfaces.rendering import rasterise
from parlour.players import parse_players
from parlour.players.names import NAMES
from parlour.players.simulate import game_seeds, play_games
from parlour.records import read_records, record_game, replay, write_records
from parlour.records.animation import ANIMATION_WIDTH
from tests.records.test_records import short_game
from tests.support.cases import GAMES, PRINTED_GAMES
from tests.support.command_line import Ran, Run, check_error, check_refused, words
from tests.support.pages import labels_of
from tests.support.processes import ROOT, run_python

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")
SWORDS = "swords_and_shields"
SWORDS_VARIANTS = ["milton_bradley", "tablut", "corner_escape"]
EVERY_COMMAND = [name for names in COMMANDS.values() for name in names]


# --- help, games, variants, rules ---


def test_help_lists_the_commands(run: Run) -> None:
    asked = run("--help")
    assert asked == run("-h")
    assert asked.status == 0
    assert asked.err == ""
    assert asked.out.startswith("Usage: parlour")
    for command in EVERY_COMMAND:
        assert re.search(rf"^  {command} ", asked.out, re.MULTILINE)


def test_no_argument_greets_with_the_games_and_four_commands_that_can_be_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = run()
    assert (alone.status, alone.err) == (0, "")
    assert max(map(len, alone.out.splitlines())) <= 80
    told = re.findall(r"^  .*  parlour (.*)$", alone.out, re.MULTILINE)
    assert len(told) == 4
    assert all(re.search(rf"^  {game.rpartition('-')[0]} ", alone.out, re.MULTILINE) for game in parlour.games())
    for line in told:
        name, *arguments = line.split()
        command = commands.get_command(click.Context(commands), name)
        with command.make_context(name, arguments) as context:  # reads and checks all of them
            assert not context.protected_args
    assert run(*told[-1].split()).status == 0


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_each_command_has_help(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: parlour {command}")


def test_a_quick_command_imports_no_other_and_no_engine() -> None:
    program = "import sys; from parlour.cli import main; main(['games']); print(*sys.modules, file=sys.stderr)"
    imported = set(run_python(program, ROOT).stderr.split())
    assert "parlour.cli.games" in imported
    assert not imported & {"parlour.cli.compare", "parlour.arena", "parlour.players", "numba"}


def test_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.status, ran.err) == (0, "")
    assert parlour.__version__ in ran.out


def test_games(run: Run) -> None:
    ran = run("games")
    assert (ran.status, ran.err) == (0, "")
    for game, summary in parlour.games().items():
        assert f"{game} {summary}" in words(ran.out)


@pytest.mark.parametrize("game", GAMES)
def test_variants_shows_every_variant_and_option(run: Run, game: str) -> None:
    for name in (game, find(game).name):
        ran = run("variants", name)
        assert (ran.status, ran.err) == (0, "")
        for k, variant in enumerate(find(game).variants):
            differing = ", ".join(f"{key}={value}" for key, value in variant.values.items())
            assert f"{variant.name} {variant.meaning} {differing}".rstrip() in words(ran.out)
            assert (f"{variant.meaning} (the default)" in words(ran.out)) == (k == 0)
        for option, line in parlour.options(game).items():
            assert f"{option} {line}" in words(ran.out)


def test_players_are_listed_with_those_of_a_game(run: Run) -> None:
    ran = run("players")
    assert ran.status == 0
    for name, meaning in NAMES.items():
        assert name in ran.out
        assert meaning in " ".join(ran.out.split())
    assert "bold" not in ran.out
    assert "bold" in run("players", "crown_and_anchor").out
    assert "Pig has no champion: to make a network its champion, copy" in " ".join(run("players", "pig").out.split())


def test_nothing_is_cut_off_in_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = run("variants", SWORDS).out
    assert "…" not in out
    for variant in SWORDS_VARIANTS:
        assert variant in out
    for line in parlour.options("swords_and_shields-v0").values():
        assert all(word in out for word in line.split())
    monkeypatch.setenv("COLUMNS", "80")
    table = run("simulate", SWORDS, "--games", 3).out
    for variant in SWORDS_VARIANTS:
        assert variant in table
    assert "…" not in table
    assert "3 games a variant" in table
    table = run("simulate", "crown_and_anchor", "--games", 1).out  # more columns than fit
    assert "1 game a variant" in table
    assert len(re.findall(r" \d+\.\d%", table)) == 4 * 6
    assert max(map(len, table.splitlines())) <= 80
    assert "…" not in table


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_rules_of_a_printed_game(run: Run, game: str) -> None:
    ran = run("rules", game)
    assert (ran.status, ran.err) == (0, "")
    for word in (find(game).title, *parlour.variants(game), "Rules:", "1."):
        assert word in words(ran.out)


def test_long_rules_go_on_under_their_first_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("rules", SWORDS).out.partition("\nRules:\n")[2].partition("\n\n")[0].splitlines()
    assert len(max(lines, key=len)) <= 60
    assert any(line.startswith("  ") for line in lines)
    assert all(line.startswith(("- ", "  ")) for line in lines)


def test_no_help_of_a_seed_shows_its_range(run: Run) -> None:
    assert "9223372036854775807" not in run("match", "--help").out
    assert "9223372036854775807" in run("match", SWORDS, "greedy", "random", "--seed", -1).err


def test_rules_shows_the_readme(run: Run) -> None:
    ran = run("rules", "pig-v0", "--sources")
    assert (ran.status, ran.err) == (0, "")
    assert "Pig" in ran.out
    assert "Exists for the tests." in ran.out


# --- simulate: the table ---


def table_of(ran: Ran) -> dict[str, list[str]]:
    """The cells of each variant's row, the plies a second left out."""
    assert ran.status == 0, ran
    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if "%" in line}
    for cells in rows.values():
        assert re.fullmatch(r"[\d,]+", cells[-1])
        assert int(cells[-1].replace(",", "")) > 0
    return {variant: cells[:-1] for variant, cells in rows.items()}


def test_simulate_counts_the_games_of_the_seed(run: Run) -> None:
    """The table against games played one by one: wins, draws, truncations, plies, choices."""
    limits = {"repetition": 2, "max_plies": 120}
    options = [text for name, value in limits.items() for text in ("-o", f"{name}={value}")]
    rows = table_of(
        run("simulate", SWORDS, "--players", "random,greedy", "--games", 40, "--seed", 3, "--threads", 2, *options)
    )
    assert list(rows) == SWORDS_VARIANTS
    for variant, cells in rows.items():
        env = parlour.make("swords_and_shields-v0", variant=variant, **limits)
        counts, plies, choices = [0, 0, 0, 0], 0, 0
        for seed in game_seeds(3, 40):
            record = record_game(env, parse_players("random,greedy", 2), seed)
            outcome = {"max_plies": 3, "repetition": 2}.get(record.end)
            counts[int(np.argmax(record.returns)) if outcome is None else outcome] += 1
            plies += len(record.moves)
            choices += sum(len(shown.legal_moves()) for shown in replay(record, "here"))
        shares = [f"{100 * count / 40:.1f}%" for count in counts]
        assert cells == [*shares, f"{'≥' if counts[3] else ''}{plies / 40:.1f}", f"{choices / plies:.1f}"]


def test_simulate_names_the_seats_and_what_was_asked(run: Run) -> None:
    ran = run("simulate", SWORDS, "--games", 4, "--players", "greedy,random", "--seed", 77)
    assert ran.err == ""  # nobody watches
    out = words(ran.out)
    for part in ("Swords & Shields", "4 games", "greedy,random", "seed 77", "Swords", "Shields", "draw"):
        assert part in out
    three = run("simulate", "pig", "--games", 4).out
    for seat in range(3):
        assert f"Player {seat}" in three
    assert "Player 3" not in three


def test_simulate_is_reproducible(run: Run) -> None:
    ask = ("simulate", SWORDS, "--games", 60, "--players", "random,greedy")
    rows = table_of(run(*ask, "--seed", 5))
    assert table_of(run(*ask, "--seed", 5)) == rows
    assert table_of(run(*ask, "--seed", 6)) != rows
    assert table_of(run(*ask)) == table_of(run(*ask, "--seed", 0)) != rows


def test_variants_of_simulate(run: Run) -> None:
    ask = ("simulate", SWORDS, "--games", 30)
    every = table_of(run(*ask))
    assert list(every) == SWORDS_VARIANTS
    assert table_of(run(*ask, "--variant", "all")) == every
    for variant in SWORDS_VARIANTS:
        assert table_of(run(*ask, "--variant", variant)) == {variant: every[variant]}


def test_options_of_simulate(run: Run) -> None:
    rows = table_of(run("simulate", SWORDS, "--games", 20, "-o", "max_plies=5", "--option", "escape=corner"))
    for cells in rows.values():
        assert cells[:5] == ["0.0%", "0.0%", "0.0%", "100.0%", "≥5.0"]
    assert rows["milton_bradley"] == rows["corner_escape"]  # both play to the corners now
    four = table_of(run("simulate", "pig", "--games", 20, "-o", "players=4", "-o", "snake_eyes=TRUE", "-o", "fine=1.5"))
    assert len(four["pig"]) == 4 + 2 + 2
    assert four["pig"] == four["strict"]
    last_wins = table_of(run("simulate", "pig", "--games", 20, "-o", "players=2", "-o", "players=4"))
    assert len(last_wins["pig"]) == 8


def test_players_of_simulate(run: Run) -> None:
    ask = ("simulate", SWORDS, "--games", 80, "--variant", "corner_escape")
    assert table_of(run(*ask, "--players", "greedy,random")) != table_of(run(*ask, "--players", "random,greedy"))
    assert table_of(run(*ask, "--players", "greedy")) == table_of(run(*ask, "--players", "greedy,greedy"))
    assert table_of(run(*ask)) == table_of(run(*ask, "--players", "random,random"))


# --- simulate: what it writes ---


def check_output(folder: Path, game: str, variant: str, players: str, seed: int, **values: Any) -> None:
    """The record is that of the run's first game; the picture has a frame a position."""
    env = parlour.make(game, variant=variant, **values)
    record = record_game(env, parse_players(players, len(env.possible_agents)), game_seeds(seed, 1)[0])
    assert read_records(folder / f"{env.game.name}-{variant}.jsonl") == [record]
    pictures = [shown.svg() for shown in replay(record, "here")]
    with Image.open(folder / f"{env.game.name}-{variant}.gif") as film:
        assert film.format == "GIF"
        assert film.n_frames == len(record.moves) + 1  # type: ignore[attr-defined]
        for frame in (0, film.n_frames - 1):  # type: ignore[attr-defined]
            film.seek(frame)
            expected = rasterise(pictures[frame], ANIMATION_WIDTH)
            assert film.size == (ANIMATION_WIDTH, expected.shape[0])
            assert np.abs(np.asarray(film.convert("RGB")).astype(int) - expected).mean() < 6


def test_out_writes_a_record_and_a_picture_for_each_variant(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    ask = ("simulate", SWORDS, "--games", 5, "--seed", 9, "--players", "greedy,random", "-o", "max_plies=6")
    ran = run(*ask, "--out", folder)
    assert list(table_of(ran)) == SWORDS_VARIANTS
    assert table_of(ran) == table_of(run(*ask))
    files = [f"{SWORDS}-{variant}.{suffix}" for variant in SWORDS_VARIANTS for suffix in ("jsonl", "html", "gif")]
    assert sorted(path.name for path in folder.iterdir()) == sorted(files)
    assert [line for line in ran.out.splitlines() if line.startswith("wrote")] == [
        f"wrote {folder / name}" for name in files
    ]
    for variant in SWORDS_VARIANTS:
        check_output(folder, "swords_and_shields-v0", variant, "greedy,random", 9, max_plies=6)
        ran = run("replay", folder / f"{SWORDS}-{variant}.jsonl", "--quiet")
        assert (ran.status, ran.err) == (0, "")


def test_the_page_shows_typical_and_extreme_games(run: Run, tmp_path: Path) -> None:
    ran = run("simulate", "checkers", "--variant", "american", "--games", 30, "--out", tmp_path)
    assert ran.status == 0
    page = (tmp_path / "checkers-american.html").read_text()
    labels = dict(re.findall(r"(.*): (\d+) plies", "\n".join(labels_of(page))))
    game = find("checkers-v0")
    players = parse_players("random", 2)
    plies = play_games(game, parlour.make("checkers-v0").unwrapped.values, players, game_seeds(0, 30)).plies.tolist()
    assert list(labels) == ["first", "shortest", "typical length", "longest", "most changes of the lead"]
    assert int(labels["first"]) == plies[0]
    assert [int(labels[name]) for name in ("shortest", "typical length", "longest")] == [
        sorted(plies)[k] for k in (0, 14, 29)
    ]


def test_out_of_one_variant_over_older_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"{SWORDS}-tablut.jsonl").write_text("old")
    (tmp_path / "mine.txt").write_text("kept")
    ran = run("simulate", SWORDS, "--variant", "tablut", "--games", 1, "-o", "max_plies=4", "--out", tmp_path)
    assert ran.status == 0
    check_output(tmp_path, "swords_and_shields-v0", "tablut", "random", 0, max_plies=4)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "mine.txt", f"{SWORDS}-tablut.gif", f"{SWORDS}-tablut.html", f"{SWORDS}-tablut.jsonl",
    ]  # fmt: skip
    assert (tmp_path / "mine.txt").read_text() == "kept"


@pytest.mark.parametrize("name", ["a[bold]b", "it:smile:", "[red]", "x[/b]"])
def test_paths_are_printed_as_they_are(run: Run, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    ran = run("simulate", "pig", "--variant", "pig", "--games", 1, "--out", folder)
    assert ran.status == 0
    assert f"wrote {folder / 'pig-pig.jsonl'}" in ran.out.splitlines()
    assert run("replay", "--quiet", folder / "pig-pig.jsonl").out.startswith(f"{folder / 'pig-pig.jsonl'}, line 1: ")


# --- errors ---

EVERY_GAME = [repr(game) for game in GAMES]
EVERY_VARIANT = [repr(variant) for variant in SWORDS_VARIANTS]
PLAYERS = ["'random'", "'greedy'"]
EVERY_OPTION = ["'throne_hostile'", "'chief_beside_throne'", "'escape'", "'repetition'", "'max_plies'"]

ERRORS: dict[str, tuple[list[object], list[str]]] = {
    "unknown command": (["chess"], ["'chess'", "--help"]),
    "unknown flag": (["--loud"], ["--loud", "--help"]),
    "unknown flag of a command": (["simulate", SWORDS, "--loud"], ["--loud", "parlour simulate --help"]),
    "an argument too many": (["games", "all"], ["all", "parlour games --help"]),
    "variants of no game": (["variants"], ["GAME", "parlour variants --help"]),
    "simulate of an unknown game": (["simulate", "Pig"], ["'Pig'", *EVERY_GAME]),
    "replay of nothing": (["replay"], ["FILE", "parlour replay --help"]),
    "unknown variant": (["simulate", SWORDS, "--variant", "hnefatafl"], ["'hnefatafl'", *EVERY_VARIANT]),
    "unknown option": (["simulate", SWORDS, "-o", "size=9"], ["'size'", *EVERY_OPTION]),
    "no equals sign": (["simulate", SWORDS, "-o", "escape"], ["'escape'", "NAME=VALUE"]),
    "unknown choice": (["simulate", SWORDS, "-o", "escape=top"], ["'escape'", "'top'", "'edge'", "'corner'"]),
    "half a ply": (["simulate", SWORDS, "-o", "max_plies=1.5"], ["'max_plies'", "'1.5'", "whole numbers"]),
    "a count of 5000 digits": (["simulate", SWORDS, "-o", f"max_plies={5000 * '9'}"], ["'max_plies'", "from 0"]),
    "no flag": (["simulate", "pig", "-o", "snake_eyes=1"], ["'snake_eyes'", "'1'", "True and False"]),
    "no amount": (["simulate", "pig", "-o", "fine=nan"], ["'fine'", "nan", "numbers from 0"]),
    "options at odds": (["simulate", "pig", "-o", "bank=nothing", "-o", "fine=1"], ["fine", "bank=nothing"]),
    "unknown player": (["simulate", SWORDS, "--players", "mtcs"], ["'mtcs'", *PLAYERS]),
    "unknown second player": (
        ["simulate", SWORDS, "--players", "random,mcts"],
        ["'mcts'", "a budget is missing", "mcts:200"],
    ),
    "unknown opponent": (["play", SWORDS, "--against", "mcts"], ["'mcts'", "a budget is missing", "mcts:200"]),
    "two opponents": (["play", SWORDS, "--against", "random,greedy"], ["'random,greedy'", *PLAYERS]),
    "three players for two": (
        ["simulate", SWORDS, "--players", "random,random,random"],
        ["3 players", "2, one per seat"],
    ),
    "two players for three": (["simulate", "pig", "--players", "random,greedy"], ["2 players", "3, one per seat"]),
    "too many games": (["simulate", SWORDS, "--games", 10**15], ["games"]),
    "no threads": (["simulate", SWORDS, "--threads", 0], ["--threads", "0", "1<=x"]),
    "a million threads": (["simulate", SWORDS, "--threads", 10**6], ["--threads", "1000000", "1<=x<=1024"]),
    "a seed below 0": (["simulate", SWORDS, "--seed", -1], ["--seed", "-1", "0<=x<="]),
    "a seat too high": (["play", SWORDS, "--seat", 2], ["--seat", "2", "0 to 1"]),
    "no position": (["play", SWORDS, "--position", "start"], ["'start'"]),
    "a position without a chief": (["play", SWORDS, "--position", "9/9/9/9/4s4/9/9/9/9 s"], ["9/9/9/9/4s4/9/9/9/9 s"]),
    "an unknown ending": (
        ["replay", "a.jsonl", "--out", "b.png"],
        ["b.png", "'.png'", "'.pdn', '.mat' and '.sgf'"],
    ),
    "no ending": (["replay", "a.jsonl", "--out", "b"], ["b: ", "''", "'.html'", "'.pdn', '.mat' and '.sgf'"]),
    "a missing file": (["replay", "no/such/file.jsonl"], ["no/such/file.jsonl"]),
    "a folder for a file": (["replay", "."], [".", "directory"]),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_one_line(run: Run, name: str) -> None:
    arguments, parts = ERRORS[name]
    check_refused(run(*arguments), *parts)


def test_a_file_in_the_way_of_the_folder(run: Run, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("mine")
    for out in (blocked, blocked / "deeper"):
        check_refused(run("simulate", SWORDS, "--games", 1, "--out", out), out)
    assert blocked.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("suffix", ["jsonl", "gif"])
def test_a_folder_in_the_way_of_the_file(run: Run, tmp_path: Path, suffix: str) -> None:
    blocked = tmp_path / f"pig-pig.{suffix}"
    blocked.mkdir()
    check_error(run("simulate", "pig", "--variant", "pig", "--games", 1, "--out", tmp_path), blocked)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    check_refused(run("simulate", "pig", "--games", 1, "--out", tmp_path), tmp_path)
    check_refused(run("simulate", "pig", "--games", 1, "--out", tmp_path / "new"), tmp_path / "new")


def test_nothing_is_left_behind_by_a_wrong_argument(run: Run, tmp_path: Path) -> None:
    check_refused(run("simulate", SWORDS, "--players", "mcts", "--out", tmp_path / "new"), "'mcts'")
    assert not (tmp_path / "new").exists()


def test_an_interruption(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    ran = run("play", SWORDS)
    assert (ran.status, ran.err.strip()) == (130, "parlour: interrupted")  # on a line after the terminal's ^C


def test_near_misses_are_named(run: Run) -> None:
    check_refused(run("plya", SWORDS), "'plya'", "did you mean 'play'?")
    check_refused(run("play", "agonn"), "'agonn'", "did you mean 'agon'?")
    check_refused(run("play", SWORDS, "--variant", "tablutt"), "did you mean 'tablut'?")
    check_refused(run("play", SWORDS, "--against", "gredy"), "did you mean 'greedy'?")
    check_refused(run("play", SWORDS, "-o", "escap=edge"), "did you mean 'escape'?")


@pytest.mark.parametrize("name", GONE)
def test_what_is_gone_says_what_to_use(run: Run, name: str) -> None:
    command, *flag = name.split()
    for given in (flag, [f"{one}=1" for one in flag]):
        check_refused(run(command, SWORDS, *given), f"{name} is gone: {GONE[name]}")


def test_a_game_in_words_is_set_up_by_the_same_option() -> None:
    """Beside the options of the game."""
    make = game_maker(find(SWORDS), ["legal_moves=false", "view=text", "seat=1", "escape=corner"], opponent="random")
    message = make().reset(seed=1)
    assert "Position: " in message
    assert "Legal moves" not in message
    assert "Legal moves" in game_maker(find(SWORDS), [])().reset(seed=1)
    for wrong, part in (("legal_move=false", "did you mean 'legal_moves'?"), ("illegal=shout", "'shout'")):
        with pytest.raises(ValueError, match=re.escape(part)):
            game_maker(find(SWORDS), [wrong])


def test_summaries_are_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run("--help").out
    assert "..." not in out.split("\nGames:\n")[1]
    assert "explains the goal, the signs and what to do" in words(out)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["play", "swo"], ["swords_and_shields"]),
        (["play", SWORDS, "--variant", "t"], ["tablut"]),
        (["play", SWORDS, "--against", "g"], ["greedy"]),
        (["match", SWORDS, "greedy", "mc"], ["mcts:"]),
        (["simulate", SWORDS, "--players", "greedy,ra"], ["greedy,random"]),
    ],
)
def test_the_shell_completes(typed: list[str], expected: list[str]) -> None:
    completion = ShellComplete(commands, {}, "parlour", "_PARLOUR_COMPLETE")
    assert [item.value for item in completion.get_completions(typed[:-1], typed[-1])] == expected


# --- as a program of its own ---


def program(*arguments: object, stdin: str = "", script: bool = False) -> subprocess.CompletedProcess[str]:
    """``python -m parlour``, or the script that installing puts beside Python."""
    command = [sys.executable, "-m", "parlour"]
    if script:
        found = shutil.which("parlour", path=str(Path(sys.executable).parent))
        assert found is not None, "the script parlour is not installed"
        command = [found]
    return subprocess.run(
        [*command, *map(str, arguments)], input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


def test_the_program_and_the_script(tmp_path: Path) -> None:
    ran = program("games")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "swords_and_shields-v0" in ran.stdout
    ran = program("replay", tmp_path / "none.jsonl", script=True)
    check_refused(Ran(ran.returncode, ran.stdout, ran.stderr), tmp_path / "none.jsonl")


def test_the_program_plays() -> None:
    ran = program("play", SWORDS, stdin="d9-d6\nnonsense\nquit\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "easy plays" in ran.stdout


@pytest.fixture
def closed_pipe() -> Iterator[int]:
    """A pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_closed_pipe_gives_no_traceback(closed_pipe: int, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    write_records(record, [short_game()])
    asked: list[list[object]] = [[], ["replay", record]]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "parlour", *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=closed_pipe,
            stderr=subprocess.PIPE,
            text=True,
        )
        for arguments in asked
    ]
    for process in running:
        _, complaint = process.communicate(timeout=120)
        assert complaint.strip() == ""
        assert process.returncode != 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "parlour", "variants", SWORDS], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ran.returncode == 2
    assert ran.stderr.startswith("parlour: ")
    assert ran.stderr.count("\n") == 1


def test_a_server_says_which_extra_it_needs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "parlour.text.adapters.openenv", raising=False)
    for name in ("openenv", "openenv.core.env_server"):
        monkeypatch.setitem(sys.modules, name, None)
    result = run("openenv", "checkers")
    assert result.status == 2
    assert "parlour openenv needs openenv" in result.err
    assert "pip install 'parlour[openenv]'" in result.err
