"""Games with one mistake each, made of tic-tac-toe and Pig, and what the checks say of them.

Run as a program (``python -m tests.testing.mutants FOLDER``) it writes the games into a folder, runs on each the check
that should find the mistake, and prints a JSON object: the mutant's name and the message, empty if nothing was found.
It is run uncompiled, since compiling every mutant would take minutes.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.support.own_games import PIG, TIC_TAC_TOE, Edit, copy_game


@dataclass(frozen=True)
class Mutant:
    """A mistake, and what must find it.

    Attributes:
        check: the name of the check.
        message: a part of what it says.
        edits: the mistake.
        original: the game that it is made in.
    """

    check: str
    message: str
    edits: tuple[Edit, ...]
    original: Path = TIC_TAC_TOE


def mistake(file: str, check: str, message: str, old: str, new: str, original: Path = TIC_TAC_TOE) -> Mutant:
    """A mistake in one place of one file."""
    return Mutant(check, message, ((file, old, new),), original)


rules, notation, evaluation, drawing, guide, endings, readme = (
    partial(mistake, file)
    for file in (
        "rules.py", "notation.py", "evaluation.py", "drawing.py", "guide.py", "endings.py", "README.md",
    )
)  # fmt: skip
pig = partial(mistake, "rules.py", "dice", original=PIG)
"""A mistake with the dice of Pig."""
GUIDE = "def why_not(action, state, variant):\n    return None\n"
CLICKS = """
from .notation import NAMES

def clicks(action, state, variant):
    taken = int(state.marks[0] | state.marks[1])
    return (action,) if taken >> action & 1 else (NAMES[action],)
"""
CLAUSES = """
## The rules

| clause | when | source |
|---|---|---|
| Some words. | `no_such_option=True` | |
"""
WORDS = """
| option | values | in words | meaning |
|---|---|---|---|
| `{}` | any | A label: some; words | |
"""
HIDDEN_NUMBER = (
    ("rules.py", "\n@kernel\n", "\nHIDDEN = [0]\n\n\n@kernel\n"),
    (
        "rules.py",
        "    seat = state.to_act\n",
        "    seat = state.to_act\n    HIDDEN[0] += 1\n    rewards[seat] += 0.001 * (HIDDEN[0] % 11)\n",
    ),
)
"""Rewards depend on a number that is kept beside the state."""
RESOLVE = "def resolve_dependent(values, explicit):\n    if explicit:\n        raise ValueError('no')\n\n\n"
CONSTANT_KEY = (
    ("variants.py", "Variant, max_plies", "Variant, max_plies, repetition"),
    ("variants.py", "max_plies(0))", "max_plies(0), repetition(0))"),
    ("rules.py", "state.marks[0]), state.marks[1])", "ZERO), ZERO)"),
)

MUTANTS: dict[str, Mutant] = {
    "an empty README": readme("parts", "README.md is empty", "", " "),
    "an event twice": evaluation("parts", "names of EVENTS is 1", '"threat", "block"', '"block", "block"'),
    "an own list of ends": rules("parts", "the first 3 of ENDS", "(*COMMON_ENDS, ", "("),
    "a field that setup forgets": rules("state", "the field 'marks'", "    state.marks[1] = ZERO\n", ""),
    "dice without dice": rules("layout", "dice in a game without", '"own marks"', '"own marks", kind="dice"'),
    "a list of actions that is not the mask": rules(
        "shortcuts",
        "the actions that moves() lists",
        "@kernel\ndef legal(",
        "@kernel\ndef moves(state, variant, actions):\n    actions[0] = 0\n    return 1\n\n\n@kernel\ndef legal(",
    ),
    "an action that is drawn by no stream": rules(
        "shortcuts",
        "the action that draw_legal() draws",
        "@kernel\ndef legal(",
        "@kernel\ndef draw_legal(state, variant, stream):\n    return 0\n\n\n@kernel\ndef legal(",
    ),
    "a mask after the end": rules("random_play", "actions after the end", "state.end == RUNNING", "True"),
    "no action for a seat": rules(
        "random_play",
        "a legal action is []",
        "for cell in range(CELLS):\n            if",
        "for cell in range(0):\n            if",
    ),
    "a result of a game that is cut": rules(
        "random_play",
        "as if it had been won",
        "    state.turn_over = 1",
        "    rewards[seat] += 1\n    state.turn_over = 1",
    ),
    "planes that are added to": rules(
        "observations", "observe() does not write every number", "planes[cell] = ", "planes[cell] |= "
    ),
    "a number beyond its plane": rules(
        "observations", "plane 0 ('own marks') has values from 0 to 2", "planes[cell] = ", "planes[cell] = 2 * "
    ),
    "padding of the mask": rules(
        "observations", "legal() does not write every number", "mask[:] = 0", "mask[:CELLS] = 0"
    ),
    "a reward that nobody pays": rules(
        "rewards", "add up to 0.5, not to 0", "rewards[winner] += 1", "rewards[winner] += 1.5"
    ),
    "a reward that is no number": rules("rewards", "is nan", "rewards[winner] += 1", "rewards[winner] += np.nan"),
    "a name twice": notation("move_names", "number of different names", "range(1, SIDE + 1)", "(1, 1, 2)"),
    "a key for all positions": Mutant("position_keys", "has occurred again", CONSTANT_KEY),
    "a key for all positions that can come again": Mutant(
        "position_keys",
        "position_key is that of",
        (*CONSTANT_KEY, ("rules.py", "state.irreversible = 1", "state.irreversible = 0")),
    ),
    "a text without the seat": notation("texts", "position", "{SEATS[state.to_act]}", "x"),
    "a text that breaks": notation("garbled_texts", "raises KeyError", 'raise ValueError("not', 'raise KeyError("not'),
    "a full board that goes on": notation(
        "garbled_texts", "a running game without a legal action", "else FULL if full", "else RUNNING if full"
    ),
    "a refusal that names nothing": Mutant(
        "options", "is refused without naming", (("variants.py", "VARIANTS = (", f"{RESOLVE}VARIANTS = ("),)
    ),
    "a potential beyond 1": evaluation("potential", "are not from −1 to 1", "/ 24.0", "/ 1.0"),
    "potentials that do not add up": evaluation("potential", "do not add up to 0", "/ 24.0", "/ 24.0 + 0.01"),
    "potentials all alike": evaluation("potential", "different potentials", "(mine - other)", "0 * (mine - other)"),
    "wins that were said to be impossible": evaluation(
        "most_to_win",
        "could win -0.5 to 0.5",
        "@kernel\ndef potential(",
        "@kernel\ndef most_to_win(state, variant, seat):\n    return 0.5\n\n\n@kernel\ndef potential(",
    ),
    "an event that is taken back": evaluation("events", "events is negative", "counts[1] += ", "counts[1] -= "),
    "events that never happen": evaluation("events", "ever happened", "counts[", "counts.copy()["),
    "a symmetry of cells alone": Mutant(
        "symmetries",
        "under 'quarter_turn'",
        (("symmetries.py", "cells.copy()", "np.tile(np.arange(CELLS), (8, 1))"),),
    ),
    "symmetries that are no group": Mutant(
        "symmetries",
        "is not one of the symmetries",
        (
            ("symmetries.py", "cells, cells.copy())", "cells[:3], cells[:3])"),
            ("symmetries.py", '(*NAMES, *(f"{name}_mirrored" for name in NAMES))', "NAMES[:3]"),
        ),
    ),
    "a number that is not that of the position": endings(
        "endings",
        "of tier 0, '1 empty cells' is (0, 15), expected (0, 16)",
        "rank_among(noughts, crosses)",
        "0 * rank_among(noughts, crosses)",
    ),
    "tiers in the wrong order": Mutant(
        "endings",
        "a ply leads to a later tier or to a number that the tier does not have",
        (
            ("endings.py", "range(CELLS - 1, -1, -1)", "range(CELLS)"),
            ("endings.py", "return empty - 1,", "return CELLS - empty,"),
            ("endings.py", "marks = CELLS - 1 - tier", "marks = tier"),
        ),
    ),
    "a letter in a font": drawing("pictures", "<text>", '{"".join(shapes)}', "<text>x</text>"),
    "an umlaut in the terminal": drawing("pictures", "beyond ASCII", '"the end"', '"das Ende, schön"'),
    "a picture that is not well-formed": drawing("pictures", "not well-formed", "</svg>", ""),
    "a picture of one colour": drawing("pixels", "of one colour", '{"".join(shapes)}', ""),
    "a place beyond the picture": drawing(
        "people", "is not within the picture", "*_middle(cell), CELL", "*_middle(cell), 9 * CELL"
    ),
    "no words for what is not legal": guide("people", "must give a text", "", GUIDE),
    "no places for what is not legal": guide("people", "must give names", "", CLICKS),
    "words of an option that there is not": readme(
        "people", "'no_such_option', which is no option", "", WORDS.format("no_such_option")
    ),
    "words for the values of a number": readme(
        "people", "must have words for the values of 'max_plies': none", "", WORDS.format("max_plies")
    ),
    "a clause of an option that there is not": readme("people", "names the option 'no_such_option'", "", CLAUSES),
    "what is seen depends on the looking": Mutant(
        "views_agree",
        "observed a second time",
        (
            ("rules.py", "\n@kernel\n", "\nHIDDEN = [0]\n\n\n@kernel\n"),
            ("rules.py", '    """Writes `PLANES` from the view of ``seat``."""', "    HIDDEN[0] = 1 - HIDDEN[0]"),
            ("rules.py", "planes[cell] = ", "planes[cell] = HIDDEN[0] * "),
        ),
    ),
    **{
        f"a number beside the state, found by {check}": Mutant(check, "", HIDDEN_NUMBER)
        for check in ("copies", "batch", "threads", "rows", "players", "records", "pettingzoo_seed")
    },
    "a throw that is not read": notation("texts", "", "= int(match[4]), int(match[5])", "= 2, 3", original=PIG),
    "dice of another shape": rules(
        "state", "the shape of the field dice", '("dice", np.int8, (2,))', '("dice", np.int8, (3,))', original=PIG
    ),
    "a throw that is more than the dice": pig(
        "dice_due() is 3 in a game with 2 DICE", "turn_over = 0\n    state.due = 2", "turn_over = 0\n    state.due = 3"
    ),
    "orders of dice that are not the same": pig(
        "points of this turn", "state.turn += faces[0] + faces[1]", "state.turn += 2 * faces[0] + faces[1]"
    ),
    "orders of dice that pay differently": pig(
        "rewards differs", "rewards[state.to_act] -= variant.fine", "rewards[state.to_act] -= faces[0]"
    ),
    "a throw that is made again": pig(
        "leaves the position as it was",
        "    state.dice[0], state.dice[1] = faces[0], faces[1]\n",
        "    if faces[0] == faces[1]:\n        return\n    state.dice[0], state.dice[1] = faces[0], faces[1]\n",
    ),
    "a turn that is over though it goes on": pig(
        "the same seat is to throw, and apply() sets turn_over to 1",
        "    state.turn_over = 0\n    state.due = 2",
        "    state.turn_over = 1\n    state.due = 2",
    ),
}
UNTESTED = {"illegal_actions", "interpreted", "pettingzoo_api", "pettingzoo_render"}
"""Checks of what no game can break by itself, and ``interpreted``, which has a test of its own."""


def main(folder: Path) -> None:
    """See the module."""
    from parlour.testing import CheckFailed, run_check, subjects_of

    sys.path.insert(0, str(folder))
    found = {}
    for k, (name, mutant) in enumerate(MUTANTS.items()):
        copy_game(mutant.original, folder / f"mutant_{k}", *mutant.edits)
        try:
            run_check(mutant.check, subjects_of(f"mutant_{k}", games=5)[0])
            found[name] = ""
        except CheckFailed as failure:
            found[name] = str(failure)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
