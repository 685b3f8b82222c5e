"""The parts of a game and the signatures of their functions. CONTRIBUTING.md ("Adding a game") says how to write them.

Axis letters, here and everywhere: N games, C planes, H and W board rows and columns, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.word_records import in_words, placed
from parlour.support.errors import listing, shortened

if TYPE_CHECKING:
    from parlour.rulebook.chance import Die, ThrowKey
    from parlour.rulebook.clauses import Lesson
    from parlour.rulebook.endings import Tier
    from parlour.rulebook.options import Count, Option, Variant

Record: TypeAlias = Any
"""One record of a game's ``STATE`` dtype, or of its variant dtype: fields are read and written as attributes."""

RUNNING, MAX_PLIES, REPETITION = 0, 1, 2
"""Values of ``state.end`` that all games share: running; truncated by `max_plies`; drawn by `repetition`."""
FIRST_OWN_END = 3
"""A game's own endings are numbered from here."""
COMMON_ENDS = ("", "max_plies", "repetition")


PLY_COUNT_LIMIT = 2**31 - 1
"""The count of plies stops here, in case a game without a limit ever gets there."""

MAX_ACTIONS = 32_767
"""The most actions that a game can have under any options: states and search trees keep actions, and how many are
legal, in 16 bits."""
MAX_SEATS = 127
"""The most seats: states keep them in 8 bits."""

COMMON_FIELDS: list[tuple[Any, ...]] = [
    ("plies", np.int32),  #        plies played; counted by `ply`
    ("seen", np.int32),  #         earlier positions, and the present one, that could still come again (`ply`)
    ("occurrences", np.int32),  #  how often the position at the end of the last turn has occurred; 0 when not counted
    ("last_action", np.int16),  #  the latest action, −1 before the first (`ply`; for pictures only)
    ("last_seat", np.int8),  #     and who took it
    ("to_act", np.int8),  #        the seat to act; after the end, the seat that would be
    ("end", np.int8),  #           RUNNING, or how the game ended
    ("turn_over", np.int8),  #     1 when the latest ply, with its throws, ended a turn: only then repetition counts
    ("irreversible", np.int8),  #  1 when the latest ply made every earlier position impossible
]


HEADER: Any = in_words(COMMON_FIELDS)
"""The shared fields: the first words of every state."""


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The state record of a game: the fields that the engine and the games share, and then its own.

    The shared ones lie at the same places in every game, so that the engine, which is compiled once for all games,
    finds them. It is whole 64-bit words, so that searches can read any state as words. ValueError for an own field
    that is called like a shared one.
    """
    game: Any = np.dtype(fields, align=True)
    for name in game.names or ():
        if name in HEADER.names:
            raise ValueError(f"STATE can't have a field {name!r} of its own; all games have {listing(HEADER.names)}")
    return placed(
        [
            *((name, *HEADER.fields[name][:2]) for name in HEADER.names),
            *((name, game.fields[name][0], HEADER.itemsize + game.fields[name][1]) for name in game.names or ()),
        ]
    )


def first_state_dtype(state: np.dtype[Any]) -> np.dtype[Any]:
    """The record that version 0.3.0 had for a game, with the shared fields behind its own: digests in files go by
    it."""
    names = [*(name for name in state.names or () if name not in HEADER.fields), *HEADER.names]
    return in_words([(name, state[name]) for name in names])


@dataclass(frozen=True)
class Plane:
    """One plane of the observation: H × W numbers from ``low`` to ``high``."""

    meaning: str
    low: int = 0
    high: int = 1
    kind: Literal["board", "dice"] = "board"
    """``"dice"``: what the latest throw shows, or leaves to be played; ``"board"``: everything else"""
    steps: tuple[int, ...] = ()
    """If the plane holds counts: the ones that a network should tell apart, such as one man, two, three and more.
    Ascending, above 0 and ``low``, up to ``high``. Each becomes a plane of its own under the wrapper `Thermometer`"""

    def __post_init__(self) -> None:
        """ValueError for steps that don't ascend within the bounds."""
        least = max(self.low, 0)
        if self.steps and not all(a < b for a, b in pairwise((least, *self.steps, self.high + 1))):
            valid = f"ascending from {least + 1} to {self.high}"
            raise ValueError(f"the plane {self.meaning!r} has the steps {self.steps}; valid: {valid}")


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

    Each maps the set-up to itself, and a legal ply and its consequences to a legal ply and its consequences. The first
    is the identity. Two of them, one after the other, are again one of them.
    """

    names: tuple[str, ...]
    cells: NDArray[np.int64]
    """[symmetry, cell]: where it moves a cell of a flattened plane: (S, H · W)"""
    actions: NDArray[np.int64]
    """[symmetry, action]: which action it turns an action into: (S, A)"""


@dataclass(frozen=True)
class Feature:
    """Numbers of one kind that small value networks see, all from ``low`` to ``high``: see `Evaluation.features`."""

    meaning: str
    count: int
    high: int = 1
    low: int = 0
    thresholds: tuple[int, ...] | None = None
    """Ascending, from 1 up: a unit of the network is on if its number is at least this threshold. None: defaults."""


@dataclass(frozen=True)
class HitArea:
    """A place of a picture that people can click: a cell, a field, a tray. Lengths are in the picture's pixels."""

    name: str
    """What the place is called in names of moves, such as ``c4``; no other area has it"""
    label: str
    """What screen readers read aloud: the place, and what stands there"""
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


class Variants(Protocol):
    """A game's ``variants.py``: its options and its variants, in plain Python."""

    OPTIONS: Sequence[Option]
    VARIANTS: Sequence[Variant]
    """The first is the default."""

    def resolve_dependent(self, values: dict[str, Any], explicit: frozenset[str]) -> None:
        """Optional: see `parlour.rulebook.options.ResolveDependent`."""

    def unrated(self, values: Mapping[str, Any]) -> str:
        """Optional: why ratings mean nothing under these option values; empty where they do."""


class Rules(Protocol):
    """A game's ``rules.py``. All but ``layout`` are kernels: no allocation, no exceptions, no random numbers (except
    for `draw_legal`, which is given a stream)."""

    STATE: np.dtype[Any]
    ENDS: tuple[str, ...]
    """A word for each value of ``state.end``, beginning with `COMMON_ENDS`."""
    DICE: tuple[Die, ...]
    """The dice of a throw of the game proper, D of them (`chance.fair`, `chance.weighted`); () without dice. With dice
    the state has a field ``dice`` (int8, (D,)): the latest throw of the game proper, −1 before there is one."""
    ZERO_SUM: bool
    """Optional: whether the rewards of all seats add up to 0 after every ply. True if it is not given."""
    THROW_KEY: ThrowKey
    """Optional: which throws are the same to the rules: `chance.multiset` (the default: in any order),
    `chance.sequence`, `chance.total`, or a function of your own. Searches look at only one of them."""

    def layout(self, values: dict[str, Any]) -> Layout:
        """The sizes for these option values."""

    def setup(self, state: Record, variant: Record) -> None:
        """Sets every field of the game's own, and ``to_act``, to the start of the game. A throw may be due then."""

    def dice_due(self, state: Record, variant: Record) -> int:
        """How many dice, the first ones, must be thrown before anyone can act; 0 when none."""

    def dice_thrown(self, variant: Record) -> int:
        """Optional, where it depends on options: how many dice, the first ones, a throw has. Default: all."""

    def throw(self, state: Record, variant: Record, faces: Any, rewards: Any) -> None:
        """Takes the throw that was due. ``faces``: int8; the first `dice_due` of them count. ``rewards``: float64
        (P,), to add to."""

    def apply(self, state: Record, variant: Record, action: int, rewards: Any) -> None:
        """Plays a legal ``action`` (0 to A − 1, from the view of the seat to act) with its consequences and the endings
        that it causes, except repetition and `max_plies`. Sets ``to_act``, ``turn_over``, ``irreversible`` and
        ``end``. ``rewards``: float64 (P,), to add to. If the same seat is to throw again, its turn goes on:
        ``turn_over`` is 0, and `throw` sets it to 1 if the throw ends the turn."""

    def legal(self, state: Record, variant: Record, mask: Any, words: Any) -> None:
        """Writes the action mask of the seat to act, every byte of it, all zeros after the end. ``mask``: int8 (A₈,),
        where A₈ is A rounded up to a multiple of 8; ``words``: the same bytes as uint64 (A₈ / 8,), for writing
        eight at a time."""

    def observe(self, state: Record, variant: Record, seat: int, planes: Any) -> None:
        """Writes all that ``seat`` sees. ``planes``: int8 (C · H · W,), plane after plane, row by row."""

    def position_key(self, state: Record) -> Any:
        """A 64-bit hash of what repetition compares: pieces, seat to act, phase. A constant in a game without the
        option ``repetition``, such as a game with dice."""

    PASS: int
    """Optional, for two seats and `options.REPEATS`: the action by which a seat without another legal ply passes."""
    NO_MOVE: int
    """The same for games where such a seat loses: the value of ``state.end``."""

    def seat_of_turn(self, state: Record) -> int:
        """Optional, for games with `repeats` where a seat acts in the other's turn: whose turn it is."""

    def is_out(self, state: Record, variant: Record, seat: int) -> bool:
        """Optional, for games that go on without some of their seats: whether ``seat`` can never act again and gets no
        reward any more. For a learner in that seat the episode is over."""

    def moves(self, state: Record, variant: Record, actions: Any) -> int:
        """Optional, makes searches faster: writes the actions that `legal` allows into ``actions`` (int32 (A,)), in any
        order, and returns how many there are. Never called after the end."""

    def draw_legal(self, state: Record, variant: Record, stream: Any) -> int:
        """Optional, makes roll-outs faster: one of the actions that `legal` allows, uniformly at random. Takes one
        number from ``stream`` by `chance.below` and returns the action of that rank in index order, as drawing from the
        mask does. So games are the same with and without it. Never called after the end."""


class Evaluation(Protocol):
    """A game's ``evaluation.py``: kernels that evaluate plies and positions, for players, searches and statistics. The
    file, and each part of it, is optional: see `parlour.rulebook.no_evaluation`."""

    def greedy_score(self, before: Record, after: Record, variant: Record, seat: int) -> float:
        """The score of the ply that led from ``before`` to ``after``, for ``seat``, which played it. `greedy` plays the
        ply with the highest score. ``after`` is the state right after ``apply``, before any throw."""

    def potential(self, state: Record, variant: Record, seat: int) -> float:
        """How good a running game is for ``seat``, from −1 to 1; the sum over all seats is 0."""

    def heuristic_value(self, state: Record, variant: Record, seat: int) -> float:
        """Optional: the value at full search depth, from −1 to 1: who is likely to win. Default: the potential."""

    def is_forcing(self, state: Record, variant: Record, action: int) -> bool:
        """Optional, for searches: whether a legal action, such as a jump in Checkers, must be played out before the
        position is evaluated. If all legal actions are forcing, the seat can't decline them."""

    def is_sharp(self, state: Record, variant: Record, action: int) -> bool:
        """Optional, for searches: whether to try a legal action early, as a capture. Default: the forcing actions."""

    def wins_at_once(self, state: Record, variant: Record) -> bool:
        """Optional, for searches of two seats without dice, where a win pays 1 and a loss −1: whether the seat to act
        can win with its next ply. It must be cheap. It may overlook a win, but must never report one that isn't
        there. Default: it overlooks all."""

    def heuristic_bounds(self, state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
        """Optional, for searches of games with dice, in a position where a throw is due: the lowest and the
        highest `heuristic_value` of ``seat`` after at most ``plies`` more plies with their throws, and the largest
        absolute reward, a win included, that they can bring to it. Default: nothing is known."""

    def most_to_win(self, state: Record, variant: Record, seat: int) -> float:
        """Optional, for games of two seats where a win can pay more than 1: the most that ``seat`` can still win in a
        running game, such as 1 in Backgammon where the other seat has borne off a man. What a network thinks of a
        position is shown within these bounds. Default: nothing is known."""

    FEATURES: tuple[Feature, ...]
    """Optional, together with `features`: what it writes, in this order."""

    def features(self, state: Record, variant: Record, seat: int, numbers: Any) -> None:
        """Optional, for small value networks (`parlour.players.value`): writes what a network sees from the view of
        ``seat`` into the first of ``numbers`` (int8): all that `FEATURES` lists. If a throw is due, what an earlier
        throw left must not count. Default: a network sees the observation planes."""

    def network_values(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Optional, for small value networks: the option values whose network plays well under ``values``, too, such as
        those that differ in the start of the game alone. A network that has learnt ``values`` themselves comes first.
        Default: the same values."""

    EVENTS: tuple[str, ...]
    """Short names of events, such as a capture; the game's README explains them."""

    def events(self, before: Record, after: Record, variant: Record, counts: Any) -> None:
        """Adds to ``counts`` (integers (len(EVENTS),)) how often each of `EVENTS` happened in the ply that led
        from ``before`` to ``after``, including the throws after it. The seat that played it: ``after.last_seat``."""

    PLAYERS: dict[str, Any]
    """Optional: further players for this game, each with a name and a kernel like `greedy_score`."""


class Endings(Protocol):
    """A game's ``endings.py``, which is optional: how `parlour.solve` numbers positions. Everything else comes from the
    rules. `parlour.rulebook.endings` helps.

    A position stands at the start of a turn; in a game with dice before a throw. It is seen by the seat to act: where
    both seats play alike, a position and the same with the seats exchanged may have one number. Counts that only limit
    a game (``plies``, repetitions) are no part of it.
    """

    LIMIT: Count | None
    """What bounds the table, such as the number of pieces: its name, the default, the range. None: the whole game."""

    def tiers(self, values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
        """The tiers, in an order in which they can be solved: no ply leads from one to a later one. A table with a
        higher ``limit`` begins with the same tiers. ValueError for option values under which positions are more than
        `rank` tells apart. ``limit``: 0 where `LIMIT` is None."""

    def rank(self, state: Record, variant: Record) -> tuple[int, int]:
        """A kernel: the tier of a position, −1 where it is in none, and its number there, from 0 up. Games with dice
        are solved sooner if plies mostly lead to higher numbers."""

    def place(self, tier: int, index: int, state: Record, variant: Record) -> int:
        """A kernel: sets every own field and ``to_act`` to a position with this number. Returns ``PLACED``, or ``HOLE``
        or ``LOST`` of `parlour.rulebook.endings`."""


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
        """ValueError if the state, read from a text, can't occur in a game with this ``state.end``."""

    DICE_TEXT: bool
    """Whether the text holds dice, and the ply count in the game's own part, instead of ``key=value`` words."""


class TurnNotation(Protocol):
    """What a ``notation.py`` may have besides, each by itself, so that whole turns can be written."""

    PLACES: Mapping[str, str]
    """Other words that people write for places, in lower case, and those that names have: ``"b": "bar"``."""

    def way(self, action: int, state: Record) -> Sequence[str]:
        """From which place to which an action moves a piece, so that turns can be written by places
        (``24/23/20``); empty for one that moves none. Without it, the two parts of the action's name."""

    def hits(self, before: Record, after: Record) -> bool:
        """Whether the ply between two states is marked by ``*`` where turns are written."""


class Drawing(Protocol):
    """A game's ``drawing.py``: it sees only a state and its variant, and uses no drawing library."""

    def svg(self, state: Record, variant: Record) -> str:
        """The picture: board, pieces, last ply, whose turn, the end. Letters as shapes, so that no font is needed."""

    def ansi(self, state: Record, variant: Record) -> str:
        """The board as text in plain ASCII, with the last ply and the seat to act."""

    def hit_areas(self, state: Record, variant: Record) -> Sequence[HitArea]:
        """Optional: where the picture's places are, so that people can click them. Without it all moves are buttons."""

    BOTTOM_SEAT: int
    """Optional: the seat that sits below the picture. The board is turned for a person in another seat."""


class Guide(Protocol):
    """A game's ``guide.py``, for people at the board; each part is optional. Plain Python, texts in short sentences."""

    LESSONS: Sequence[Lesson]
    """How to play, in about five pictures: under every variant the lessons that hold can be played."""
    LEGEND: Sequence[tuple[str, str, str]]
    """Each sign of `Drawing.ansi`, its meaning, and its style on a terminal (as `rich.style` reads it, or empty)."""

    def instruction(self, state: Record, variant: Record) -> str:
        """What the seat to act has to do now; in the middle of a turn, which step of it this is."""

    def why_not(self, action: int, state: Record, variant: Record) -> str:
        """Why an action that has a name is not legal here; empty if there is no better reason to give."""

    def clicks(self, action: int, state: Record, variant: Record) -> Sequence[str]:
        """The names of the places to click for a legal action, in order; a name that is no `HitArea` becomes a button.
        For any other action that has a name, a guess. Default: the places in the action's name."""

    def outcomes(self, before: Record, after: Record, variant: Record) -> Sequence[tuple[int, str, int]]:
        """What the ply between two states of a game has brought to seats, where the picture alone doesn't say it: the
        seat, what decided (``heart × 2``), and what it has won, below 0 if it has lost. Default: nothing."""


class Span(NamedTuple):
    """Where a game stands in a text of several."""

    number: int
    """of the game, from 1"""
    line: int
    """in which it begins, from 1"""
    start: int
    """its first character"""
    end: int
    """the first character behind it"""


@dataclass(frozen=True)
class ReadGame:
    """A game of a text, read by itself.

    Attributes:
        number: the game's, from 1.
        line: in which it begins; if it can't be read, in which the fault is.
        record: a `parlour.GameRecord`; None if it can't be read.
        reason: why it can't be read.
        notes: what its reader should know, such as a result that the board contradicts.

    Reason and notes that quote very long words are shortened.
    """

    number: int
    line: int
    record: Any = None
    reason: str = ""
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", shortened(self.reason))
        object.__setattr__(self, "notes", [*map(shortened, self.notes)])


NewGame: TypeAlias = Callable[["str | None", Mapping[str, Any]], Any]
"""Of a variant and option values: an environment (`parlour.GameEnv`) that has not been reset."""
Replay: TypeAlias = Callable[[Any, str], Iterable[Any]]
"""`parlour.records.replay`"""


class Unreadable(ValueError):
    """A game that can't be read; ``place``: the first character of what is wrong."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(reason)
        self.place = place


class RecordForm(Protocol):
    """A module of a game's folder that writes records of this game in a format that other programs read.

    It is handed what plays: ``replay``, which is `parlour.records.replay`, and ``new_game``, which makes an environment
    (`parlour.GameEnv`) of a variant and option values."""

    def write_games(self, records: Sequence[Any], replay: Replay) -> str:
        """Records (`parlour.GameRecord`) of this game as one text. ValueError for one that the form can't hold."""

    def find_games(self, text: str) -> Iterable[Span]:
        """Where the games of a text are, one after the other; none is played. Lines end with ``\\n``."""

    def read_games(
        self, text: str, new_game: NewGame, max_plies: int | None = None, spans: Iterable[Span] | None = None
    ) -> Iterable[ReadGame]:
        """The games in a text, each by itself: one that can't be read says why, and the next follows. ``spans``: only
        the games there. ValueError where all games together come to more than ``max_plies``, before that game is
        played."""
