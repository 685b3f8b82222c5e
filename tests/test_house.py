"""The rooms of the house, from the imports of all files: what stands above what.

A room is a folder or a file of ``src/parlour``, or one of ``envs``, ``wrappers``, ``benchmarks``. Imports inside
functions and those for type checkers count like any other. `FLOORS` is the order that CONTRIBUTING.md describes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOTS = {"parlour.envs": "envs", "parlour.wrappers": "wrappers", "benchmarks": "benchmarks", "parlour": "src/parlour"}
FLOORS = (
    "support", "compiler", "rulebook", "envs", "engine", "interfaces", "value", "search", "players",
    "records", "text", "wrappers", "testing", "arena", "learn", "serve", "cli", "__main__", "benchmarks",
)  # fmt: skip
"""From the ground up."""
MAX_ARROWS = 95


@cache
def modules() -> dict[str, Path]:
    """Every module of the package and of ``benchmarks``, by its name. The starter game is data, not a room."""
    found = {}
    for package, folder in ROOTS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            if "starter" not in parts:
                found[".".join([package, *parts]).removesuffix(".__init__")] = path
    del found["parlour"]  # the face of the package hands names on
    return found


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


def arrows(place: str) -> set[tuple[str, str]]:
    """Pairs of a file or folder right in the package ``place`` and another one there that it imports."""
    inside = {
        module: module.removeprefix(f"{place}.").split(".")[0]
        for module in modules()
        if f"{module}.".startswith(f"{place}.")
    }
    return {
        (inside[module], inside[other])
        for module in inside
        for other in graph()[module]
        if other in inside and inside[other] != inside[module] and place not in (module, other)
    }


def test_the_rooms_are_those_of_the_plan() -> None:
    assert {room_of(module) for module in modules()} == set(FLOORS)
    assert len(FLOORS) < 20  # the face of the package is one more


def test_no_files_import_one_another_in_a_circle() -> None:
    TopologicalSorter(graph()).prepare()


def test_every_import_leads_down() -> None:
    floor = {room: k for k, room in enumerate(FLOORS)}
    up = [
        f"{module} imports {other}"
        for module, others in graph().items()
        for other in others
        if floor[room_of(other)] > floor[room_of(module)]
    ]
    assert not up, "\n".join(up)


def test_there_are_few_ways_between_rooms() -> None:
    between = {(room_of(module), room_of(other)) for module, others in graph().items() for other in others}
    assert len({(room, other) for room, other in between if room != other}) <= MAX_ARROWS


@pytest.mark.parametrize("place", ["parlour.arena", "parlour.engine"])
def test_parts_of_a_room_import_one_another_in_one_direction(place: str) -> None:
    below: dict[str, set[str]] = {}
    for part, other in arrows(place):
        below.setdefault(part, set()).add(other)
    TopologicalSorter(below).prepare()


def test_a_game_knows_the_rulebook_alone() -> None:
    games = [module for module in modules() if module.startswith("parlour.envs.")]
    assert games
    foreign = [
        f"{module} imports {other}"
        for module in games
        for other in graph()[module]
        if not other.startswith(("parlour.rulebook", ".".join(module.split(".")[:3])))
    ]
    assert not foreign, "\n".join(foreign)


def test_a_circle_would_be_found() -> None:
    with pytest.raises(CycleError):
        TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()
