"""The list of results that the docs show, and what is told of those that are out of date."""

from __future__ import annotations

import json
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import parlour

ROOT = Path(__file__).parents[1]


def module() -> Any:
    sys.path.append(str(ROOT / "benchmarks"))
    spec = spec_from_file_location("results", ROOT / "benchmarks" / "results.py")
    assert spec
    assert spec.loader
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    sys.path.remove(str(ROOT / "benchmarks"))
    return found


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, for a list of two results of which the second is made of the first."""
    found = module()
    for name, path in (("ROOT", ""), ("LISTED", "list.toml"), ("MADE", "made.json"), ("GOLDEN", "golden.json")):
        monkeypatch.setattr(found, name, tmp_path / path)
    copy = "python -c \"import sys; a, b = sys.argv[1:]; open(b, 'w').write(open(a).read() + '!')\""
    (tmp_path / "list.toml").write_text(
        f"""
[first]
games = ["pig"]
rules = true
inputs = ["seed.txt"]
commands = ['''{copy} seed.txt {{game}}.txt''']
outputs = ["{{game}}.txt"]
[second]
inputs = ["pig.txt"]
commands = ['''{copy} pig.txt second.txt''']
outputs = ["second.txt"]
copied = {{ "second.txt" = "copied.txt" }}
[speed]
version = true
commands = ["python -c pass"]
""",
        encoding="utf-8",
    )
    (tmp_path / "golden.json").write_text('{"pig-v0": {"pig": "1"}}', encoding="utf-8")
    (tmp_path / "seed.txt").write_text("a", encoding="utf-8")
    (tmp_path / "pig.txt").touch()
    monkeypatch.chdir(tmp_path)
    return found


def made(results: Any, *names: str) -> int:
    """The exit status of `make`, in a process of its own, as `doit` remembers tasks."""
    places = {name: str(getattr(results, name)) for name in ("ROOT", "LISTED", "MADE", "GOLDEN")}
    code = (
        "import runpy, sys, json; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import results\n"
        "for name, path in json.loads(sys.argv[2]).items(): setattr(results, name, Path(path))\n"
        "results.main(['make', *sys.argv[3:]])"
    )
    words = [sys.executable, "-c", code, str(ROOT / "benchmarks"), json.dumps(places), *names]
    return subprocess.run(words, capture_output=True).returncode


def test_results_are_made_in_their_order_and_are_then_up_to_date(results: Any, tmp_path: Path) -> None:
    assert results.stale() == {name: [results.NEVER] for name in ("first:pig", "second", "speed")}
    assert made(results) == 0
    assert (tmp_path / "second.txt").read_text() == (tmp_path / "copied.txt").read_text() == "a!!"
    assert results.stale() == {}
    (tmp_path / "seed.txt").write_text("b")
    assert results.stale() == {"first:pig": ["seed.txt changed"]}
    assert made(results, "first:pig") == 0
    assert results.stale() == {"second": ["pig.txt changed"]}
    (tmp_path / "second.txt").unlink()
    assert set(results.stale()["second"]) == {"second.txt is missing", "pig.txt changed"}
    assert made(results) == 0
    (tmp_path / "golden.json").write_text('{"pig-v0": {"pig": "2"}}')
    assert results.stale() == {"first:pig": ["the command, the rules of the game, or the version, is another"]}


def test_a_result_of_another_command_is_out_of_date(results: Any, tmp_path: Path) -> None:
    assert made(results) == 0
    listed = (tmp_path / "list.toml").read_text(encoding="utf-8")
    (tmp_path / "list.toml").write_text(listed.replace("python -c pass", "python -c 1"), encoding="utf-8")
    assert results.stale() == {"speed": ["the command, the rules of the game, or the version, is another"]}


@pytest.mark.parametrize(
    ("name", "content", "alike", "other"),
    [
        ("code.py", '"""A."""\n\nA = 1\n"""A number."""\n', '# A comment.\n"""The\nA."""\nA = 1\n', "A = 2\n"),
        ("page.md", "A.\n```python\nA = 1\n```\n", "The A:\n\n```python\nA = 1\n```\n", "A.\n```python\nA = 2\n```\n"),
    ],
)
def test_what_is_no_code_makes_nothing_out_of_date(
    results: Any, tmp_path: Path, name: str, content: str, alike: str, other: str
) -> None:
    listed, file = (tmp_path / "list.toml").read_text(encoding="utf-8"), tmp_path / name
    (tmp_path / "list.toml").write_text(listed.replace('["seed.txt"]', f'["seed.txt", "{name}"]'), encoding="utf-8")
    file.write_text(content)
    assert made(results) == 0
    file.write_text(alike)
    assert results.stale() == {}
    file.write_text(other)
    assert results.stale() == {"first:pig": [f"{name} changed"]}


def test_what_a_command_prints_goes_to_its_place(results: Any, tmp_path: Path) -> None:
    """In the page of its result; other places and the text around them stay."""
    command = "python -c \"print('A: | {game} |')\""
    with (tmp_path / "list.toml").open("a", encoding="utf-8") as end:
        end.write(f"[third]\ngames = ['pig']\nversion = true\npage = 'page.md'\ncommands = ['''{command}''']\n")
    page = "Text.\n<!-- table: {} -->\nold\n<!-- end of table -->\n<!-- table: other -->\nold\n<!-- end of table -->\n"
    page = page.format(command.format(game="pig"))
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    assert made(results, "third:pig") == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page.replace("old", "A: | pig |", 1)
    (tmp_path / "list.toml").write_text(
        (tmp_path / "list.toml").read_text().replace("print(", "fail("), encoding="utf-8"
    )
    (tmp_path / "page.md").write_text(page.replace("print(", "fail("), encoding="utf-8")
    assert made(results, "third:pig") != 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page.replace("print(", "fail(")


def test_several_results_are_made_by_their_names(results: Any) -> None:
    assert made(results, "speed", "first:pig") == 0
    assert set(results.stale()) == {"second"}


@pytest.mark.parametrize("package", ["no-such-package", "numpy>=99"])
def test_a_result_that_would_lack_a_package_is_not_made(package: str, results: Any, tmp_path: Path) -> None:
    with (tmp_path / "list.toml").open("a", encoding="utf-8") as end:
        end.write(f'[third]\npackages = ["{package}"]\nversion = true\ncommands = ["python -c pass"]\n')
    assert made(results, "third") != 0
    assert "third" in results.stale()


def test_what_is_out_of_date_fails_unless_it_may_be(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, file = CliRunner(), tmp_path / "list.toml"
    ran = runner.invoke(results.main, ["stale"])
    assert ran.exit_code == 1
    assert "first:pig: it was never made from this list" in ran.output
    assert "not allowed to be: first:pig, second; nox -s results -- first:pig" in str(ran.output)
    with file.open("a", encoding="utf-8") as end:
        end.write('[[allowed]]\nresults = ["first", "second"]\nuntil = "9.0"\nreason = "made long ago"\n')
    ran = runner.invoke(results.main, ["stale"])
    assert ran.exit_code == 0
    assert "allowed until version 9.0, since they were made long ago: first:pig, second" in ran.output
    assert "allowed since every version makes it so: speed" in ran.output
    monkeypatch.setattr(results.parlour, "__version__", "9.0.1")
    assert runner.invoke(results.main, ["stale"]).exit_code == 1


def test_what_may_be_out_of_date_while_an_input_is_as_it_was(results: Any, tmp_path: Path) -> None:
    shown = results.digest("seed.txt")
    with (tmp_path / "list.toml").open("a", encoding="utf-8") as end:
        end.write('[[allowed]]\nresults = ["first"]\nuntil = "9.0"\nreason = "the same with this seed"\n')
        end.write(f'only_while = {{ "seed.txt" = "{shown}" }}\n')
    assert results.allowed("first:pig")
    (tmp_path / "seed.txt").write_text("another", encoding="utf-8")
    assert not results.allowed("first:pig")


def test_the_list_names_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every input, every output and every page; and commands of scripts that are there."""
    monkeypatch.chdir(ROOT)
    results = module()
    entries = {name: entry for name, entry in results.listed().items() if name != "allowed"}
    for task in results.tasks():
        assert task["file_dep"] or entries[task["basename"]].get("version")
        for path in task["targets"]:
            assert (ROOT / path).exists(), path
    for name, entry in entries.items():
        games = entry.get("games", [""])
        assert {"page", "outputs", "copied"} & set(entry), name
        for game in games:
            assert (ROOT / entry.get("page", "README.md").format(game=game)).exists()
            commands = entry["commands"][game] if isinstance(entry["commands"], dict) else entry["commands"]
            for words in (command.split() for command in commands):
                assert words[0] in ("parlour", "sh") or (ROOT / words[1]).exists(), words


def commands_of_the_list(results: Any) -> Iterator[list[str]]:
    for name, entry in results.listed().items():
        for game in entry.get("games", [""]) if name != "allowed" else []:
            commands = entry["commands"][game] if isinstance(entry["commands"], dict) else entry["commands"]
            yield from (shlex.split(command.format(game=game, variant="classic")) for command in commands)


def test_programs_take_the_commands_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their options, at least; those of programs of packages that are not installed are not looked at."""
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    results, looked_at = module(), 0
    for program, name, *arguments in commands_of_the_list(results):
        command = results.command_line.get_command(click.Context(results.command_line), name)
        if program == "python":
            with suppress(ImportError):
                command = runpy.run_path(name).get("main")
        if isinstance(command, click.Command):
            looked_at += 1
            with suppress(click.BadParameter):  # a file that an earlier command writes
                command.make_context(name, arguments)
    assert looked_at > 60


def test_the_time_of_results_is_told(results: Any) -> None:
    """By the list, or by the commands; of a result that each variant has, for each of them."""
    real = module()
    assert real.hours_of("champion:agon") == 40 / 60
    assert real.hours_of("ladder:royal_ur") == pytest.approx(0.1 * len(parlour.variants("royal_ur-v0")))
    assert (
        "about 0 hours of processor time for all results, 0 for these"
        in CliRunner().invoke(results.main, "stale").output
    )


def test_a_comparison_is_published_without_what_is_needed_to_go_on(results: Any, tmp_path: Path) -> None:
    run, folder = tmp_path / "run", tmp_path / "folder"
    for place, name in (
        (run, "journal.jsonl"),
        (run, "config.json"),
        (run, "plots/new.svg"),
        (folder, "plots/old.svg"),
    ):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).touch()

    def published() -> set[str]:
        assert CliRunner().invoke(results.main, ["publish", str(run), str(folder)]).exit_code == 0
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    (folder / "network.value").touch()
    assert published() == {"config.json", "plots/new.svg", "network.value"}
    (folder / "config.json").rename(folder / "plan.json")
    (run / "config.json").write_text("new")
    assert published() == {"plan.json", "plots/new.svg", "network.value"}
    assert (folder / "plan.json").read_text() == "new"


def test_an_unknown_result_is_named(results: Any) -> None:
    ran = CliRunner().invoke(results.main, ["make", "third"])
    assert ran.exit_code == 2
    assert "there is no result 'third'; results: first:pig, second, speed" in ran.output


def test_what_can_play_on_a_cluster_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    actions = {task["basename"]: task["actions"][1:] for task in module().tasks("--ray=10.0.0.1:6379")}
    for name in ("champion:agon", "ladder:royal_ur", "atlas:checkers", "comparison:agon"):
        assert actions[name][0].endswith(" --ray=10.0.0.1:6379")
    for name in ("luck", "speed"):
        assert "--ray" not in str(actions[name])
    without = {task["basename"]: task["actions"] for task in module().tasks()}
    assert not [action for several in without.values() for action in several if "--ray" in str(action)]
