"""The rules in words are those of the options: each sentence stands where it holds, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from parlour.interfaces.registry import find
from parlour.players.people.rule_texts import goal, rules, sheet
from parlour.rulebook.clauses import Clause, conditions, in_force, read_clauses
from parlour.rulebook.options import Choice, Count, Flag
from tests.support.cases import PRINTED_GAMES, VARIANTS

TOLD: dict[str, dict[str, dict[Any, str]]] = {
    "agon-v0": {
        "capture": {"relocate": "must be put back before anything else", "bloody": "She goes to the cell of one"},
        "geometry": {"line": "in a straight line with it", "ring": "both adjacent cells of its own ring"},
        "entering": {"forbidden": "where it would stand trapped", "trapped": "it is then trapped as well"},
        "guard_goes": {
            "outer": "guard goes to any empty cell of the outer",
            "next_ring": "guard goes to any empty cell of the ring just outside",
        },
        "queen_goes": {
            "anywhere": "the throne included",
            "next_ring": "just outside her own",
            "outer": "queen goes to any empty cell of the outer ring",
        },
        "queen_placed_by": {"owner": "its own trapped queen", "opponent": "ends her owner's turn"},
        "setup": {"fixed": "where the first board shows", "guards": "begin on a1 and k6", "all": "board begins empty"},
        "surround_loses": {"queen_absent": "while its queen is not on it", "throne_empty": "while nobody is on it"},
        "relocated_by": {"trapper": "seat that trapped it chooses", "owner": "seat that owns it chooses"},
        "touch_move": {True: "A turn begins with touching", False: "nothing else can be played is passed"},
    },
    "swords_and_shields-v0": {
        "throne_hostile": {"chief": "captur", "all": "serves as the mover's other piece"},
        "chief_beside_throne": {"one": "one sword on his far side", "three": "three swords capture him"},
        "escape": {"edge": "any dot on the edge", "corner": "one of the four corners"},
    },
    "acey_ducey-v0": {
        "ducey_points": {"tables": "point 1, 2, 23 or 24", "all": "point 1, 2, 7, 8, 17, 18, 23 or 24"},
        "entering": {"individual": "All your 15 must", "joint": "All 15 of both seats must"},
        "must_use_both": {True: "so that both numbers", False: "need not play so that both can"},
        "bear_off_first": {True: "must do so if there is such a man", False: "may move a man inside instead"},
        "bear_off_from": {"at_once": "with the next number", "next_turn": "with the turn after"},
        "dog_house_penalty": {0.0: "a reward of 0.0,", 0.25: "a reward of 0.25,"},
        "dice": {"acey_ducey": "ACEY and DUCEY are the faces", "plain": "ordinary ones"},
    },
    "crown_and_anchor-v0": {
        "players": {4: "There are 4 seats", 7: "There are 7 seats"},
        "max_stake": {5: "At most 5 chips", 3: "At most 3 chips"},
        "start_chips": {20: "begins with 20 chips", 9: "begins with 9 chips"},
        "rounds": {100: "after 100 throws", 30: "after 30 throws"},
        "bets": {"one": "one bet a round", "many": "as many bets as it likes"},
        "sit_out": {True: "done without a bet", False: "with chips must bet"},
        "payout": {"net": "stake is kept", "gross": "the stake being part of that"},
        "bank": {"unlimited": "fewer than 0 chips", "limited": "as far as the chips go"},
    },
    "backgammon-v0": {
        "setup": {
            "standard": "2 men on 24, 5 on 13",
            "nackgammon": "2 men on 24, 2 on 23",
            "hyper": "one man each on 24",
        },
        "gammons": {"counted": "wins a gammon", "single": "Every win counts the same"},
        "opening": {"single_die": "with the numbers of both dice", "throw": "throws both dice anew"},
    },
    "checkers-v0": {
        "draw_rule": {"wcdf": "80 turns in a row", "openspiel": "40 moves in a row", "none": "No count of moves draws"},
    },
    "royal_ur-v0": {
        "path": {
            "bell": "(14 squares)", "masters": "c7 c8 b8 a8 a7 (16", "aseb": "b1 to b12 (16", "murray": "(27 squares)",
            "skiriuk": "(23 squares)",
        },
        "men": {7: "all your 7 men", 3: "all your 3 men"},
        "dice": {"four": "four dice", "three": "three dice"},
        "safe_rosettes": {True: "rosette can't be captured", False: "captured like any other"},
        "rosette_throws": {True: "comes to a rosette gives another", False: "rosette gives no other throw"},
        "capture_throws": {True: "capture gives another throw", False: "capture gives no other throw"},
    },
}  # fmt: skip
"""What is said for each value of each option."""
LIMITS = {"repetition": {0: "", 3: "occurs 3 times"}, "max_plies": {0: "", 77: "after 77 plies"}}
PLAY_NO_PART = {
    "bloody": {"geometry", "entering", "guard_goes", "queen_goes", "queen_placed_by"}, "relocate": {"relocated_by"},
}  # fmt: skip
"""Agon's options without effect, by the value of `capture`."""


def text_of(game: str, values: Mapping[str, Any]) -> str:
    """The whole sheet, in one line."""
    return " ".join(sheet(find(game), values, False).split())


def cases(game: str, variant: str) -> Iterator[dict[str, Any]]:
    """The values of a variant, and all that differ from them in one option."""
    known = find(game)
    yield known.resolve(variant, {})[1]
    for name, told in {**TOLD[game], **LIMITS}.items():
        for value in told:
            if name in known.resolve(variant, {})[1]:
                try:
                    yield known.resolve(variant, {name: value})[1]
                except ValueError as error:
                    assert "no effect" in str(error)


@pytest.mark.parametrize(("game", "variant"), [case for case in VARIANTS if case[0] in TOLD])
def test_each_option_is_told_as_it_is_and_not_as_it_is_not(game: str, variant: str) -> None:
    for values in cases(game, variant):
        text = text_of(game, values)
        for name, told in {**TOLD[game], **LIMITS}.items():
            if name not in values:
                continue
            for value, words in told.items():
                holds = values[name] == value and name not in PLAY_NO_PART.get(str(values.get("capture")), ())
                if name == "throne_hostile" and value == "chief":
                    holds, words = values[name] == value, "helps"
                if name == "ducey_points" and values["dice"] == "plain":
                    holds = False
                if words:
                    assert (words in text) == holds, (name, value, words, text)


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_no_option_is_silent(game: str) -> None:
    """Another value gives another sheet, whatever the game."""
    known = find(game)
    for variant in known.variants:
        values = known.resolve(variant.name, {})[1]
        for option in known.options:
            others: tuple[Any, ...] = (0.5,)
            if isinstance(option, Choice):
                others = option.values
            elif isinstance(option, Flag):
                others = (True, False)
            elif isinstance(option, Count):
                others = (option.minimum + 5,)
            for other in others:
                try:
                    changed = known.resolve(variant.name, {option.name: other})[1]
                except ValueError:
                    continue
                if changed[option.name] != values[option.name] and not (
                    values.get("dice") == "plain" and option.name == "ducey_points"
                ):
                    assert text_of(game, changed) != text_of(game, values), option.name


@pytest.mark.parametrize("game", list(TOLD))
def test_values_of_every_option_are_looked_for(game: str) -> None:
    assert {option.name for option in find(game).options} == set(TOLD[game]) | (
        {"repetition", "repeats", "max_plies"} & {option.name for option in find(game).options}
    )


def test_bloody_queen_has_a_goal_of_its_own() -> None:
    game = find("agon-v0")
    classic, bloody = (goal(game, game.resolve(variant, {})[1]) for variant in ("classic", "bloody_queen"))
    assert "six guards on the six cells" in classic
    assert "six guards" not in bloody
    assert "all the guards that you still have" in bloody


def test_the_full_sheet_quotes_the_sources() -> None:
    game = find("checkers-v0")
    values = game.resolve(None, {})[1]
    assert "(Source: standard rules)" in sheet(game, values, True)
    assert "Source" not in sheet(game, values, False)


def test_a_game_without_rules_in_words_tells_its_options() -> None:
    game = find("pig-v0")
    values = game.resolve(None, {})[1]
    assert [clause.title for clause in rules(game, values)] == [option.name for option in game.options]
    assert all(option.meaning in text_of("pig-v0", values) for option in game.options)


README = """
## The rules

### In short

| clause | when | source |
|---|---|---|
| **A race.** Bring home `n` men. | | A book: "all of them" |

### Others

| clause | when | A book |
|---|---|---|
| Many. | `n=1`, `fast=True` | |
| **A race.** Few. | `n=1` or `2` | |
| **A race.** Home. | | |

| clause | source |
|---|---|
| Not told. | |

## Options

| clause | when | source |
|---|---|---|
| Not told either. | | |
"""


def test_clauses_are_read_from_the_tables_of_the_rules() -> None:
    """What a book says is the source of other clauses of that title only where they hold under the same values."""
    quoted = 'A book: "all of them"'
    assert read_clauses(README) == (
        [Clause("A race", "Bring home `n` men.", "", quoted)],
        [
            Clause("", "Many.", "n=1, fast=True"),
            Clause("A race", "Few.", "n=1 or 2"),
            Clause("A race", "Home.", "", quoted),
        ],
    )
    assert read_clauses("# A game") == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| Many. | `n=1`, `fast=True` | |", "| Many. | |", "'| Many. | |' is no row with a clause, its condition and"),
        ("**A race.** Few", "**A race** Few", "is no row"),
        ("`n=1` or `2`", "`n`", "'n' is no condition; conditions look like"),
    ],
)
def test_a_malformed_row_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_clauses(README.replace(old, new))


def test_a_clause_holds_for_the_values_that_it_names() -> None:
    goal_clauses, others = read_clauses(README)
    for values, texts in (
        ({"n": 1, "fast": True}, ["Bring home 1 men.", "Many.", "Few.", "Home."]),
        ({"n": 2, "fast": True}, ["Bring home 2 men.", "Few.", "Home."]),
        ({"n": 3, "fast": False}, ["Bring home 3 men.", "Home."]),
    ):
        assert [clause.text for clause in in_force(goal_clauses + others, values)] == texts


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_each_value_of_a_condition_and_no_other_meets_it(game: str) -> None:
    """A condition that no value of its option meets, or all do, is a slip."""
    known = find(game)
    for clause in (*known.clauses[0], *known.clauses[1]):
        for name, wanted in conditions(clause.when).items():
            option = next(option for option in known.options if option.name == name)
            values = option.values if isinstance(option, Choice) else ("True", "False")
            assert set(wanted) < set(values), (clause, name)


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_every_clause_has_its_source_or_ruling(game: str) -> None:
    for part in find(game).clauses:
        assert [clause.text for clause in part if not clause.source] == []
