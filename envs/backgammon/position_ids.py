"""Positions as other backgammon programs write them.

XGID, of eXtreme Gammon: ``XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10``. 26 letters, then numbers: the cube,
who has it, who is to act, the dice, both scores, the rule of the match, its length, and the highest cube. The letters
are the bar of the player above, the points 1 to 24 as the player below sees them, and the bar of the player below;
``A`` is one man of the player below, ``a`` one of the player above.

GNU Backgammon's position ID and match ID: ``4HPwATDgc/ABMA:cAgZAAAAAAAA``. Both are bits in base 64, the lowest of each
byte first. Position: for the player who is not on roll, then for the one who is, for each point from its own 1 to 24
and for the bar as many ones as it has men there, then a zero. Match: `MATCH` has the fields. (GNU Backgammon's manual,
*A technical description of the position ID*, and *of the match ID*.)

White is the player below here, and GNU Backgammon's player 1.
"""

from __future__ import annotations

import base64
import re

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.points import set_men
from parlour.rulebook.positions import PositionForm
from parlour.rulebook.protocol import RUNNING, Record

from . import SEAT_NAMES, rules

LETTERS = re.compile(r"[-A-Oa-o]{26}")
XGID = re.compile(r"(?:XGID=)?([^:=|\s]{26}):(.*)", re.IGNORECASE)
FIELDS = re.compile(
    r"([0-9]{1,5}):(-?1|0):(-?1):(00|[1-6][1-6]|[DBR]):([0-9]{1,5}):([0-9]{1,5}):([0-9]):([0-9]{1,5})(?::[0-9]{1,5})?"
)
GNUBG = re.compile(
    r"(?:GNUBGID[ =:]*|(?:GNU Backgammon\s+)?Position ID\s*:\s*)?([A-Za-z0-9+/]{14})"
    r"(?:={0,2}[\s:]+(?:Match ID\s*:\s*)?([A-Za-z0-9+/]{12}))?",
    re.IGNORECASE,
)
POSITION_BITS, PLACES = 80, rules.STEPS + 1
MATCH = {
    "cube": 4, "owner": 2, "on roll": 1, "crawford": 1, "state": 3, "turn": 1, "double": 1, "resigned": 2,
    "die 1": 3, "die 2": 3, "length": 15, "score 0": 15, "score 1": 15,
}  # fmt: skip
"""The fields of a match ID, lowest bit first, and how many bits each has."""
CENTRED, PLAYING, MATCH_BITS = 3, 1, 72


def _set(state: Record, variant: Record, men: NDArray[np.int8], bar: list[int], seat: int, faces: list[int]) -> None:
    """Sets everything. ``men``: [seat, step]; ``faces``: none if the throw is still to be made."""
    rules.clear_board(state)
    set_men(state, men)
    state.bar[:] = bar
    left = [int(rules.MEN[variant.setup]) - int(men[own].sum()) - bar[own] for own in range(2)]
    for owner, count in enumerate(left):
        if count < 0:
            has = int(rules.MEN[variant.setup]) - count
            raise ValueError(f"{SEAT_NAMES[owner]} has {has} men; each seat has {has + count}")
    for step in range(rules.STEPS):
        if men[rules.WHITE, step] and men[rules.BLACK, rules.STEPS - 1 - step]:
            raise ValueError(f"both seats have men on point {rules.STEPS - step}")
    state.off[:] = left
    state.to_act, state.opening = seat, -1
    winner = left.index(int(rules.MEN[variant.setup])) if int(rules.MEN[variant.setup]) in left else None
    if winner is not None:
        rules.win(state, variant, winner, np.zeros(2))
        state.dice[:] = faces or (1, 1)
    elif faces:
        rules.take_throw(state, *faces)
    else:
        state.dice[:] = -1
        state.left[:] = 0
        state.due = 2


def _check_whole(state: Record) -> None:
    """ValueError in the middle of a throw, which no ID can hold."""
    if state.end == RUNNING and not state.turn_over:
        raise ValueError("a part of the throw has been played, and an ID has whole throws alone")


def _faces(state: Record) -> list[int]:
    """The throw to be played; none after the end."""
    return [] if state.end != RUNNING else [int(face) for face in state.dice]


# --- XGID ---


def is_xgid(text: str) -> bool:
    """Whether a text is of this form, right or wrong."""
    match = XGID.fullmatch(text)
    return text[:5].upper() == "XGID=" or (match is not None and LETTERS.fullmatch(match[1]) is not None)


def read_xgid(text: str, state: Record, variant: Record) -> str:
    """Sets the state. Returns what has no meaning here, in words; empty if there is nothing. ValueError for a text that
    is malformed, or that no position can have."""
    match = XGID.fullmatch(text)
    if match is None or LETTERS.fullmatch(match[1]) is None:
        raise ValueError("an XGID has 26 letters, '-', 'a' to 'o' or 'A' to 'O', then numbers with colons between")
    fields = FIELDS.fullmatch(match[2])
    if fields is None:
        raise ValueError(f"{match[2]!r}: behind its letters an XGID has nine numbers, such as 0:0:1:31:0:0:0:0:10")
    men, bar = np.zeros((2, rules.STEPS), np.int8), [0, 0]
    for place, letter in enumerate(match[1]):
        seat = rules.WHITE if letter.isupper() else rules.BLACK
        count = 0 if letter == "-" else ord(letter.upper()) - ord("A") + 1
        if 0 < place < PLACES:
            men[seat, rules.STEPS - place if seat == rules.WHITE else place - 1] = count
        elif count and (place == 0) == (seat == rules.WHITE):
            raise ValueError(f"{letter!r} stands for men on the bar of the other player")
        elif count:
            bar[seat] = count
    cube, owner, turn, dice = fields.groups()[:4]
    faces = [int(face) for face in dice] if dice.isdecimal() and dice != "00" else []
    _set(state, variant, men, bar, rules.WHITE if turn == "1" else rules.BLACK, faces)
    has_cube = (cube, owner) != ("0", "0") or not dice.isdecimal()
    return _without_meaning(has_cube, any(number.strip("0") for number in fields.groups()[4:]))


def write_xgid(state: Record, variant: Record) -> str:
    """The XGID of a position, with the cube in the middle, in a game for its own sake."""
    _check_whole(state)
    letters = ["-"] * (PLACES + 1)
    for seat, (men, bar) in enumerate(zip(state.men.tolist(), state.bar.tolist())):
        first = "A" if seat == rules.WHITE else "a"
        places = {rules.STEPS - step if seat == rules.WHITE else step + 1: count for step, count in enumerate(men)}
        places[PLACES if seat == rules.WHITE else 0] = bar
        for place, count in places.items():
            if count:
                letters[place] = chr(ord(first) + count - 1)
    turn = 1 if state.to_act == rules.WHITE else -1
    dice = "".join(map(str, _faces(state))) or "00"
    return f"XGID={''.join(letters)}:0:0:{turn}:{dice}:0:0:0:0:10"


def _without_meaning(cube: bool, score: bool) -> str:
    return " and ".join(["the cube"] * cube + ["the score of the match"] * score)


# --- GNU Backgammon ---


def is_gnubg(text: str) -> bool:
    """Whether a text is of this form."""
    return GNUBG.fullmatch(text) is not None


def read_gnubg(text: str, state: Record, variant: Record) -> str:
    """As `read_xgid`. Without a match ID White is on roll, before the throw."""
    match = GNUBG.fullmatch(text)
    assert match is not None
    fields = _fields(match[2]) if match[2] else dict.fromkeys(MATCH, 0) | {"owner": CENTRED, "on roll": 1}
    seat = rules.WHITE if fields["on roll"] == 1 else rules.BLACK
    men, bar = np.zeros((2, rules.STEPS), np.int8), [0, 0]
    counts = _counts(match[1])
    for owner, places in zip((1 - seat, seat), (counts[:PLACES], counts[PLACES:])):
        men[owner] = places[rules.STEPS - 1 :: -1]
        bar[owner] = places[rules.STEPS]
    dice = [fields["die 1"], fields["die 2"]]
    if any(dice) and not all(1 <= face <= 6 for face in dice):
        raise ValueError(f"the match ID has the dice {dice[0]} and {dice[1]}; faces are 1 to 6, or 0 before the throw")
    _set(state, variant, men, bar, seat, dice if any(dice) else [])
    cube = fields["cube"] > 0 or fields["owner"] != CENTRED or fields["double"] > 0
    return _without_meaning(cube, any(fields[name] for name in ("length", "score 0", "score 1", "crawford")))


def write_gnubg(state: Record, variant: Record) -> str:
    """The position ID and the match ID, with the cube in the middle, in a game for its own sake."""
    _check_whole(state)
    seat = int(state.to_act)
    bits = []
    for owner in (1 - seat, seat):
        for count in (*state.men[owner].tolist()[::-1], int(state.bar[owner])):
            bits += [*[1] * count, 0]
    dice, roll = _faces(state) or [0, 0], int(seat == rules.WHITE)
    values = {"owner": CENTRED, "on roll": roll, "state": PLAYING, "turn": roll, "die 1": dice[0], "die 2": dice[1]}
    fields = [value for name, size in MATCH.items() for value in _bits(values.get(name, 0), size)]
    return f"{_encoded(bits, POSITION_BITS)}:{_encoded(fields, MATCH_BITS)}"


def _counts(text: str) -> list[int]:
    """How many men stand on each place, 25 of the player who is not on roll, then 25 of the other."""
    counts = [0]
    for bit in _decoded(text)[:POSITION_BITS]:
        if bit:
            counts[-1] += 1
        else:
            counts.append(0)
    if len(counts) <= 2 * PLACES or any(counts[2 * PLACES :]):
        raise ValueError(f"the position ID {text!r} does not have {PLACES} places for each player")
    return counts[: 2 * PLACES]


def _fields(text: str) -> dict[str, int]:
    """The fields of a match ID."""
    bits, fields = _decoded(text), {}
    for name, size in MATCH.items():
        fields[name] = sum(bit << k for k, bit in enumerate(bits[:size]))
        bits = bits[size:]
    return fields


def _bits(value: int, size: int) -> list[int]:
    return [value >> k & 1 for k in range(size)]


def _decoded(text: str) -> list[int]:
    """The bits of a text in base 64, the lowest of each byte first."""
    content = base64.b64decode(text + "=" * (-len(text) % 4))
    return [bit for byte in content for bit in _bits(byte, 8)]


def _encoded(bits: list[int], size: int) -> str:
    """The opposite, of so many bits."""
    value = sum(bit << k for k, bit in enumerate(bits))
    return base64.b64encode(value.to_bytes(size // 8, "little")).decode().rstrip("=")


FORMS = {"xgid": PositionForm(is_xgid, read_xgid, write_xgid), "gnubg": PositionForm(is_gnubg, read_gnubg, write_gnubg)}
