"""Where in an author's files an error comes from, also one of the compiler, and the part of it that says why."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from numba.core.errors import NumbaError
from numba.core.ir import Loc

from parlour.engine.game import Game

PARLOUR = Path(__file__).parents[1]
Line = tuple[Path, int]
"""A file, and the number of a line in it."""

_PLACES = re.compile(r'File "([^"\n]+)", line (\d+)|\bat (\S[^\n]*) \((\d+)\)$', re.MULTILINE)
"""How Numba's messages name a line, the innermost one first."""
_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined(?:.*?<function (\w+) at)?", re.DOTALL)
"""The one message that names no line of the kernel where it arose, and the kernel's name."""
_OUTSIDE = "index is out of bounds"
"""All that machine code says. Python and NumPy say more."""
REFUSING = (
    "parse_move", "read", "check", "resolve_dependent", "layout", "tiers", "write_games", "find_games", "read_games",
)  # fmt: skip
"""Functions of a game's files whose ValueErrors say what is wrong with a text or an option's value that was given."""
_BEFORE = re.compile(r"(Failed in [^\n]*\n)+")
_AFTER = re.compile(r"\s*\n\s*(There are \d+ candidate|During: |File \")")


def place_of(error: BaseException, folder: Path) -> str:
    """``my_game/rules.py, line 44: state.to_act = 1 - saet``: the innermost line in ``folder`` that an error, or what
    it was raised from, comes from; empty if none does."""
    folder = folder.resolve()
    for cause in _with_causes(error):
        lines = [(path.resolve(), number) for path, number in _lines(cause, folder)]
        inside = [line for line in lines if line[0].is_relative_to(folder)]
        if inside:
            path, number = inside[-1]
            return f"{path.relative_to(folder.parent)}, line {number}: {linecache.getline(str(path), number).strip()}"
    return ""


def problem_of(error: BaseException) -> str:
    """What an error says, with its type unless it is a failed assertion; of Numba's long messages what went wrong."""
    text = str(error) or "an assertion failed"
    if isinstance(error, AssertionError):
        return text
    if isinstance(error, NumbaError):
        reason = _AFTER.split(_BEFORE.sub("", text, count=1))[0]
        text = f"{reason} (NUMBA_DISABLE_JIT=1 runs the same as plain Python)"
    return f"{type(error).__name__}: {text}"


def outside_array(error: BaseException, package: str) -> str:
    """That compiled rules have used an index outside an array, and how the author of the game ``package`` finds the
    line; empty for any other error. Only machine code with checks notices it (``NUMBA_BOUNDSCHECK=1``), and it names no
    line."""
    places = [Path(frame.f_code.co_filename) for frame, _ in walk_tb(error.__traceback__)]
    if not isinstance(error, IndexError) or str(error) != _OUTSIDE or not places[-1].is_relative_to(PARLOUR):
        return ""
    return (
        f"the rules of {package} read or write outside an array; the same command with NUMBA_DISABLE_JIT=1 names the "
        f"line, and so does parlour check {package}"
    )


def mistake_in(game: Game, error: BaseException) -> str:
    """The line in a game's files that an error comes from, and what is wrong there; empty for any other error, and for
    a ValueError by which the game refuses what it was given."""
    if isinstance(error, ValueError) and not _is_unexpected(error, game.folder):
        return ""
    place = place_of(error, game.folder)
    return f"{place}: {problem_of(error)}" if place else ""


def _is_unexpected(error: ValueError, folder: Path) -> bool:
    """Whether a ValueError was raised in a folder's files, where Parlour had not called one of `REFUSING`."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    inside = [frame for frame in frames if Path(frame.f_code.co_filename).resolve().is_relative_to(folder.resolve())]
    return bool(inside) and inside[0].f_code.co_name not in REFUSING


def outside_files(game: Game, error: Exception) -> str:
    """What is wrong where Parlour works on with something wrong that a game's rules have written, such as a seat that
    there is not; empty for errors of other types than that brings about, and of other code than Parlour's."""
    frame, number = list(walk_tb(error.__traceback__))[-1]
    path, kinds = Path(frame.f_code.co_filename), (LookupError, TypeError, AttributeError, ArithmeticError)
    if not isinstance(error, kinds) or not path.is_relative_to(PARLOUR):
        return ""
    place = f"{path.relative_to(PARLOUR.parent)}, line {number}"
    return f"{game.package}: {place}: {problem_of(error)}; parlour check {game.package} finds such mistakes"


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, what it was raised from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _lines(error: BaseException, folder: Path) -> Iterator[Line]:
    """The lines that an error passed through, the innermost one last."""
    for frame, number in walk_tb(error.__traceback__):
        yield Path(frame.f_code.co_filename), number
        yield from _compiled_lines(frame)
    if isinstance(error, SyntaxError) and error.filename:
        yield Path(error.filename), error.lineno or 1
    if isinstance(error, NumbaError):
        places = [(Path(match[1] or match[3]), int(match[2] or match[4])) for match in _PLACES.finditer(str(error))]
        yield from reversed(places)
        undefined = _UNDEFINED.search(str(error))
        if undefined:
            yield from _uses(undefined[1], undefined[2], folder)


def _compiled_lines(frame: FrameType) -> list[Line]:
    """The line that Numba works on in one of its own frames: some of its errors, as for a missing field, name none."""
    if not str(frame.f_globals.get("__name__")).startswith("numba."):
        return []
    values = list(frame.f_locals.values())
    locations = [value if isinstance(value, Loc) else getattr(value, "loc", None) for value in values]
    return sorted((Path(loc.filename), loc.line) for loc in locations if isinstance(loc, Loc))


def _uses(name: str, function: str | None, folder: Path) -> Iterator[Line]:
    """Where a name is used in the function of that name in a folder's files; in any function if None."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and function in (None, node.name):
                names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
                yield from ((path, part.lineno) for part in names if part.id == name)
