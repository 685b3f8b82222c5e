"""Rules in words: sentences that hold under some option values, so that a text is true of its variant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from parlour.rulebook.options import Value

Condition = Mapping[str, "Value | tuple[Value, ...]"]


@dataclass(frozen=True)
class Clause:
    """A rule in one or two short sentences.

    Attributes:
        title: what the game's README calls the rule, in bold print in its table of rules; empty for a ruling.
        text: the rule; ``{name}`` stands for the value of an option.
        when: the option values under which it holds: one value of an option, or several; empty: always.
    """

    title: str
    text: str
    when: Condition = field(default_factory=dict)

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Whether the rule is in force under these option values."""
        return holds(self.when, values)


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
    when: Condition = field(default_factory=dict)


@dataclass(frozen=True)
class OptionWords:
    """What people are shown of an option, instead of its name.

    Attributes:
        label: what it is about, in a few words.
        values: what each value means, in a few words, by the value as text (``"relocate"``, ``"True"``); empty for
            numbers.
    """

    label: str
    values: Mapping[str, str] = field(default_factory=dict)


def holds(when: Condition, values: Mapping[str, Value]) -> bool:
    """Whether a condition is met by these option values."""
    return all(
        values[name] in wanted if isinstance(wanted, tuple) else values[name] == wanted for name, wanted in when.items()
    )


def in_force(clauses: Iterable[Clause], values: Mapping[str, Value]) -> list[Clause]:
    """The clauses that hold under these option values, with the values filled in."""
    return [
        Clause(clause.title, clause.text.format_map(values), clause.when) for clause in clauses if clause.holds(values)
    ]
