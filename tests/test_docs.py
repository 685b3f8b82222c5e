"""The documents against the code: commands, examples, tables, and the conventions of every game's README."""

from __future__ import annotations

import ast
import csv
import hashlib
import math
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from runpy import run_path
from typing import Any

import click
import numpy as np
import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import parlour
from parlour.arena import compare
from parlour.arena.measures import registry
from parlour.cli import commands
from parlour.engine.game import CHAMPION
from parlour.interfaces.registry import find
from parlour.players.names import NAMES
from parlour.records import read_records, replay
from parlour.rulebook.options import Choice
from tests.support.cases import PRINTED_GAMES

ROOT = Path(__file__).parent.parent


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


README = read("README.md")
COMMANDS = (
    "python -m pip install . && parlour compare agon",
    'python -m pip install -e ".[test]" && python -m pytest -n auto',
)
GAME_PAGES = tuple(f"games/{find(game).name}.md" for game in PRINTED_GAMES)
MADE_BY_THE_SITE = ("games/index.md", *GAME_PAGES, "changelog.md", "contributing.md", "add_a_game.md", "cite.md")
"""Pages that are made from code or from other files when the site is built."""
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md") if path.name not in MADE_BY_THE_SITE
)
TUTORIALS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/tutorials").glob("*.md"))
HOW_TO = [
    f"docs/{name}.md"
    for name in re.findall(r"^\w+$", read("docs/index.md").split(":caption:")[2], re.MULTILINE)
    if f"{name}.md" not in MADE_BY_THE_SITE
]
HOW_TO += [page for page in TUTORIALS if page != "docs/tutorials/index.md"]
"""Pages that people follow step by step."""
REFERENCE = "docs/measures.md"
"""Beside them, a page to look things up in."""
SIGNS = {
    "onnx": r"\b(policy|az):\w",
    "learn": r"(?m:^(import|from) (torch|sb3_contrib|matplotlib)\b)|export_torch|RatingCallback\(",
    "ray": r"--ray\b",
    "human": r'"human"',
    "web": r"\bparlour serve\b",
    "frames": r"to_frame|DataFrame|\.figures\b",
    "openspiel": r"OpenSpielGame\(|wrappers\.openspiel_game",
    "minari": r"to_minari",
    "openenv": r"\bparlour openenv\b",
    "verifiers": r"adapters\.verifiers",
    "cuda": r"device=\"cuda\"",
}
"""What of a page needs an extra."""
STANDS_FOR_A_GAME = re.compile(r"\b(GAME|my_game|my\.package|nim)\b")
STALE = {
    r"(after|until|from|before) the first release": "CHANGELOG.md lists releases",
    r"(was|were) run when (this|the) site": "a site can be built without running them",
    r"may take (a|half a|some|up to|about|\d+)\b[^.]{0,20}\b(second|minute)": "it depends on the machine",
}
ESTIMATE = re.compile(r"\[[+−]?\d[\d.,]*(?: %)?(?:,| to) [+−]?\d|[+−]\d+ Elo|\d times as fast")
CITED = re.compile(r"([−]?\d[\d,.]*)(?: [a-z%][a-z ]*)? \[([−]?\d[\d,.]*) to ([−]?\d[\d,.]*)\]")
"""An estimate with its interval, and perhaps a unit, in a sentence."""
CARDS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "envs").glob("*/*.md"))
MEASURED_ONCE = ("docs/learning_tried.md", "docs/changelog.md")
"""Pages of what was measured once."""
SINGLE_EXPERIMENTS = ("strength", "trained_otherwise", "hidden_units")
"""Benchmarks beside earlier versions, and of networks that were trained for one comparison."""
each_game = pytest.mark.parametrize("game", PRINTED_GAMES)


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


@pytest.mark.parametrize("page", HOW_TO)
def test_a_how_to_says_at_its_head_what_it_needs(page: str) -> None:
    _, needs, *rest = re.split(r"\n\n+", re.sub(r"\A---\n.*?\n---\n+", "", read(page), flags=re.DOTALL))
    assert needs.startswith("Needs: "), page
    named, body = set(re.findall(r"`parlour\[(\w+)\]`", needs)), "\n".join(rest)
    assert named == {extra for extra, sign in SIGNS.items() if re.search(sign, body)}


@pytest.mark.parametrize("page", ["docs/index.md", *(page for page in HOW_TO if page in PAGES and page != REFERENCE)])
def test_a_how_to_has_150_lines_at_most_and_paragraphs_of_five(page: str) -> None:
    text = read(page)
    assert len(text.splitlines()) <= 150
    prose = re.sub(r"^```.*?^```|^(?:#|\|| {4}).*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*(?:\*|\d+\.) )", prose)
    assert [lines for lines in paragraphs if len(lines.strip().splitlines()) > 5] == []


def test_every_extra_is_known_and_listed() -> None:
    extras = set(tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"])
    assert set(SIGNS) <= extras
    assert {row[0].strip("`") for row in rows(read("docs/start.md"), "extra")} == {f"parlour[{name}]" for name in SIGNS}


@pytest.mark.parametrize(("words", "why"), STALE.items())
def test_no_page_says_what_a_release_makes_false(words: str, why: str) -> None:
    """These were true when they were written; nobody looks at them again."""
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "src/parlour/serve/templates").glob("*.html")]
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *pages]:
        found = re.search(words, " ".join(path.read_text(encoding="utf-8").split()), re.IGNORECASE)
        assert found is None, f"{path}: {found and found[0]!r}: {why}"


def test_pages_name_the_file_of_a_champion_as_the_code_does() -> None:
    text = read("docs/train_without_pytorch.md")
    assert f"    cp runs/train_my_game/my_game.value my_game/{CHAMPION}\n" in text
    assert f"`{CHAMPION}` in the game's folder" in text


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 90


def test_the_readmes_python_is_short() -> None:
    for snippet in snippets(README):
        assert len([line for line in snippet.splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize(
    ("page", "number"), [(p, n) for p in ["README.md", *PAGES] for n in range(len(snippets(read(p))))]
)
def test_python_of_a_page_runs_alone(page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of Python of the README and the hand-written pages, each in a namespace of its own. Blocks for
    libraries that need an environment of their own are run there, by `nox -s libraries`."""
    code = snippets(read(page))[number]
    libraries = "pyspiel|sb3_contrib|tianshou|torch|torchrl"
    for library in re.findall(rf"^(?:from|import) ({libraries})\b", code, re.MULTILINE):
        pytest.importorskip(library, reason=f"{library} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "MEASURES", dict(registry.MEASURES))  # pages show how to register one
    exec(compile(code, f"{page}, block {number}", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "examples/README.md", *PAGES, *TUTORIALS])
def test_commands_of_a_page_are_understood(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those within a sentence by their names and options alone, since arguments may be left out there."""
    monkeypatch.setattr(click.Path, "convert", lambda kind, value, option, context: value)  # files are made up
    text = STANDS_FOR_A_GAME.sub("checkers", read(page).replace("\\\n", " "))
    blocks = re.findall(r"^```\w*\n(.*?)^```|^((?: {4}[^\n]*\n)+)", text, re.DOTALL | re.MULTILINE)
    for line in re.findall(r"^ *(?:\$ )?(parlour .*)$", "\n".join(map("".join, blocks)), re.MULTILINE):
        understand(re.split(r" +# | && | > ", line)[0])
    for line in re.findall(r"`(parlour [^`&]+)", text):
        with suppress(click.BadParameter, click.BadOptionUsage):
            understand(line.replace("…", "checkers"))


def understand(line: str) -> None:
    """Parses the line of a command. UsageError for an unknown command or option, BadParameter for an argument that is
    missing or not valid, BadOptionUsage for an option without its value."""
    with commands.make_context("parlour", shlex.split(line)[1:]) as context:
        first = vars(context).get("_protected_args") or context.protected_args  # click before 8.2 has the second alone
        name, command, rest = commands.resolve_command(context, [*first, *context.args])
        assert command is not None
        with suppress(click.exceptions.Exit):  # --help
            command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *PAGES])
def test_files_that_a_page_links_to_are_there(page: str) -> None:
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", read(page)):
        target = (ROOT / page).parent / link
        assert target.exists() or link in MADE_BY_THE_SITE, link


def test_the_first_page_of_the_site_has_a_picture_of_every_game() -> None:
    text = read("docs/index.md")
    for page in GAME_PAGES:
        name = page.removeprefix("games/").removesuffix(".md")
        assert re.search(rf"^\[!\[.+\]\(pictures/{name}\.png\) .+\]\({page}\)$", text, re.MULTILINE)


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
def test_examples_run_as_they_stand(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that need nothing but the package; `nox` runs all as programs, in environments of their own."""
    monkeypatch.chdir(tmp_path)
    for argument in ("--quick", "--help"):
        monkeypatch.setattr(sys, "argv", [str(example), argument])
        try:
            run_path(str(example), run_name="__main__")
        except SystemExit as stop:
            assert not stop.code
        out, err = capsys.readouterr()
        assert out.strip(), err


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


def test_the_page_of_players_has_the_table_of_the_command() -> None:
    table = {name.strip("`"): re.sub(r"\[(.+?)\]\(.+?\)", r"\1", meaning) for name, meaning in
             rows(read("docs/players.md"), "name")}  # fmt: skip
    assert table == NAMES


def benchmark(name: str) -> Any:
    """A module of the folder ``benchmarks``."""
    return module_of(ROOT / "benchmarks" / f"{name}.py")


def module_of(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_ladders_is_that_of_the_ladders() -> None:
    ladders = benchmark("ladders")
    page = ladders.PAGE.read_text(encoding="utf-8")
    assert ladders.renewed(page) == page
    assert ladders.renewed(page.replace("`champion:4` +", "`champion:4` −")) == page
    assert ladders.PICTURE.read_text(encoding="utf-8") == ladders.drawn()


@pytest.mark.parametrize("name", [page for page in (*PAGES, *CARDS) if "<!-- table" in read(page)])
def test_measured_tables_of_a_page_are_written_by_their_commands(name: str) -> None:
    """Every table names the command that prints it. The list of results has that command, or `benchmarks/tables.py`,
    which runs all of a page."""
    tables, page = benchmark("tables"), read(name)
    listed, places = " ".join(read("benchmarks/results.toml").split()), tables.TABLE.findall(page)
    all_at_once = f'"python benchmarks/tables.py {name}"' in listed
    for _, _, command, content, _ in places:
        assert all_at_once or f'"{command}"' in listed, command
        assert (ROOT / command.split()[1]).is_file(), command
        assert re.search(r"^\|( ?---)|^\*\d", content, re.MULTILINE), command
    renewed = tables.renewed(page, lambda command: command + 9 * f"\n\n| {command} |\n|---|\n")
    for _, number, command, content, _ in tables.TABLE.findall(renewed):
        assert content.startswith("| " * bool(number) + command)
    assert (f"Version {parlour.__version__}," in renewed) == ("<!-- measured -->" in page)
    assert tables.TABLE.sub("", tables.MEASURED.sub("", renewed)) == tables.TABLE.sub("", tables.MEASURED.sub("", page))


def test_what_a_command_prints_is_made_smaller_in_its_places() -> None:
    tables = benchmark("tables")
    page = "<!-- table: a -->\n<!-- end of table -->\n<!-- table 2: a -->\n<!-- end of table -->\n<!-- table: b -->\n"
    printed = "A title:\n\n\n| game    |   × |\n|---------|-----|\n| agon-v0 | 1.5 |\n   \nAnother:\n\n"
    printed += "| game |\n|---|\n<!-- 3 s -->\n| pig |\n"
    first, second = "| game | × |\n| --- | --- |\n| agon-v0 | 1.5 |\n", "| game |\n| --- |\n| pig |\n"
    assert tables.filled(page, "a", printed) == (
        f"<!-- table: a -->\nA title:\n\n{first}\nAnother:\n\n{second}<!-- end of table -->\n"
        f"<!-- table 2: a -->\n{second}<!-- end of table -->\n<!-- table: b -->\n"
    )
    with pytest.raises(ValueError, match="a has printed no table 2"):
        tables.filled(page, "a", first)


@pytest.mark.parametrize("name", [page for page in (*PAGES, *CARDS) if page not in MEASURED_ONCE])
def test_no_sentence_has_an_estimate(name: str) -> None:
    """Estimates with their intervals stand in tables and in what commands print, where they are found and made anew."""
    prose = re.sub(r"^```.*?^```|^(?:\||    ).*?$|`[^`]*`", "", read(name), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.splitlines() if ESTIMATE.search(line)] == []


def test_the_list_of_results_has_every_benchmark_that_a_page_names() -> None:
    listed = read("benchmarks/results.toml")
    commands = "\n".join(line for line in listed.splitlines() if not line.startswith("#"))
    filled = "".join(read(page) for page in PAGES if f"benchmarks/tables.py {page}" in commands)
    commands += "".join(re.findall(r"<!-- table(?: \d+)?: (.+?) -->", filled))
    made = {*re.findall(r"python benchmarks/(\w+)\.py", commands), *SINGLE_EXPERIMENTS}
    for page in (page for page in (*PAGES, *CARDS) if page not in MEASURED_ONCE):
        assert {*re.findall(r"benchmarks/(\w+)\.py", read(page))} - made == set(), page


def test_tables_of_the_comparisons_are_those_of_their_figures() -> None:
    """The README of docs/compare shows what its script prints from the results beside it, and the commands that were
    run."""
    made, tables = module_of(ROOT / "docs" / "compare" / "tables.py"), benchmark("tables")
    text = read("docs/compare/README.md")
    places = tables.TABLE.findall(text)
    for _, _, command, content, _ in places:
        assert tables.squeezed("\n".join(made.printed(*command.split()[2:]))) == tables.squeezed(content), command
    assert not re.search(r"^(\||\*\d)", tables.TABLE.sub("", text), re.MULTILINE)
    blocks = re.findall(r"^    (parlour compare(?:.*\\\n)*.*)", text, re.MULTILINE)
    commands = [" ".join(block.replace("\\\n", " ").split()) for block in blocks]
    folders = [command.split()[2] for _, _, command, _, _ in places if command.endswith(" facts")]
    assert commands == [made.command(ROOT / "docs" / "compare" / name) for name in folders]


def test_estimates_in_sentences_of_the_comparisons_are_those_of_their_figures() -> None:
    """Each with its interval is a row of a table beside the README or of an atlas, or stands on the card of a champion.
    A difference may be told the other way round; tables of tests have only its interval."""
    rows = [
        [float(row[column]) if row.get(column) else math.nan for column in ("estimate", "low", "high")]
        for file in sorted((ROOT / "docs").glob("*/*/*.csv"))
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        if row.get("low") and row.get("high")
    ]
    table = np.array(rows + [[-value, -high, -low] for value, low, high in rows])
    sentences = " ".join(re.sub(r"^(?:\||    ).*?$", "", read("docs/compare/README.md"), flags=re.MULTILINE).split())
    cited = CITED.findall(sentences)
    assert len(cited) > 20
    for texts in cited:
        value, low, high = (float(text.replace("−", "-").replace(",", "")) for text in texts)
        half = [0.5 * 10 ** -len(text.partition(".")[2]) + 1e-9 for text in texts]
        same = abs(table - [value, low, high]) <= half
        known = (same[:, 0] | np.isnan(table[:, 0])) & same[:, 1] & same[:, 2]
        on_cards = f"{texts[0]} | {texts[1]} to {texts[2]} |", f"−{texts[0]} | −{texts[2]} to −{texts[1]} |"
        assert known.any() or any(text in read(card) for card in CARDS for text in on_cards), texts


@pytest.mark.parametrize(
    "folder",
    sorted(path.parent for path in (ROOT / "docs" / "atlas").glob("*/atlas.toml")),
    ids=lambda folder: folder.name,
)
def test_an_atlas_is_whole_and_small(folder: Path) -> None:
    """Every file is the one that was written, none is missing or added, and all are at most 2 MB."""
    lines = [line.split("  ", 1) for line in (folder / "digests.txt").read_text(encoding="utf-8").splitlines()]
    named = {name: digest for digest, name in lines if not name.startswith(("player ", "rules of "))}
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(files) - {"digests.txt"} == set(named)
    assert {name: hashlib.sha256(files[name]).hexdigest() for name in named} == named
    assert sum(map(len, files.values())) <= 2_000_000


def test_the_files_of_a_comparison_are_all_listed(tmp_path: Path) -> None:
    compare("swords_and_shields-v0", variants=["tablut"], players=["random"], skill=None, games=4, folder=tmp_path)
    listed = {name for row in rows(read("docs/compare_rules.md"), "file") for name in re.findall(r"`([^`]+)`", row[0])}
    assert {file.name for file in tmp_path.iterdir()} == listed


def test_the_longest_endings_last_as_long_as_the_page_says() -> None:
    """The records beside the page are games by the rules, from the positions and with the lengths of its table."""
    found = []
    for record in read_records(ROOT / "docs" / "endings" / "longest.jsonl"):
        *_, env = replay(record, "longest.jsonl")
        assert env.is_over()
        found.append([str(len(record.moves)), f"`{record.position}`", record.end])
    _, _, shown = read("docs/exact_measured.md").partition("<!-- table: python benchmarks/longest_endings.py")
    assert found == [row[2:] for row in rows(shown, "table")]
