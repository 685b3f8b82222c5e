"""The documents against the code: commands, examples, tables, and the conventions of every game's README."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import parlour
from parlour.arena.measures import registry
from parlour.players.names import FORMS, PLAYERS
from parlour.registry import find
from parlour.rulebook.options import Choice
from tests.support.cases import PRINTED_GAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (
    "python -m pip install . && parlour compare agon",
    'python -m pip install -e ".[test]" && python -m pytest -n auto',
)
MADE_BY_THE_SITE = ("games/index.md", "changelog.md", "contributing.md", "add_a_game.md", "cite.md")
"""Pages that are made from code or from other files when the site is built."""
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md") if path.name not in MADE_BY_THE_SITE
)
each_game = pytest.mark.parametrize("game", PRINTED_GAMES)


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def snippets(text: str) -> list[str]:
    """The blocks of Python in a page."""
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the Markdown table whose heading row begins with ``| heading |``."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    table = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return table


def test_the_two_commands_are_the_readmes_and_cis() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"    {command}\n" in README
        assert f"\n{command}\n" in ci


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize("number", range(len(snippets(README))))
def test_the_readmes_python_runs_when_pasted_alone(number: int, tmp_path: Path) -> None:
    snippet = snippets(README)[number]
    assert len([line for line in snippet.splitlines() if line.strip()]) <= 12
    script = tmp_path / "pasted.py"
    script.write_text(snippet, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("page", "number"), [(p, n) for p in PAGES for n in range(len(snippets(read(p))))])
def test_python_of_a_page_runs_alone(page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of Python of the hand-written pages, each in a namespace of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "MEASURES", dict(registry.MEASURES))  # pages show how to register one
    exec(compile(snippets(read(page))[number], f"{page}, block {number}", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *PAGES])
def test_files_that_a_page_links_to_are_there(page: str) -> None:
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", read(page)):
        target = (ROOT / page).parent / link
        assert target.exists() or link in MADE_BY_THE_SITE, link


def test_the_readme_lists_every_game_and_its_picture() -> None:
    listed = {row[0].split("`")[1]: row for row in rows(README, "game")}
    assert set(listed) == set(PRINTED_GAMES)
    for game, (_, picture, _, seats, variants) in listed.items():
        assert picture.endswith(f"(docs/pictures/{find(game).name}.png)")
        assert variants == ", ".join(f"`{name}`" for name in parlour.variants(game))
        assert int(seats.split()[0]) == len(parlour.make(game).possible_agents)


@each_game
def test_a_games_readme_agrees_with_its_spaces(game: str) -> None:
    text = find(game).readme
    env = parlour.make(game)
    layout = env.games.layout
    assert f"int8 {layout.shape}" in text
    assert f"int8 ({layout.actions},)" in text
    planes = rows(text, "plane")
    assert [int(row[0]) for row in planes] == list(range(len(layout.planes)))
    for row, plane in zip(planes, layout.planes):
        assert row[1] == plane.meaning
        assert row[2] == f"{plane.low} to {plane.high}"


@each_game
def test_a_games_readme_lists_its_variants_and_options(game: str) -> None:
    spec = find(game)
    assert [row[0].strip("`") for row in rows(spec.readme, "variant")] == [variant.name for variant in spec.variants]
    for row, variant in zip(rows(spec.readme, "variant"), spec.variants):
        differing = ", ".join(f"`{name}={value}`" for name, value in variant.values.items())
        assert row[1] == (differing or "none")
    options = rows(spec.readme, "option")
    assert [row[0].strip("`") for row in options] == [option.name for option in spec.options]
    for row, option in zip(options, spec.options):
        if isinstance(option, Choice):
            assert row[1] == ", ".join(f"`{value}`" for value in option.values)
        else:
            assert f"({option.default})" in row[1]
    for word in spec.rules.ENDS[1:]:
        if word != "repetition" or word in parlour.options(game):  # a game with dice never ends by it
            assert f"`{word}`" in spec.readme
    assert env_start(game) in spec.readme


@each_game
def test_a_games_readme_tells_its_potential_and_events(game: str) -> None:
    spec = find(game)
    assert "`potential`" in spec.readme
    events = rows(spec.readme, "event")
    assert [row[0].strip("`") for row in events] == list(spec.evaluation.EVENTS)
    assert all(meaning for _, meaning in events)


@each_game
def test_a_games_readme_has_the_history_of_its_versions(game: str) -> None:
    versions = rows(find(game).readme, "version")
    name, _, number = game.rpartition("-v")
    assert [row[0] for row in versions] == [f"`{name}-v{n}`" for n in range(int(number) + 1)]
    assert all(reason for _, _, reason in versions)


def env_start(game: str) -> str:
    env = parlour.make(game)
    env.reset(seed=0)
    return env.position()


@each_game
def test_what_there_is_in_one_line_each(game: str) -> None:
    for lines in (parlour.games(), parlour.variants(game), parlour.options(game)):
        for line in lines.values():
            assert line
            assert "\n" not in line


def test_public_names_have_docstrings() -> None:
    for name in parlour.__all__:
        if not name.startswith("__"):
            assert (getattr(parlour, name).__doc__ or "").strip(), name


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def needs(example: Path) -> list[str]:
    """The requirements in an example's inline script metadata (PEP 723), by which `noxfile.py` goes too."""
    stated = re.findall(r"^# dependencies = (\[.*\])$", example.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(stated) == 1, f"{example.name} does not state what it needs in one line"
    found: list[str] = ast.literal_eval(stated[0])
    return found


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES if needs(path) == ["parlour"]], ids=lambda path: path.stem
)
def test_examples_run_as_they_stand(example: Path, tmp_path: Path) -> None:
    """Those that need nothing but the package; `nox` runs the others in environments of their own."""
    for arguments in (["--quick"], ["--help"]):
        done = subprocess.run(
            [sys.executable, str(example), *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()


def test_a_person_plays_by_names_of_moves() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "human_vs_agent.py"), "--against", "random"],
        input="?\na1-a9\nd1-c1\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    env = parlour.make("swords_and_shields-v0")
    env.reset(seed=0)
    assert " ".join(env.legal_moves()) in done.stdout
    assert "'a1-a9' is not legal here" in done.stdout
    left = done.stdout.splitlines()[-1].partition("stopped at ")[2]
    env.reset(options={"position": left})
    assert "plies=2" in env.position()


def test_the_examples_readme_lists_every_example() -> None:
    listed = rows((ROOT / "examples" / "README.md").read_text(encoding="utf-8"), "example")
    assert [row[0].split("`")[1] for row in listed] == [path.name for path in EXAMPLES]


def test_nothing_names_a_machine() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    pattern = re.compile(r"(^|[^A-Za-z0-9_./-])/(home|root|tmp)/\w")
    for name in filter(None, done.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml") and path.is_file():
            assert not pattern.search(path.read_text(encoding="utf-8")), name


def test_the_page_of_players_has_every_form_of_name() -> None:
    listed = " ".join(row[0] for row in rows(read("docs/players.md"), "name"))
    kinds = {form.partition(":")[0] for form in (*PLAYERS, *FORMS)}
    assert {name.partition(":")[0] for name in re.findall(r"`([^`]+)`", listed)} == kinds


def test_the_page_of_speed_is_written_by_one_command() -> None:
    """Every table names the command that prints it; `benchmarks/tables.py` puts what they print in its place."""
    spec = spec_from_file_location("tables", ROOT / "benchmarks" / "tables.py")
    assert spec
    assert spec.loader
    tables = module_from_spec(spec)
    spec.loader.exec_module(tables)
    page = tables.PAGE.read_text(encoding="utf-8")
    commands = [command for _, command, _, _ in tables.TABLE.findall(page)]
    assert page.count("\n|---|") + page.count("\n| --- |") >= len(commands) > 3
    for command in commands:
        assert (ROOT / command.split()[1]).is_file(), command
    printed = "A title:\n\n\n| game    |   × |\n|---------|-----|\n| agon-v0 | 1.5 |\n   \n"
    renewed = tables.renewed(page, lambda command: f"{command}\n{printed}")
    assert [table for _, _, table, _ in tables.TABLE.findall(renewed)] == [
        f"{command}\nA title:\n\n| game | × |\n| --- | --- |\n| agon-v0 | 1.5 |\n" for command in commands
    ]
    assert f"Version {parlour.__version__}," in renewed
    assert tables.TABLE.sub("", tables.MEASURED.sub("", renewed)) == tables.TABLE.sub("", tables.MEASURED.sub("", page))


def test_tables_of_the_comparisons_are_those_of_their_figures() -> None:
    """The README of docs/compare shows no row that its script does not print from the results beside it."""
    folder = ROOT / "docs" / "compare"
    printed = subprocess.run(
        [sys.executable, "-X", "utf8", str(folder / "tables.py")], capture_output=True, encoding="utf-8", check=True
    ).stdout.splitlines()  # fmt: skip
    shown = [line for line in (folder / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert shown
    assert [line for line in shown if line not in printed] == []
