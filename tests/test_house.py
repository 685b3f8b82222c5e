"""The house stays small: how many rooms there are, and how many ways between them.

A room is a folder or a file of ``src/parlour``, or one of ``envs``, ``wrappers``, ``benchmarks``. Imports inside
functions and those for type checkers count like any other. Which room stands above which is a contract of
import-linter (`pyproject.toml`). And its names say what they hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOTS = {"parlour.envs": "envs", "parlour.wrappers": "wrappers", "benchmarks": "benchmarks", "parlour": "src/parlour"}
MAX_ROOMS, MAX_ARROWS = 16, 80
MAX_ROOMS_OF_ARENA, MAX_ARROWS_OF_ARENA = 11, 43
"""Within ``arena``, its own files among the rooms."""
WORDS = frozenset({"one", "own", "found", "told", "said", "kept", "lead", "worth", "among", "news"})
USERS_KNOW = {
    ("src/parlour/arena/atlases.py", "found"),  # in the files of a half-made atlas
    ("src/parlour/arena/ladders/rating.py", "worth"),  # `Rating.worth`
    ("src/parlour/arena/matches/tally.py", "worth"),  # `Score.worth`
    ("wrappers/snapshot_folder.py", "kept"),  # in the manifest of a pool
}
BRIEF = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@cache
def modules() -> dict[str, Path]:
    """Every module of the package and of ``benchmarks``, by its name. The starter games are data, no rooms."""
    named = {}
    for package, folder in ROOTS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            if not {"starter", "starter_dice"} & set(parts):
                named[".".join([package, *parts]).removesuffix(".__init__")] = path
    del named["parlour"]  # the face of the package hands names on
    return named


def imported(module: str) -> Iterator[str]:
    """The modules that a module imports, once each or more often."""
    path = modules()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            while name and name not in modules():
                name = name.rpartition(".")[0]
            if name and name != module:
                yield name


@cache
def graph() -> dict[str, set[str]]:
    """What each module imports."""
    return {module: set(imported(module)) for module in modules()}


def room_of(module: str) -> str:
    """The folder or file of the main floor in which a module lies."""
    parts = module.split(".")
    return parts[1] if parts[0] == "parlour" else parts[0]


def test_there_are_few_rooms() -> None:
    assert len({room_of(module) for module in modules()} - {"__main__"}) <= MAX_ROOMS


def test_there_are_few_ways_between_rooms() -> None:
    between = {(room_of(module), room_of(other)) for module, others in graph().items() for other in others}
    assert len({(room, other) for room, other in between if room != other}) <= MAX_ARROWS


def test_arena_has_few_rooms_and_ways() -> None:
    room = {module: module.split(".")[2] for module in modules() if module.startswith("parlour.arena.")}
    between = {(room[module], room[other]) for module in room for other in graph()[module] if other in room}
    assert len(set(room.values())) <= MAX_ROOMS_OF_ARENA
    assert len({(one, other) for one, other in between if one != other}) <= MAX_ARROWS_OF_ARENA


def bound_names(path: Path) -> Iterator[str]:
    """The variables, parameters and attributes that a file binds, but for those of a comprehension of one line."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    short = [node for node in nodes if isinstance(node, BRIEF) and node.lineno == node.end_lineno]
    brief = {id(name) for node in short for part in node.generators for name in ast.walk(part.target)}
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store) and id(node) not in brief:
            yield node.id if isinstance(node, ast.Name) else node.attr


def test_names_say_what_they_hold() -> None:
    """None is called ``one``, ``own``, ``found``, ``told``, ``said``, ``kept``, ``lead``, ``worth``, ``among`` or
    ``news`` (`WORDS`; CONTRIBUTING.md, "Words"), but for what users and their files know."""
    folders = ("src", "envs", "wrappers", "benchmarks", "examples")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    bound = {(path.relative_to(ROOT).as_posix(), name) for path in paths for name in bound_names(path)}
    assert {(file, name) for file, name in bound if name in WORDS} == USERS_KNOW


def test_benchmarks_and_examples_import_modules_that_there_are() -> None:
    """Most of them run only when somebody needs their figures."""
    trees = [
        ast.parse(path.read_text("utf-8")) for name in ("benchmarks", "examples") for path in (ROOT / name).glob("*.py")
    ]
    modules = {node.module or "" for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert [name for name in modules if name.startswith(("parlour", "tests")) and find_spec(name) is None] == []
