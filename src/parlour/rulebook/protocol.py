"""What the rules of a game consist of. CONTRIBUTING.md tells how to write them ("Adding a game").

Axis letters, here and everywhere: N games, C planes, H and W board rows and columns, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Record: TypeAlias = Any
"""One record of a game's ``STATE`` dtype, or of its variant dtype: fields are read and written as attributes."""

RUNNING, MAX_PLIES, REPETITION = 0, 1, 2
"""Values of ``state.end`` that all games share: still going on; cut by `max_plies`; drawn by `repetition`."""
FIRST_OWN_END = 3
"""A game's own endings are numbered from here."""
COMMON_ENDS = ("", "max_plies", "repetition")


PLY_COUNT_LIMIT = 2**31 - 1
"""Where the count of plies stays, should a game without a limit ever get there."""

COMMON_FIELDS: list[tuple[Any, ...]] = [
    ("plies", np.int32),  #        plies played; counted by `ply`
    ("seen", np.int32),  #         earlier positions, and the present one, that could still come again (`ply`)
    ("occurrences", np.int32),  #  how often the position at the end of the last turn has occurred; 0 when not counted
    ("last_action", np.int16),  #  the latest action, −1 before the first (`ply`; for pictures only)
    ("last_seat", np.int8),  #     and who took it
    ("to_act", np.int8),  #        the seat to act; after the end, the seat that would be
    ("end", np.int8),  #           RUNNING, or how the game ended
    ("turn_over", np.int8),  #     1 when the latest ply ended a turn: only then repetition is looked at
    ("irreversible", np.int8),  #  1 when the latest ply made every earlier position impossible
]


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The state record of a game: its own fields, and those that the engine and the games share.

    It is padded to a multiple of 8 bytes, so that searches can read any state as 64-bit words.
    """
    unpadded: Any = np.dtype(fields + COMMON_FIELDS, align=True)
    names = list(unpadded.names)
    placed = [unpadded.fields[name] for name in names]
    padded: Any = {
        "names": names,
        "formats": [field[0] for field in placed],
        "offsets": [field[1] for field in placed],
        "itemsize": -(-unpadded.itemsize // 8) * 8,
    }
    return np.dtype(padded, align=True)


@dataclass(frozen=True)
class Plane:
    """One plane of the observation: H × W numbers from ``low`` to ``high``."""

    meaning: str
    low: int = 0
    high: int = 1
    kind: Literal["board", "dice"] = "board"
    """``"dice"``: what the latest throw shows, or leaves to be played; ``"board"``: everything else"""


@dataclass(frozen=True)
class Layout:
    """The sizes of a game under given options, the same for every seat."""

    seats: int
    """P"""
    actions: int
    """A"""
    height: int
    """H"""
    width: int
    """W"""
    planes: tuple[Plane, ...]
    """C of them"""

    @property
    def shape(self) -> tuple[int, int, int]:
        """(C, H, W)"""
        return len(self.planes), self.height, self.width


@dataclass(frozen=True, eq=False)
class Symmetries:
    """S symmetries of a game, from the view of any seat: what ``symmetries(values)`` of its ``symmetries.py`` gives.

    Each takes the set-up to itself, and a legal ply and its consequences to a legal ply and its consequences; the first
    leaves everything as it is; any two, one after the other, make a third.
    """

    names: tuple[str, ...]
    cells: NDArray[np.int64]
    """[symmetry, cell]: where it takes a cell of a flattened plane: (S, H · W)"""
    actions: NDArray[np.int64]
    """[symmetry, action]: what it makes of an action: (S, A)"""


@dataclass(frozen=True)
class ActionFactors:
    """How each action falls into two choices, such as the piece and where it goes: what ``factors(values)`` of a game's
    ``factors.py`` gives. (``first_name(move)`` there gives what of an action's name tells its first choice.)

    No two actions have both choices in common; an action whose first choice no other has is chosen by it alone.
    """

    first: NDArray[np.int64]
    """[action]: its first choice, from 0 to F − 1: (A,)"""
    second: NDArray[np.int64]
    """[action]: its second choice, from 0 to K − 1: (A,)"""
    cells: NDArray[np.int64]
    """[first choice]: the cell of a flattened plane where it is shown, another one for each that may be legal at the
    same time; −1 for one that is no cell: the whole plane. Of no account where it decides the action alone. (F,)"""


@dataclass(frozen=True)
class Feature:
    """Some numbers of a kind that small value networks see, all from ``low`` to ``high``: see `Evaluation.features`."""

    meaning: str
    count: int
    high: int = 1
    low: int = 0
    thresholds: tuple[int, ...] | None = None
    """A unit of the network is on where a number is at least so high; ascending, from 1 up. None: the usual ones."""


@dataclass(frozen=True)
class HitArea:
    """A place of a picture that a person can click: a cell, a field, a tray. Measures are pixels of the picture's own
    size."""

    name: str
    """What the place is called in names of moves, such as ``c4``; no other area has it"""
    label: str
    """What is read aloud: the place, and what stands there"""
    x: float
    """The middle, from the left"""
    y: float
    """and from the top"""
    width: float
    height: float
    round: bool = False
    """Whether it is an ellipse instead of a rectangle"""
    piece: str = ""
    """The id of the element that stands there and can be dragged; empty where there is none"""


class Rules(Protocol):
    """A game's ``rules.py``. All but ``layout`` are kernels: no allocation, no exceptions, no random numbers (except
    for `draw_legal`, which is given a stream)."""

    STATE: np.dtype[Any]
    ENDS: tuple[str, ...]
    """A word for each value of ``state.end``, beginning with `COMMON_ENDS`."""
    DICE: int
    """Dice in a throw of the game proper; 0 without dice. With dice the state has a field ``dice`` (int8, (DICE,)): the
    latest throw of the game proper, −1 before there is one."""
    FIRST_FACE: int
    """The number of a die's first face; it has `chance.FACES` of them."""

    def layout(self, values: dict[str, Any]) -> Layout:
        """The sizes under these option values."""

    def setup(self, state: Record, variant: Record) -> None:
        """Sets every own field, and ``to_act``, to the start of the game; a throw may be due then."""

    def dice_due(self, state: Record, variant: Record) -> int:
        """How many dice must be thrown before anyone can act; 0 when none."""

    def throw(self, state: Record, variant: Record, faces: Any, rewards: Any) -> None:
        """Takes the throw that was due. ``faces``: int8, of which the first `dice_due` count. ``rewards``: float64
        (P,), to add to."""

    def apply(self, state: Record, variant: Record, action: int, rewards: Any) -> None:
        """Plays a legal ``action`` (0 to A − 1, from the view of the seat to act) with its consequences and the endings
        that it causes, except repetition and `max_plies`. Sets ``to_act``, ``turn_over``, ``irreversible`` and
        ``end``. ``rewards``: float64 (P,), to add to."""

    def legal(self, state: Record, variant: Record, mask: Any, words: Any) -> None:
        """Writes the action mask of the seat to act, every byte of it, all zeros after the end. ``mask``: int8 (A₈,),
        where A₈ is A rounded up to a multiple of 8; ``words``: the same bytes as uint64 (A₈ / 8,), for whoever writes
        eight at a time."""

    def observe(self, state: Record, variant: Record, seat: int, planes: Any) -> None:
        """Writes what ``seat`` sees, every number of it. ``planes``: int8 (C · H · W,), plane after plane, row by
        row."""

    def position_key(self, state: Record) -> Any:
        """A 64-bit hash of what repetition compares: pieces, seat to act, phase. A constant in a game without the
        option ``repetition``, such as a game with dice."""

    def null_move(self, state: Record, variant: Record) -> None:
        """Optional, for games without dice: at the start of a turn, begins the next seat's turn as if this turn had
        changed nothing. Without it ``to_act`` is set to the other of two seats."""

    def is_out(self, state: Record, variant: Record, seat: int) -> bool:
        """Optional, for games that go on without some of their seats: whether ``seat`` can never act again and gets no
        reward any more. For a learner in that seat the episode is over."""

    def moves(self, state: Record, variant: Record, actions: Any) -> int:
        """Optional, for the speed of searches: writes the actions that `legal` allows into ``actions`` (int32 (A,)), in
        any order; how many there are. Never called after the end."""

    def draw_legal(self, state: Record, variant: Record, stream: Any) -> int:
        """Optional, for the speed of roll-outs: one of the actions that `legal` allows, uniformly at random. Takes one
        number from ``stream`` by `chance.below` and gives the action of that rank in index order, as drawing from the
        mask does, so that games are the same with it as without. Never called after the end."""

    def prune_nonwinning(self, state: Record, variant: Record, mask: Any, words: Any) -> None:
        """Optional, for speed: clears actions that certainly do not win at once from the mask of the seat to act."""


class Evaluation(Protocol):
    """A game's ``evaluation.py``: kernels that judge, for built-in players. The file, and each part of it, is optional:
    see `parlour.rulebook.no_evaluation`."""

    def greedy_score(self, before: Record, after: Record, variant: Record, seat: int) -> float:
        """The score of the ply that led from ``before`` to ``after``, for ``seat``, which played it: `greedy` plays the
        ply of the highest score. ``after`` is the state right after ``apply``, before any throw."""

    def potential(self, state: Record, variant: Record, seat: int) -> float:
        """How good a position is for ``seat``, from −1 to 1; the sum over all seats is 0. It is never called for a game
        that has ended by its rules."""

    def outlook(self, state: Record, variant: Record, seat: int) -> float:
        """Optional, for searches: how good a position looks that is not searched any further, as `potential` has it,
        but finer. Where it is not given, the potential."""

    def is_forcing(self, state: Record, variant: Record, action: int) -> bool:
        """Optional, for searches: whether a legal action, such as a jump in Checkers, must be played out before the
        position is judged. Where all legal actions are forcing, the seat can't decline them."""

    def is_sharp(self, state: Record, variant: Record, action: int) -> bool:
        """Optional, for searches: whether a legal action, such as a capture, is worth trying before others. Where it is
        not given, the forcing ones are."""

    def wins_at_once(self, state: Record, variant: Record) -> bool:
        """Optional, for searches of two seats without dice, where a win pays 1 and a loss −1: whether the seat to act
        can win with its next ply. It must be cheap, and may overlook a win, but never tell of one that isn't there.
        Where it is not given, it overlooks all."""

    def null_move_is_sound(self, state: Record, variant: Record) -> bool:
        """Optional, for searches: whether at the start of a turn the seat to act could do better than to change
        nothing (`Rules.null_move`), as good as always. Where it is not given, nowhere."""

    def outlook_bounds(self, state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
        """Optional, for searches of games with dice, in a position where a throw is due: the least and the most that
        the `outlook` of ``seat`` can be after so many more plies or fewer, with the throws among them, and the most, in
        size, that they can pay it, a win included. Where it is not given, nothing is known."""

    FEATURES: tuple[Feature, ...]
    """Optional, together with `features`: what it writes, in this order."""

    def features(self, state: Record, variant: Record, seat: int, numbers: Any) -> None:
        """Optional, for small value networks (`parlour.value`): writes what one sees from the view of ``seat`` into the
        first of ``numbers`` (int8), all that `FEATURES` tells. Where a throw is due, what an earlier one left does not
        count. Where it is not given, a network sees the observation planes."""

    EVENTS: tuple[str, ...]
    """Short names of events, such as a capture; the game's README explains them."""

    def events(self, before: Record, after: Record, variant: Record, counts: Any) -> None:
        """Adds to ``counts`` (integers (len(EVENTS),)) how often each of `EVENTS` happened in the ply that led
        from ``before`` to ``after``, including the throws after it. The seat that played it: ``after.last_seat``."""

    PLAYERS: dict[str, Any]
    """Optional: further players for this game, each with a name and a kernel like `greedy_score`."""


class Notation(Protocol):
    """A game's ``notation.py``: names of actions and its part of a position's text. Plain Python, no kernels."""

    MOVE_FORM: str
    """An example of a name, for error messages."""

    def move_name(self, action: int, state: Record) -> str | None:
        """The name of an action from the view of the seat to act; None if it can never be played."""

    def parse_move(self, text: str, state: Record) -> int | None:
        """The action with this name; None if no position allows it."""

    def write(self, state: Record, variant: Record) -> str:
        """The game's own part of the text, its own words included; without ``plies``, ``seen`` and ``end``."""

    def read(self, text: str, state: Record, variant: Record) -> None:
        """Sets the state's own fields and ``to_act`` from what `write` has written, and ``turn_over`` to 0 in the
        middle of a turn. ValueError if it is malformed."""

    def check(self, state: Record, variant: Record) -> None:
        """ValueError if the state, read from a text, can not occur in a game with this ``state.end``."""

    DICE_TEXT: bool
    """Whether the text holds dice, and the ply count in the game's own part, instead of ``key=value`` words."""


class Drawing(Protocol):
    """A game's ``drawing.py``: it sees only a state (and the variant) and knows no library."""

    def svg(self, state: Record, variant: Record) -> str:
        """The whole picture: board, pieces, last ply, whose turn, the end. Letters as shapes, so that no font is
        needed."""

    def ansi(self, state: Record, variant: Record) -> str:
        """The board in text, plain characters alone, with the last ply and the seat to act."""

    def hit_areas(self, state: Record, variant: Record) -> Sequence[HitArea]:
        """Optional: where the picture's places are, so that people can click them. Without it all moves are buttons."""


class Guide(Protocol):
    """A game's ``guide.py``, for people at the board. The file, and each part of it, is optional. Plain Python; texts
    are short sentences."""

    GOAL: str
    """What a seat plays for, in a few sentences for someone who has never seen the game."""
    LEGEND: Sequence[tuple[str, str, str]]
    """Each sign of `Drawing.ansi`: the sign, what it means, and its style on a terminal that shows colours (as
    `rich.style` reads it; may be empty)."""

    def instruction(self, state: Record, variant: Record) -> str:
        """What the seat to act has to do now; in the middle of a turn, which step of it this is."""

    def why_not(self, action: int, state: Record, variant: Record) -> str:
        """Why an action that has a name is not legal here; empty where nothing better is known than that it is not."""

    def clicks(self, action: int, state: Record, variant: Record) -> Sequence[str]:
        """The names of the places to click for a legal action, in order; what is no `HitArea` is a button. Without it
        these are the places that the action's name names."""


class RecordForm(Protocol):
    """A module of a game's folder that writes records of this game in a form which other programs read."""

    def write_games(self, records: Sequence[Any]) -> str:
        """All records (`parlour.records.GameRecord`) as one text. ValueError for one that the form can't hold."""

    def read_games(self, text: str) -> Iterable[Any]:
        """The records in a text. ValueError that says which line or game, and what is wrong there."""
