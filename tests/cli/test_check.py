"""``parlour check`` and ``parlour new-game``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.testing import CHECKS
from tests.cli.test_own_games import parlour_in
from tests.support.cases import SEARCHING, sampled
from tests.support.command_line import Run, check_error, check_refused
from tests.support.faults import disk_full_from
from tests.support.own_games import TIC_TAC_TOE, copy_game
from tests.support.processes import check_pytest

QUICK = [word for check in CHECKS if check not in SEARCHING for word in ("--check", check)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, an empty one, from which Python imports."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    return tmp_path


def write_and_test(run: Run, chosen: str, name: str, *options: str) -> None:
    """Writes a game into the working directory, and runs those of its own tests that are ``chosen``."""
    made = run("new-game", name, *options)
    assert (made.status, made.err) == (0, "")
    assert made.out.startswith(f"wrote {name}\n")
    assert "\npython -m pip install pytest " in made.out
    written = "".join(path.read_text() for path in Path(name).rglob("*.*"))
    assert "starter" not in written.lower()
    title = name.replace("_", " ").title()
    assert Path(name, "__init__.py").read_text().count(f'TITLE = "{title}"') == 1
    check_pytest(Path.cwd(), "-k", chosen, name)


@sampled("chosen", QUICK, [])
def test_a_new_game_passes_all_checks_and_its_own_tests_and_is_played(run: Run, chosen: list[str], here: Path) -> None:
    """In the ordinary run, the game that it copies passes the others: see `tests/engine/test_no_evaluation.py`."""
    write_and_test(run, "parts or not check", "my_first_game")
    status, out, err = parlour_in(here, "check", "my_first_game", "--games", "2", *chosen)
    assert (status, err) == (0, "")
    assert "ok      misere: threads" in out
    assert out.splitlines()[-1].startswith("my_first_game-v0: all ")
    status, out, _ = parlour_in(here, "simulate", "my_first_game", "--games", "9")
    assert status == 0
    assert "misere" in out


@sampled("chosen", " and ".join(f"not {check}" for check in SEARCHING), "")
def test_a_new_game_with_dice_passes_all_checks_and_its_own_tests(run: Run, chosen: str, here: Path) -> None:
    write_and_test(run, chosen, "my_race", "--dice")


@pytest.mark.parametrize("call", [0, 3, 20])
def test_a_full_disk_leaves_no_part_of_a_new_game(run: Run, call: int, here: Path) -> None:
    with disk_full_from(call):
        ran = run("new-game", "my_game")
    check_error(ran, "No space left on device", "my_game")
    assert os.listdir(here) == []


def test_failing_checks_are_told_and_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("pig").drawing, "ansi", lambda state, variant: "the énd")
    ran = run("check", "pig", "--check", "pictures", "--check", "parts")
    assert (ran.status, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0] == "FAILED  pig: pictures"
    assert "pig-v0, variant 'pig', check 'pictures', seed 0, position '" in lines[1]
    assert "beyond ASCII" in lines[1]
    assert lines[-1] == "pig-v0: 2 of 4 checks failed"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("rules.py", "seat = state.to_act", "seat = = state.to_act", "seat = = state.to_act: SyntaxError: "),
        ("variants.py", "OPTIONS = (", "OPTIONS = (numbr, ", "OPTIONS = (numbr, "),
    ],
)
def test_a_file_that_cannot_be_imported_is_said_once_with_its_line(
    run: Run, file: str, old: str, new: str, said: str, here: Path
) -> None:
    game = f"wrong_{file[:-3]}"
    copy_game(TIC_TAC_TOE, here / game, (file, old, new))
    ran = run("check", game)
    assert (ran.status, ran.out, ran.err.count("Error: ")) == (2, "", 1)
    assert ran.err.startswith(f"parlour: {game} can't be imported: {Path(game) / file}, line ")
    assert said in ran.err


LINE, MISERE = ("variants.py", '"line"'), ("variants.py", '"misere"')
ONLY_WINS = "def resolve_dependent(values, explicit):\n    ['wins'].index(values['line'])\n\n\n"
PLANE = "rules.py", '"own marks"'
SIZES, MARKS = ("rules.py", "seats=2, actions=CELLS, height=SIDE"), ("rules.py", "np.uint64, (2,)")
MISTAKES = {
    "no seat": (*SIZES, "seats=0, actions=9, height=3", "has 0 seats; a game has at most 127, and at least 2"),
    "half a seat": (*SIZES, "seats=2.5, actions=9, height=3", "has 2.5 seats"),
    "no action": (*SIZES, "seats=2, actions=0, height=3", "has 0 actions; a game has at most 32767, and at least 1"),
    "no end of rows": (*SIZES, "seats=2, actions=9, height=10**9", "has 1000000000 rows"),
    "no plane": ("rules.py", "planes=PLANES", "planes=()", "has 0 planes"),
    "no layout": ("rules.py", "return Layout(", "return dict(", "layout() gives {'seats': 2, "),
    "no variant": ("variants.py", "VARIANTS = (\n", "VARIANTS = ()\n_OTHERS = (\n", "VARIANTS is ()"),
    "a word as variant": ("variants.py", "VARIANTS = (\n", 'VARIANTS = (\n    "usual",\n', "VARIANTS is ('usual', "),
    "a layout of nothing": ("rules.py", "layout(values: dict[str, Any])", "layout()", "a function of (values), not ()"),
    "an argument too few": ("rules.py", "action: int, rewards: Any", "rewards: Any", "apply must be a function of ("),
    "a kernel too few": ("rules.py", "def observe(", "def observed(", "rules does not define observe"),
    "objects in the state": (*MARKS, "object, (2,)", "the field 'marks' of STATE holds object; valid: numbers"),
    "texts in the state": (*MARKS, "'U5', (2,)", "the field 'marks' of STATE holds <U5; valid: numbers"),
    "a record of its own": ("rules.py", "state_dtype([", "np.dtype([", "STATE lacks plies, seen, "),
    "options of words": ("variants.py", "OPTIONS = (", "OPTIONS = ('size', ", "a tuple of Choice, Flag, Count and A"),
    "ends that are no list": ("rules.py", "\nENDS = ", "\nENDS = 3  # ", "ENDS is 3; it must be a tuple of words"),
    "a number as dice": ("rules.py", "\nENDS = ", "\nDICE = 2\nENDS = ", "such as (fair(6),) * 2, not 2"),
    "numbers as dice": ("rules.py", "\nENDS = ", "\nDICE = (6, 6)\nENDS = ", "DICE is a tuple of dice, such as (fair"),
    "rules in words of version 0.3.0": ("guide.py", "", "GOAL = 'Win.'\n", "GOAL, RULES and OPTIONS stand in "),
    "no forms of record": ("__init__.py", "SEAT_NAMES = ", "RECORD_FORMS = 5\nSEAT_NAMES = ", "RECORD_FORMS can"),
    "names of no seats": ("__init__.py", "SEAT_NAMES = ", "SEAT_NAMES = None  # ", "its SEAT_NAMES can't be None"),
    "a version below 0": ("__init__.py", "VERSION = 0", "VERSION = -1", "its VERSION can't be -1; valid: whole number"),
    "seats of one name": ("__init__.py", '"Noughts"', '"Crosses"', "its SEAT_NAMES can't be ('Crosses', 'Crosses')"),
    "a number as seat": ("__init__.py", '"Noughts"', "2", "its SEAT_NAMES can't be ('Crosses', 2)"),
    "an option of two words": (*LINE, '"a line"', "option 'a line' is not a valid name; valid: lower-case letters"),
    "an option that is an argument": (*LINE, '"seed"', "no option can be called 'seed'; reserved: 'actions', 'autor"),
    "an option of all games": (*LINE, '"actions"', "no option can be called 'actions'"),
    "an option twice": (*LINE, '"max_plies"', "option 'max_plies' occurs 2 times"),
    "a variant twice": (*MISERE, '"usual"', "variant 'usual' occurs 2 times"),
    "a variant that means all": (*MISERE, '"all"', "no variant can be called 'all'"),
    "a variant of nothing": (*MISERE, '""', "variant '' is not a valid name"),
    "a variant elsewhere": (*MISERE, '"../elsewhere"', "variant '../elsewhere' is not a valid name; valid: lower-case"),
    "variants with a comma": (*MISERE, '"mis,ere"', "variant 'mis,ere' is not a valid name"),
    "a variant with a value": (*MISERE, '"misere:line=wins"', "variant 'misere:line=wins' is not a valid name"),
    "a default out of range": (
        "variants.py", "max_plies(0)", "max_plies(-2)",
        "the default of option 'max_plies': -2 is not valid; valid: the whole numbers from 0 to 2147483647",
    ),
    "a variant of another option": (
        "variants.py", '{"line": "loses"}', '{"lines": "loses"}',
        "variant 'misere': there is no option 'lines'; options: 'line' and 'max_plies'",
    ),
    "a variant of another value": (
        "variants.py", '{"line": "loses"}', '{"line": "lose"}',
        "variant 'misere': option 'line': 'lose' is not valid; valid: 'wins' and 'loses'",
    ),
    "a variant that is refused": (
        "variants.py", "VARIANTS = (", f"{ONLY_WINS}VARIANTS = (", "variant 'misere': 'loses' is not in list",
    ),
    "a field of all games": ("rules.py", '"marks", np.uint64', '"plies", np.uint64', "STATE can't have a field 'pl"),
    "a plane beyond int8": (*PLANE, '"own marks", 0, 300', "plane 'own marks' goes from 0 to 300; valid: −128 to 127"),
    "a plane of half numbers": (*PLANE, '"own marks", 0, 0.5', "plane 'own marks' goes from 0 to 0.5; valid: −128"),
    "a score of nothing": (
        "evaluation.py", "before: Record, after: Record, variant: Record, seat: int", "seat: int",
        "greedy_score must be a function of (before, after, variant, seat), not (seat)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_command_says_what_is_no_game(run: Run, mistake: str, here: Path) -> None:
    """In one line, before anything is played."""
    file, right, wrong, message = MISTAKES[mistake]
    name = f"no_game_{list(MISTAKES).index(mistake)}"
    copy_game(TIC_TAC_TOE, here / name, (file, right, wrong))
    for command in (["check", name], ["simulate", name, "--games", "2"], ["match", name, "random", "greedy"]):
        check_refused(run(*command), message)


@pytest.mark.parametrize("file", ["variants", "rules", "notation", "drawing"])
def test_registering_says_which_file_is_missing(run: Run, file: str, here: Path) -> None:
    name = f"no_{file}"
    (copy_game(TIC_TAC_TOE, here / name) / f"{file}.py").unlink()
    message = f"{name} has no {file}.py, which its game needs"
    for command in ["check"] if file == "rules" else ["check", "variants", "play"]:  # the others know games by it
        check_refused(run(command, name), message)
    with pytest.raises(ValueError, match=f"^{message}$"):
        parlour.register(name)


FUNCTIONS = [
    ("variants.py", "def resolve_dependent(values)", "(values, explicit), not (values)"),
    ("variants.py", "def resolve_dependent(values, *, explicit)", "(values, explicit), not (values, *, explicit)"),
    ("variants.py", "resolve_dependent = 5\ndef _()", "(values, explicit), not 5"),
    ("variants.py", "def unrated()", "(values), not ()"),
    ("rules.py", "def THROW_KEY()", "(faces), not ()"),
    ("rules.py", "@kernel\ndef is_out(state: Any)", "(state, variant, seat), not (state)"),
    ("evaluation.py", "def events(before, after)", "(before, after, variant, counts), not (before, after)"),
    ("evaluation.py", "PLAYERS = {'worst': 1}\ndef _()", "PLAYERS['worst'] must be a function of (before, after, va"),
    ("evaluation.py", "def wins_at_once(state, variant)", "@kernel is missing before 'wins_at_once'"),
    ("guide.py", "def instruction(state)", "(state, variant), not (state)"),
    (
        "guide.py",
        "def clicks(action, state, variant, more)",
        "(action, state, variant), not (action, state, variant, more)",
    ),
    ("notation.py", "def way(action)", "(action, state), not (action)"),
    ("drawing.py", "def hit_areas(state)", "(state, variant), not (state)"),
    ("endings.py", "def tiers(values)", "(values, limit), not (values)"),
    ("endings.py", "def rank(state, variant)", "@kernel is missing before 'rank'"),
]


@pytest.mark.parametrize("k", range(len(FUNCTIONS)))
def test_functions_that_can_not_be_called_are_refused_with_their_arguments(run: Run, k: int, here: Path) -> None:
    file, head, message = FUNCTIONS[k]
    name = f"no_function_{k}"
    with (copy_game(TIC_TAC_TOE, here / name) / file).open("a") as written:
        written.write(f"\n\n{head}:\n    return None\n")
    check_refused(run("simulate", name, "--games", "2"), f"{name}.{file[:-3]}: ", message)


def test_a_known_game_can_be_checked_by_its_id(run: Run) -> None:
    ran = run("check", "pig-v0", "--variant", "strict", "--check", "layout")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("ok      strict: layout (")
    assert ran.out.endswith("pig-v0: 1 check passed\n")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (
            ["check", "no.where"],
            ["the package 'no.where'", "ModuleNotFoundError", "the folder that contains the package"],
        ),
        (
            ["check", "my_game/"],
            ["the package 'my_game/'", "the package's name with dots, such as my.package, not a path"],
        ),
        (["check", "."], ["the package '.'", "the package's name with dots"]),
        (
            ["check", "json"],
            ["the package 'json'", "is not the package of a game", "'TITLE', 'VERSION' and 'SEAT_NAMES'"],
        ),
        (["check", "pig", "--variant", "chess"], ["no variant 'chess'", "'pig' and 'strict'"]),
        (["check", "pig", "--check", "spelling"], ["'spelling'", "'parts'"]),
        (["check", "pig", "--games", "0"], ["--games", "1<=x"]),
        (["new-game", "MyGame"], ["'MyGame' is not a valid name"]),
        (["new-game", "my-game"], ["'my-game'", "lower-case letters"]),
        (["new-game", "class"], ["'class' is not a valid name: it is a word of the Python language"]),
        (["new-game", "json"], ["a Python module 'json' exists already"]),
        (["new-game", "agon"], ["a game 'agon' exists already, in parlour.envs.agon"]),
        (["new-game", "taken"], ["a file or folder 'taken' exists here already"]),
        (["new-game", "../up"], ["'../up' is not a valid name"]),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], parts: list[str], here: Path) -> None:
    (here / "taken").touch()
    ran = run(*arguments)
    check_error(ran, *parts)
    assert ran.out == ""
    assert os.listdir(here) == ["taken"]
