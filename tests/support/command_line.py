"""Running ``parlour`` in the tests' own process: the fixture `run` of tests/conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Ran(NamedTuple):
    """What came of one run."""

    status: object
    out: str
    err: str


Run = Callable[..., Ran]


def check_error(ran: Ran, *parts: object) -> None:
    """One line on stderr that names all parts, status 2."""
    assert ran.status == 2, ran
    assert ran.err.startswith("parlour: "), ran.err
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1, ran.err
    for part in parts:
        assert str(part) in ran.err, ran.err


def check_refused(ran: Ran, *parts: object) -> None:
    """The same, before anything has been printed."""
    check_error(ran, *parts)
    assert ran.out == ""


def words(text: str) -> str:
    """A text without its line breaks and runs of spaces."""
    return " ".join(text.split())
