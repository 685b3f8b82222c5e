"""Games of matches in backgammon as other programs write them: what `mat` and `sgf` have in common.

There is no cube here, so that games are played on past a double: what was done with the cube is a comment, who won and
how many points are the tags ``Result`` and ``Points``. A game is read or refused by itself; the others do not suffer.
The player called first is White here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parlour.rulebook.protocol import RUNNING, NewGame, ReadGame, Span, Unreadable
from parlour.rulebook.state_records import as_record, copied

from . import SEAT_NAMES, notation
from .variants import OPTIONS

OWN_TAG = "Parlour"
"""What holds the variant and options of a game that was written here."""
FOREIGN: dict[str, object] = {"max_plies": 0}
"""How a game of another program is played."""
RESULTS = ("1-0", "0-1")
"""The tag ``Result`` of a game that a seat has won."""
LENGTH = re.compile(r"([0-9]{1,5}) point match")
SCORE = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
POINTS = re.compile(r"[1-9][0-9]{0,4}")
"""Tags of a record that are numbers here; tags of any other form are left out."""


@dataclass(frozen=True)
class Action:
    """What a player does: a turn (``dice`` and ``steps``), or ``what`` he says.

    Attributes:
        seat: the player, 0 on the left.
        place: the first character.
        dice: the throw; empty for what is no turn.
        steps: the moves; empty if none can be played.
        what: ``Doubles => 2``, ``Takes``, ``Drops``, ``Wins 2 points``.
        is_over: whether the game ends so.
        points: how many are won, where that is said; 0 elsewhere.
    """

    seat: int
    place: int
    dice: tuple[int, ...] = ()
    steps: str = ""
    what: str = ""
    is_over: bool = False
    points: int = 0


@dataclass
class WrittenGame:
    """A game as a text has it.

    Attributes:
        span: where it stands.
        actions: what is done, in order.
        names: of both players.
        tags: what is said of it.
        own_tag: our own tag, as `own_tag` writes it; empty in games of other programs.
        comments: what is said of its course, by the number of actions before it.
    """

    span: Span
    actions: list[Action]
    names: list[str] = field(default_factory=lambda: ["?", "?"])
    tags: dict[str, str] = field(default_factory=dict)
    own_tag: str = ""
    comments: dict[int, str] = field(default_factory=dict)


# --- reading ---


def read_each(
    text: str, spans: Iterable[Span], parse: Callable[[Span], WrittenGame], new_game: NewGame, max_plies: int | None
) -> Iterator[ReadGame]:
    """The games at some spans of a text with their records (`parlour.GameRecord`). ``parse``: takes one apart; raises
    `Unreadable`. ValueError if they have more than ``max_plies``."""
    reader, plies = Reader(new_game), 0
    for span in spans:
        try:
            game = parse(span)
            plies += sum(max(action.steps.count("/"), 1) for action in game.actions if action.dice)
            if max_plies is not None and plies > max_plies:
                raise ValueError(
                    f"line {span.line}: with this game the games have more than {max_plies} plies in total"
                )
            record, notes = reader.read(game)
        except Unreadable as error:
            line = span.line + text.count("\n", span.start, error.place)
            yield ReadGame(span.number, line, None, str(error))
        else:
            yield ReadGame(span.number, span.line, record, notes=[f"line {span.line}: {note}" for note in notes])


class Reader:
    """What plays the games that are read: an environment of each variant and options."""

    def __init__(self, new_game: NewGame) -> None:
        self.new_game = new_game
        self.envs: dict[tuple[Any, ...], Any] = {}

    def read(self, game: WrittenGame) -> tuple[Any, list[str]]:
        """A game's record and notes on it. Raises `Unreadable`."""
        turns = [action for action in game.actions if action.dice]
        try:
            variant, values = read_own_tag(game.own_tag) if game.own_tag else (None, dict(FOREIGN))
            if turns and turns[0].dice[0] == turns[0].dice[1]:
                values.setdefault("opening", "throw")
            env = self.begun(variant, values)
            env.reset(seed=0, options={"dice": throws_of(turns, env.values["opening"] == "throw")})
        except ValueError as error:
            raise Unreadable(str(error), game.span.start) from None
        comments: dict[int, list[str]] = {}
        plies = 0
        for k, action in enumerate([*game.actions, None]):
            if k in game.comments:
                comments.setdefault(plies, []).append(game.comments[k])
            if action is not None and action.dice:
                plies += play_turn(env, action, last=action is turns[-1])
            elif action is not None and not action.points:
                comments.setdefault(plies, []).append(f"{SEAT_NAMES[action.seat]}: {action.what}.")
        record, tags = env.record(game.names), game.tags | result_tags(game.actions)
        texts = {ply: " ".join(words) for ply, words in comments.items()}
        return replace(record, tags=tags, comments=texts), list(notes_on(game.actions, tags, record.returns))

    def begun(self, variant: str | None, values: Mapping[str, Any]) -> Any:
        """The environment of a variant and options. ValueError for what is not valid."""
        key = (variant, *sorted(values.items()))
        if key not in self.envs:
            self.envs[key] = self.new_game(variant, values)
        return self.envs[key]


def result_tags(actions: Iterable[Action]) -> dict[str, str]:
    """Who has won, and how many points."""
    tags = {}
    for action in actions:
        if action.is_over:
            tags["Result"] = RESULTS[action.seat if action.points else 1 - action.seat]
        if action.points:
            tags["Points"] = str(action.points)
    return tags


def notes_on(actions: Iterable[Action], tags: Mapping[str, str], returns: Sequence[float]) -> Iterator[str]:
    """What a reader of the game should know."""
    if any(not action.dice and not action.is_over for action in actions):
        yield "it was played with a doubling cube, which this game does not have; play goes on without it"
    result = tags.get("Result")
    if result and any(returns) and RESULTS[returns.index(max(returns))] != result:
        yield f"it tells the result {result}, but on the board {SEAT_NAMES[RESULTS.index(result) - 1]} has won"


def throws_of(turns: Sequence[Action], anew: bool) -> list[list[int]]:
    """All throws of a game: each player's die for the start, of which the higher one begins, then those of the turns.
    The first turn is played with the dice for the start, or (``anew``) with a throw of its own."""
    if not turns:
        return []
    first, faces = turns[0].seat, turns[0].dice
    start = sorted((2, 1) if anew else faces, reverse=True)
    throws = [list(turn.dice) for turn in turns]
    return [[start[first]], [start[1 - first]], *throws[0 if anew else 1 :]]


def play_turn(env: Any, action: Action, last: bool) -> int:
    """Plays a turn. Returns how many plies it has. Raises `Unreadable` if it is not the player's, or not legal; of the
    ``last`` one a part may be missing."""
    seat, dice = SEAT_NAMES[action.seat], "".join(map(str, action.dice))
    if env.is_over():
        raise Unreadable(f"{dice}: comes after the end ({env.games.ending(0)})", action.place)
    if env.possible_agents.index(env.agent_selection) != action.seat:
        raise Unreadable(f"{seat} plays {dice}: twice in a row", action.place)
    steps, throws = action.steps.strip() or "pass", _throws_made(env)
    if not action.steps.strip() and env.legal_moves() != ["pass"]:
        if last:
            return 0
        raise Unreadable(f"{seat} plays nothing with {dice}, though {env.legal_moves()[0]} is legal", action.place)
    try:
        plies = env.parse_turn(steps)
    except ValueError as error:
        raise Unreadable(f"{seat}, {dice}: {error}", action.place) from None
    for ply in plies:
        env.step(ply)
    if not last and not env.is_over() and _throws_made(env) == throws:
        raise Unreadable(f"{seat} plays {steps} with {dice}, after which {env.legal_moves()[0]} is legal", action.place)
    return len(plies)


def _throws_made(env: Any) -> int:
    """How many throws the game has had."""
    stream = env.games.dice_rng[0]
    return int(stream["counter"]) + int(stream["forced_used"])


def read_own_tag(value: str) -> tuple[str, dict[str, object]]:
    """Variant and option values in `OWN_TAG`. ValueError if it is malformed."""
    variant, *words = value.split() or [""]
    options = {option.name: option for option in OPTIONS}
    pairs = [word.partition("=") for word in words]
    if not all(name in options for name, _, _ in pairs):
        raise ValueError(f"the tag {OWN_TAG} is {value!r}; it has a variant and options, such as 'hyper max_plies=0'")
    return variant, {name: options[name].parse(word) for name, _, word in pairs}


# --- writing ---


def own_tag(record: Any) -> str:
    """The variant and options of a record."""
    return " ".join([record.variant, *(f"{name}={value}" for name, value in record.options.items())])


def check_start(record: Any, where: str) -> None:
    """ValueError for a record that does not begin at the start."""
    if record.position:
        raise ValueError(f"{where}: this form has whole games alone, and the game begins at {record.position!r}")


def won_by(record: Any) -> tuple[int | None, int]:
    """Who has won a game, by the rules or as it is told, and how many points; None and 0 if nobody has."""
    result = record.tags.get("Result", "")
    winner = RESULTS.index(result) if result in RESULTS else None
    if any(record.returns):
        winner = record.returns.index(max(record.returns))
    points = POINTS.fullmatch(record.tags.get("Points", ""))
    return winner, 0 if winner is None else int(points[0] if points else max(max(record.returns), 1))


def length_of(record: Any) -> int:
    """The length of the match of a record; 0 for none."""
    length = LENGTH.fullmatch(record.tags.get("Match", ""))
    return int(length[1]) if length else 0


def score_before(record: Any) -> list[int]:
    """What both players had won before a game; 0 where it is not told."""
    score = SCORE.fullmatch(record.tags.get("Score", ""))
    return [int(points) for points in score.groups()] if score else [0, 0]


def turns_of(played: Iterable[Any]) -> Iterator[tuple[int, str, list[str]]]:
    """The seat, the throw and the steps (``25/20*``, ``6/0``) of each turn of a game that is played again; the last one
    may be a part of a turn."""
    before: Any = None
    seat, dice, steps = 0, "", list[str]()
    for env in played:
        state = as_record(env.games.states, 0)
        if before is not None:
            name = notation.move_name(int(state.last_action), before)
            hit = "*" if notation.hits(before, state) else ""
            if name != "pass":
                steps.append(str(name).replace("bar", "25").replace("off", "0") + hit)
            if state.turn_over or state.end != RUNNING:
                yield seat, dice, steps
                steps = []
        if not steps:
            seat, dice = int(state.to_act), "".join(str(face) for face in state.dice.tolist())
        before = as_record(copied(env.games.states), 0)
    if steps:
        yield seat, dice, steps
