"""Rules in words: sentences that hold under some option values, so that a text is true of its variant.

They stand in one place, the tables of the section "The rules" of a game's README::

    | clause | when | source |
    |---|---|---|
    | **Entering.** Light's path: a4 a3 … (14 squares). | `path=bell` | Masters: "entry to the board is made …" |
    | There are `players` seats. | `bets=one` or `many`, `payout=net` | |

The first cell is the rule in one or two short sentences, which may begin with a title in bold print. An option's name
in backticks stands for its value. The second cell is the *condition*: the option values under which the rule holds; an
empty one holds always. Tables under the heading "In short" are the goal.

The table of options may say how people are asked for them, and what each value is called, in the order of the values
(of a flag: True, False)::

    | option | values | in words | meaning |
    |---|---|---|---|
    | `bets` | `one`, `many` | In a round a seat bets on: one design; as many designs as it likes | whether … |
    | `men` | 1 to 7 (7) | Men of each side | men of each seat |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from parlour.rulebook.options import Value

SECTION = re.compile(r"^## The rules\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| clause \| when \|.*\n\|[-|]+\|\n((?:\|.*\n?)+)", re.MULTILINE)
ROW = re.compile(r"\| (?:\*\*(.+?)\.\*\* )?([^|*]+?) \|(?: ([^|]+))? \|(?: (.+))? \|")
CONDITION = re.compile("([a-z_]+)=([^ =,]+(?: or [^ =,]+)*)")
OPTION = re.compile("`([a-z_]+)`")
GOAL = "### In short"


@dataclass(frozen=True)
class Clause:
    """A rule in one or two short sentences.

    Attributes:
        title: the rule's name; empty for what needs none.
        text: the rule; an option's name in backticks stands for its value.
        when: the condition under which it holds, such as ``path=bell or masters, men=7``; empty: always.
        source: the words of the source, as quoted in the README; empty without one.
    """

    title: str
    text: str
    when: str = ""
    source: str = ""


@dataclass(frozen=True)
class Lesson:
    """One picture of "how to play": a position, drawn by the game's own drawing, and what to see there.

    Attributes:
        text: one or two short sentences.
        position: the text of the position; empty: the start of a game.
        moves: names of plies that are played from there, so that the picture shows the last one.
        dice: the throws that follow, each a tuple of faces; then the game's own.
        when: as for `Clause`.
    """

    text: str
    position: str = ""
    moves: tuple[str, ...] = ()
    dice: tuple[tuple[int, ...], ...] = ()
    when: str = ""


def read_clauses(readme: str) -> tuple[list[Clause], list[Clause]]:
    """The clauses of a README: of the goal, and all others. A clause without a source of its own has that of the first
    clause with its title and its condition. ValueError for a row that is not of the form, with the row."""
    goal: list[Clause] = []
    others: list[Clause] = []
    sources: dict[tuple[str, str], str] = {}
    section = SECTION.search(readme)
    for part in re.split("^(?=###)", section[1] if section else "", flags=re.MULTILINE):
        for table in TABLE.finditer(part):
            for line in table[1].splitlines():
                row = ROW.fullmatch(line)
                if row is None:
                    raise ValueError(f"README.md: {line!r} is no row with a clause, its condition and its source")
                title, text, when, source = (cell or "" for cell in row.groups())
                sources.setdefault((title, when), source if title else "")
                clause = Clause(title, text, when.replace("`", ""), source or sources[title, when])
                conditions(clause.when)
                (goal if part.startswith(GOAL) else others).append(clause)
    return goal, others


def conditions(when: str) -> Mapping[str, list[str]]:
    """The values, as text, under which a condition is met, by the names of options. ValueError if it is malformed."""
    conditions = {}
    for part in when.split(", ") if when else ():
        match = CONDITION.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no condition; conditions look like 'path=bell or masters, men=7'")
        conditions[match[1]] = match[2].split(" or ")
    return conditions


def holds(when: str, values: Mapping[str, Value]) -> bool:
    """Whether a condition is met by these option values."""
    return all(str(values[name]) in wanted for name, wanted in conditions(when).items())


def filled(text: str, values: Mapping[str, Value]) -> str:
    """A clause's text with the values of options. KeyError for a name that is no option's."""
    return OPTION.sub(lambda name: str(values[name[1]]), text)


def in_force(clauses: Iterable[Clause], values: Mapping[str, Value]) -> list[Clause]:
    """The clauses that hold under these option values, with the values filled in."""
    return [
        Clause(clause.title, filled(clause.text, values), clause.when, clause.source)
        for clause in clauses
        if holds(clause.when, values)
    ]
