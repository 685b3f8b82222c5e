"""Results that the docs show, and whether they are out of date: `results.toml` lists them.

python benchmarks/results.py stale
python benchmarks/results.py make [NAME …] [--jobs 2] [--ray [ADDRESS]]
python benchmarks/results.py digest PATH
python benchmarks/results.py tidy FOLDER
python benchmarks/results.py publish RUN FOLDER

What a result depended on when it was made is in `results.json`, as `doit <https://pydoit.org>`_ writes it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import click
from doit.cmd_base import ModuleTaskLoader
from doit.control import TaskControl
from doit.dependency import Dependency, FileChangedChecker, JsonDB
from doit.doit_cmd import DoitMain
from doit.loader import generate_tasks
from doit.tools import config_changed
from packaging.requirements import Requirement
from packaging.version import Version
from tables import filled, has_place, output_of

import parlour
from parlour.cli import commands as command_line

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
LISTED, MADE = ROOT / "benchmarks" / "results.toml", ROOT / "benchmarks" / "results.json"
GOLDEN = ROOT / "tests" / "golden" / "digests.json"
GONE = "work", "lock", "journal.jsonl"
"""In the folder of a study, what is needed only to go on."""
NEVER = "it was never made from this list"
REASONS = {
    "uptodate_false": "the command, the rules of the game, or the version, is another",
    "missing_target": "{} is missing",
    "changed_file_dep": "{} changed",
    "added_file_dep": "it depends on {} now",
    "removed_file_dep": "it depended on {}",
    "missing_file_dep": "{} is missing",
}
"""Of doit's reasons, in words."""


class Digests(FileChangedChecker):
    """Says whether an input is another than when a result was made, for doit. Comments and docstrings of Python files
    don't count, and of a page its blocks of Python alone do."""

    def check_modified(self, file_path: str, file_stat: os.stat_result, state: str) -> bool:
        """Whether its content is another."""
        return bool(state != self.get_state(file_path, None))

    def get_state(self, dep: str, current_state: str | None) -> str:
        """A digest of its content."""
        counts = {".py": _code, ".md": _blocks}.get(Path(dep).suffix, lambda content: content)
        return hashlib.sha256(counts(Path(dep).read_bytes())).hexdigest()[:16]


def _blocks(content: bytes) -> bytes:
    """The blocks of Python of a page."""
    return b"".join(re.findall(rb"^```python\n.*?^```", content, re.DOTALL | re.MULTILINE))


def _code(content: bytes) -> bytes:
    """The lines of a Python file that are neither comments nor texts by themselves, such as docstrings."""
    lines = content.decode().splitlines()
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#")).encode()


def listed() -> dict[str, Any]:
    """What stands in `LISTED`."""
    return tomllib.loads(LISTED.read_text(encoding="utf-8"))


def tasks(ray: str | None = None) -> Iterator[dict[str, Any]]:
    """Every result as a task of doit. ``ray``: the option by which commands play on a cluster, if they take it."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for name, entry in listed().items():
        if name != "allowed":
            games = entry.get("games", [""])
            yield from (_task(f"{name}:{game}" if game else name, entry, game, golden, ray) for game in games)


def _task(name: str, entry: Mapping[str, Any], game: str, golden: Mapping[str, Any], ray: str | None) -> dict[str, Any]:
    rules = golden.get(f"{game}-v0", {})
    commands = entry["commands"][game] if isinstance(entry["commands"], dict) else entry["commands"]
    actions: list[Any] = [(check_installed, [entry.get("packages", [])])]
    page = ROOT / entry["page"].format(game=game) if "page" in entry else None
    for command in commands:
        for variant in rules if "{variant}" in command else [""]:
            words = " ".join(command.format(game=game, variant=variant).split())
            program = shlex.join(_program(shlex.split(words), ray))
            placed = page and has_place(page.read_text(encoding="utf-8"), words)
            actions.append((fill, [page, words, program]) if placed else program)
    copied = {source.format(game=game): target.format(game=game) for source, target in entry.get("copied", {}).items()}
    actions += [(copy, [ROOT / source, ROOT / target]) for source, target in copied.items()]
    made_of = parlour.__version__ if entry.get("version") else rules if entry.get("rules") else "no game"
    return {
        "basename": name,
        "actions": actions,
        "file_dep": sorted({path for text in entry.get("inputs", []) for path in _files(text.format(game=game))}),
        "targets": [*(text.format(game=game) for text in entry.get("outputs", [])), *copied.values()],
        "uptodate": [config_changed(json.dumps([commands, made_of]))],
        "verbosity": 2,
    }


def fill(page: Path, command: str, program: str) -> None:
    """Runs a program and writes what it prints into the place of its command in the page. Raises CalledProcessError if
    it fails."""
    output = output_of(program)
    page.write_text(filled(page.read_text(encoding="utf-8"), command, output), encoding="utf-8")


def copy(source: Path, target: Path) -> None:
    """Copies a file. (doit takes an action that returns a path for one that failed.)"""
    shutil.copyfile(source, target)


def check_installed(packages: Sequence[str]) -> None:
    """ValueError if a result would lack what a package that is not installed here measures."""
    missing = [text for text in packages if not _is_installed(Requirement(text))]
    if missing:
        raise ValueError(f"it needs {', '.join(missing)}: pip install {shlex.join(missing)}")


def _is_installed(package: Requirement) -> bool:
    return any(package.specifier.contains(one.version) for one in distributions(name=package.name))


def _program(words: list[str], ray: str | None) -> list[str]:
    """The words of a command that is run: Python is this one, and what can play on a cluster does."""
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    command = command_line.get_command(click.Context(command_line), words[1]) if words[0] == "parlour" else None
    takes_ray = ray and command and any("--ray" in option.opts for option in command.params)
    return [*words, str(ray)] if takes_ray else words


def _files(text: str) -> list[str]:
    """The files that a path or a pattern names; of a folder its code. ValueError if there are none."""
    paths = [path for path in ROOT.glob(text) if path.is_file()] or [*ROOT.glob(f"{text}/**/*.py")]
    if not paths:
        raise ValueError(f"{LISTED.name}: {text!r} names no file")
    return [path.relative_to(ROOT).as_posix() for path in paths]


def stale() -> dict[str, list[str]]:
    """The results that are out of date, each with the reasons."""
    control = TaskControl(list(generate_tasks("results", tasks())))
    made = Dependency(JsonDB, str(MADE), Digests)
    reasons_of = {}
    for name, task in control.tasks.items():
        status = made.get_status(task, control.tasks, get_log=True)
        if status.status != "up-to-date":
            reasons = [line for kind, what in status.reasons.items() for line in _in_words(kind, what)]
            reasons_of[name] = reasons if made.get_values(name) else [NEVER]
    return reasons_of


def _in_words(kind: str, what: Any) -> Iterator[str]:
    """A reason of doit in words."""
    several = what if isinstance(what, (list, set, tuple)) and kind != "uptodate_false" else [what]
    yield from (REASONS.get(kind, f"{kind}: {{}}").format(each) for each in several)


def allowed(name: str) -> str:
    """Why a result may be out of date in this version; empty if it may not."""
    family, entries = name.partition(":")[0], listed()
    for entry in entries.get("allowed", []):
        named = {name, family} & set(entry["results"]) and Version(parlour.__version__) < Version(entry["until"])
        if named and all(digest(path) == shown for path, shown in entry.get("only_while", {}).items()):
            return f"until version {entry['until']}, since they were {entry['reason']}"
    return "since every version makes it so" if entries[family].get("version") else ""


def digest(path: str) -> str:
    """One digest of the files that a path names, as an input of a result."""
    of_each = [f"{file} {Digests().get_state(file, None)}" for file in sorted(_files(path))]
    return hashlib.sha256("\n".join(of_each).encode()).hexdigest()[:16]


def hours_of(name: str) -> float:
    """About how many hours of processor time a result takes."""
    family, _, game = name.partition(":")
    entry, golden = listed()[family], json.loads(GOLDEN.read_text(encoding="utf-8"))
    commands = entry["commands"][game] if isinstance(entry["commands"], dict) else entry["commands"]
    runs = len(golden.get(f"{game}-v0", {})) if any("{variant}" in command for command in commands) else 1
    in_commands = sum(float(word) for command in commands for word in re.findall(r"--minutes (\S+)", command))
    return float(entry.get("minutes", in_commands)) * runs / 60


@click.group()
def main() -> None:
    """Results that the docs show."""
    os.chdir(ROOT)  # paths in the list begin there


@main.command(name="stale")
def print_stale() -> None:
    """Prints which results are out of date, and why; fails if one is that may not be."""
    reasons_of = stale()
    may_be: dict[str, list[str]] = {}
    for name, reasons in reasons_of.items():
        more = f"; and {len(reasons) - 1} more" if len(reasons) > 1 else ""
        click.echo(f"{name}: {reasons[0]}{more}")
        may_be.setdefault(allowed(name), []).append(name)
    hours = {name: hours_of(name) for name in {task["basename"] for task in tasks()}}
    stale_hours = sum(hours[name] for name in reasons_of)
    click.echo(f"about {sum(hours.values()):.0f} hours of processor time for all results, {stale_hours:.0f} for these")
    wrong = may_be.pop("", [])
    for reason, names in may_be.items():
        click.echo(f"allowed {reason}: {', '.join(names)}")
    if wrong:
        sys.exit(f"out of date, and not allowed to be: {', '.join(wrong)}; nox -s results -- {wrong[0]}")


@main.command(name="digest")
@click.argument("path")
def print_digest(path: str) -> None:
    """Prints the digest of an input, for `only_while` in the list."""
    click.echo(digest(path))


@main.command()
@click.argument("names", nargs=-1)
@click.option("--jobs", type=click.IntRange(1), default=1, help="So many at the same time.")
@click.option("--ray", is_flag=False, flag_value="", metavar="[ADDRESS]", help="Play on a Ray cluster where possible.")
def make(names: tuple[str, ...], jobs: int, ray: str | None) -> None:
    """Makes the results that are out of date, or those named alone. Rerun to resume."""
    known = {task["basename"] for task in tasks()}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"there is no result {unknown[0]!r}; results: {', '.join(sorted(known))}")
    command = ["run", "--backend", "json", "--db-file", str(MADE), "-n", str(jobs)]
    option = None if ray is None else f"--ray={ray}" if ray else "--ray"
    for more in [["--single", name] for name in names] or [[]]:
        graph = {"task_results": lambda: tasks(option), "DOIT_CONFIG": {"check_file_uptodate": Digests}}
        if status := DoitMain(ModuleTaskLoader(graph)).run([*command, *more]):
            sys.exit(status)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def tidy(folder: Path) -> None:
    """Removes from the folder of a study what is needed only to go on."""
    for name in GONE:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@main.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def publish(run: Path, folder: Path) -> None:
    """Copies what a comparison has written into a folder of the docs, without what is needed only to go on. In a folder
    with a plan.json, from which it was played, the config of the run takes its place: it names today's networks."""
    shutil.rmtree(folder / "plots", ignore_errors=True)  # a plot may be gone
    shutil.copytree(run, folder, ignore=shutil.ignore_patterns(*GONE), dirs_exist_ok=True)
    if (folder / "plan.json").exists():
        (folder / "config.json").replace(folder / "plan.json")


if __name__ == "__main__":
    main()
