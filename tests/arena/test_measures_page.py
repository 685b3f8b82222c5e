"""``docs/measures.md`` against the registry: every measure has its entry, with what the code says of it, and no other
has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.arena.measures import MEASURES, Measure, measures_of, registry
from parlour.arena.measures.registry import EVEN, GROUPS, SKILL, TRACE
from parlour.interfaces.registry import find
from tests.support.cases import PRINTED_GAMES

PAGE = (Path(__file__).parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
FAMILIES = {
    "win_SEAT": r"win_\d+", "end_WORD": r"end_\w+", "event_WORD": r"event_\w+", "games_with_WORD": r"games_with_\w+",
    "openings_PLIES": r"openings_\d+", "opening_entropy_PLIES": r"opening_entropy_\d+", "first_seat": "first_seat",
}  # fmt: skip
"""The entries of measures whose keys or titles follow from the game, and the form of their keys."""
SERIES = {
    EVEN: "games of one player", SKILL: "pairs of games, weaker against stronger player",
    TRACE: "pairs of games, a search against one twice as long",
}  # fmt: skip
ENTRY = re.compile(r"^### `(\w+)`(?:: (.+))?\n\n\*(.+)\*\n\n((?:.+\n)+)", re.MULTILINE)


def entries() -> dict[str, tuple[str, str, str, str]]:
    """By key: the heading above it, its title, its facts, and its text in one line."""
    found = {}
    for chapter in PAGE.split("\n## ")[1:]:
        for key, title, facts, text in ENTRY.findall(chapter + "\n"):
            assert key not in found
            found[key] = chapter.split("\n")[0], title, facts, " ".join(text.split())
    assert len(found) == PAGE.count("\n### ")
    return found


def entry_of(key: str) -> str:
    return next((entry for entry, form in FAMILIES.items() if re.fullmatch(form, key)), key)


def every_measure() -> dict[str, Measure]:
    """All measures of all games, by their entries."""
    games = [find(name) for name in PRINTED_GAMES]
    seats = {game: game.layout(game.resolve(None, {})[1]).seats for game in games}
    return {entry_of(one.key): one for game in games for one in measures_of(game, seats[game])}


def test_every_measure_has_its_entry_and_no_other_has_one() -> None:
    assert set(entries()) == set(every_measure())
    assert set(MEASURES) <= set(entries())


@pytest.mark.parametrize("key", list(every_measure()))
def test_an_entry_says_what_the_code_says(key: str) -> None:
    group, title, facts, text = entries()[key]
    one = every_measure()[key]
    assert group == one.group in GROUPS
    assert title == ("" if key in FAMILIES else one.title)
    assert facts == " · ".join(filter(None, [SERIES[one.series], one.kind.unit, "tested" if one.tested else ""]))
    assert one.source
    assert text.endswith(f" Source: {one.source}.")


def test_the_measure_of_ones_own_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MEASURES", dict(MEASURES))
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {"__name__": "my_measures"})
    assert set(registry.MEASURES) - set(MEASURES) == {"late_captures"}
    assert registry.MEASURES["late_captures"].group in PAGE
