"""Machine code is made anew after an edit of anything that it depends on, and of nothing else."""

from __future__ import annotations

import importlib
import math
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.rulebook.compiler.dependencies import code_digest, reachable, source_files
from parlour.rulebook.compiling import COMPILED, kernel
from tests.support.processes import NO_BYTECODE, run_python

FILES = {
    "game/__init__.py": '"""A package."""\n',
    "game/rules.py": '''
import json
from pathlib import Path
import numpy as np
from parlour.rulebook.compiling import kernel
from game.sub.amount import amount
from game import constants
import sibling.prize as prize
MOST = json.loads(Path(__file__).with_name("board.json").read_text())["most"]
TABLE = np.array(json.loads(Path(__file__).with_name("table.json").read_text()))

@kernel
def worth(number):
    """What it is."""
    return amount(number) + 10 * prize.prize(number) + 100 * MOST + 1000 * TABLE[1] + 10000 * constants.FACTOR
''',
    "game/constants.py": "FACTOR = 1\n",
    "game/drawing.py": "SIZE = 1\n",
    "game/board.json": '{"most": 1}',
    "game/table.json": "[0, 1]",
    "game/sub/__init__.py": "",
    "game/sub/amount.py": """
from parlour.rulebook.compiling import kernel
from game.sub.deeper import deeper

@kernel
def amount(number):
    return deeper(number) * 1
""",
    "game/sub/deeper.py": """
from parlour.rulebook.compiling import kernel

@kernel
def deeper(number):
    return number * 1
""",
    "sibling/__init__.py": "",
    "sibling/prize.py": """
from parlour.rulebook.compiling import kernel

@kernel
def prize(number):
    return number * 1
""",
}
PLAY = """
from game.rules import worth
print(worth(1), sum(worth.stats.cache_misses.values()) if hasattr(worth, "stats") else 0)
"""
EDITS = {
    "game/sub/amount.py": ("* 1", "* 2", 11112),
    "game/sub/deeper.py": ("* 1", "* 3", 11113),
    "sibling/prize.py": ("* 1", "* 4", 11141),
    "game/board.json": ("1", "5", 11511),
    "game/table.json": ("1", "6", 16111),
    "game/constants.py": ("1", "7", 71111),
}
HARMLESS = {
    "game/drawing.py": ("1", "2"),
    "game/__init__.py": ("A package", "The package"),
    "game/sub/amount.py": ("import deeper\n", "import deeper  # with a comment\n# and a line more\n"),
}


@pytest.fixture
def play(tmp_path: Path) -> Callable[[], tuple[int, int]]:
    """Runs the kernel in a new process; the result, and how many kernels were compiled."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)

    def run() -> tuple[int, int]:
        ran = run_python(PLAY, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "cache"), **NO_BYTECODE)
        number, compiled = ran.stdout.split()
        return int(number), int(compiled)

    return run


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
def test_edits_anywhere_take_effect(tmp_path: Path, play: Callable[[], tuple[int, int]]) -> None:
    assert play() == (11111, 1)
    assert play() == (11111, 0)
    for name, (old, new, due) in EDITS.items():
        original = (tmp_path / name).read_text()
        (tmp_path / name).write_text(original.replace(old, new))
        assert play() == (due, 1), name
        (tmp_path / name).write_text(original)
    assert play() == (11111, 0)  # the first code was kept, and is right again


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
def test_edits_of_what_is_not_compiled_void_nothing(tmp_path: Path, play: Callable[[], tuple[int, int]]) -> None:
    assert play() == (11111, 1)
    for name, (old, new) in HARMLESS.items():
        original = (tmp_path / name).read_text()
        assert old in original
        (tmp_path / name).write_text(original.replace(old, new))
    assert play() == (11111, 0)


# --- single functions ---


def made(**names: Any) -> Any:
    """A new function ``f`` that uses the globals ``names``."""
    scope = {"__name__": "made_up", **names}
    exec("def f(x):\n    return g(x) + h(x) + VALUE + part.VALUE", scope)
    return scope["f"]


def one(x: float) -> float:
    return x + 1


def two(x: float) -> float:
    return x + 2


def part(value: Any) -> ModuleType:
    module = ModuleType("made_up_part")
    vars(module)["VALUE"] = value
    return module


def calling(function: Any) -> Any:
    scope = {"__name__": "made_up", "called": kernel(function)}
    exec("def f(x):\n    return called(x)", scope)
    return scope["f"]


def test_a_digest_tells_what_a_name_stands_for() -> None:
    usual = {"g": kernel(one), "h": kernel(two), "VALUE": 1, "part": part(1)}
    due = code_digest(made(**usual))
    assert code_digest(made(**usual)) == due
    others = (
        {"g": kernel(two)}, {"g": kernel(two), "h": kernel(one)}, {"VALUE": 2}, {"VALUE": 1.0}, {"VALUE": True},
        {"VALUE": np.int8(1)}, {"VALUE": (1,)}, {"VALUE": np.array([1])}, {"VALUE": np.array([1], np.int8)},
        {"VALUE": np.array([[1]])}, {"VALUE": np.array([2])}, {"VALUE": "1"}, {"VALUE": np.dtype([("a", np.int8)])},
        {"VALUE": np.dtype([("a", np.int8), ("b", np.int64)])},
        {"VALUE": np.dtype([("a", np.int8), ("b", np.int64)], align=True)}, {"part": part(2)}, {"part": 1},
        {"VALUE": namedtuple("pair", "a b")(1, 2)}, {"VALUE": namedtuple("pair", "b a")(1, 2)},
        {"g": math.floor}, {"g": math.ceil}, {"g": min}, {"g": max}, {"g": np.minimum}, {"g": np.maximum},
        {"g": np.rot90}, {"g": np.fliplr}, {"g": numba.int8}, {"g": numba.int16}, {"part": math}, {"part": np},
        {"VALUE": (kernel(calling(one)),)}, {"VALUE": (kernel(calling(two)),)},
    )  # fmt: skip
    digests = [code_digest(made(**{**usual, **other})) for other in others]
    assert len({due, *digests}) == 1 + len(others)


def test_a_module_of_two_names_is_one() -> None:
    """What `numba.types` is, depends on what was imported before."""
    types = importlib.import_module("numba.core.types")
    other = ModuleType("numba.types")
    assert code_digest(made(part=types)) == code_digest(made(part=other))


def test_a_digest_tells_what_a_parameter_offers_and_in_what_order() -> None:
    """The engine calls a function of a game by its place in `GameFunctions`."""

    def digest(*names: str) -> str:
        methods = "".join(f"    def {name}(self): ...\n" for name in names)
        scope: dict[str, Any] = {"__name__": "game"}
        kernel = "def play(rules: Rules): return rules.apply()"
        exec(f"from __future__ import annotations\nclass Rules:\n{methods}{kernel}", scope)
        return code_digest(scope["play"])

    assert digest("legal", "apply") == digest("legal", "apply")
    assert len({digest("legal", "apply"), digest("apply", "legal"), digest("apply")}) == 3


def test_modules_that_name_each_other_come_to_an_end() -> None:
    first, second = ModuleType("first"), ModuleType("second")
    vars(first).update(part=second, VALUE=1)
    vars(second).update(part=first, VALUE=2)
    function = made(g=one, h=two, VALUE=0, part=first)
    assert set(reachable([function])) == {function, one, two}


def test_the_files_of_a_game_are_found_from_its_kernels() -> None:
    game = find("agon-v0")
    names = {path.name for path in source_files([game.rules.apply, game.rules.legal])}
    assert {"rules.py", "flanks.py", "bits.py"} <= names
    assert not names & {"drawing.py", "guide.py", "notation.py", "svg_shapes.py"}
    assert parlour.__file__ not in {str(path) for path in source_files([game.rules.apply])}
