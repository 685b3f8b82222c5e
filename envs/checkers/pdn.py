"""Game records as PDN, Portable Draughts Notation, which checkers programs read and write.

The reader is more tolerant than the writer. It skips comments (``{…}``, ``;`` and ``%`` lines), glyphs (``$1``, ``!``)
and variations (``(…)``, one in another too). It takes jumps with ``x``, ``:`` or ``-``, with all their squares
(``10x19x28``) or with some left out (``10x28``) as long as all ways that fit take the same pieces, results as points
of two too (``2-0``), and a FEN with spaces, small letters and ranges (``W21-32``). A game with moves may lack its
result, and other tags than Black, White, GameType, FEN and our own mean nothing.

Two rules for results. `1-0` is a win of the side that moves first, Black, as checkers archives have it. And on reading
the moves decide: a game that its last move does not end, such as one that was resigned or agreed drawn, has no end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from parlour.rulebook.positions import listing
from parlour.rulebook.state_records import as_record

from . import notation
from .board import NO_SQUARE, SQUARES
from .variants import OPTIONS

NewGame = Callable[["str | None", Mapping[str, Any]], Any]
"""Of a variant and option values: an environment (`parlour.GameEnv`) that has not been reset."""
Replay = Callable[[Any, str], Iterable[Any]]
"""`parlour.records.replay`"""
GAME_TYPE, READ_TOO = "21", "20"
"""PDN's number of English draughts, which is American checkers; and that of the game on 10 × 10, which stands in many a
file of checkers by mistake (a game that is really of that kind is refused by its moves)."""
OWN_TAG = "Parlour"
"""Our tag: version of this package, variant, seed and options, so that a record comes back whole."""
OWN_TAG_FORM = re.compile(r"(?P<version>\S+) (?P<variant>\S+) seed=(?P<seed>[0-9]{1,4000})(?P<options>( \w+=\w+)*)")
OWN_POSITION_TAG = "ParlourPosition"
"""Our tag for the text of the position begun from, where it says more than FEN."""
NO_COUNTS = "steps=0 king_steps=0"
"""The words of a position that says no more than FEN."""
WIDTH = 80
RESULTS = {(1.0, -1.0): "1-0", (-1.0, 1.0): "0-1"}
BYTE_ORDER_MARK = "\ufeff"
FOREIGN_VALUES: dict[str, object] = {"draw_rule": "none", "repetition": 0, "max_plies": 0}
"""How a game without our tag is played: people play on where a draw would come by itself."""

# --- writing ---


def write_games(records: Sequence[Any], replay: Replay) -> str:
    """Records (`parlour.GameRecord`) as PDN. ValueError for one that breaks the rules or begins in a multi-jump."""
    return "\n".join(write_game(record, f"game {number}", replay) for number, record in enumerate(records, 1))


def write_game(record: Any, where: str, replay: Replay) -> str:
    """One record: tags, an empty line, moves and result. Errors begin with ``where``."""
    start, turns, first_seat = turns_of(replay(record, where), where)
    result = result_of(record, start)
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    tags = {
        "Event": f"{record.game} {record.variant}", "Site": "?", "Date": "????.??.??", "Round": "?",
        "Black": record.players[0], "White": record.players[1], "Result": result, "GameType": GAME_TYPE,
    }  # fmt: skip
    if record.position:
        fen, _, words = start.partition(" ")
        tags |= {"SetUp": "1", "FEN": fen} | ({} if words == NO_COUNTS else {OWN_POSITION_TAG: record.position})
    tags[OWN_TAG] = f"{record.parlour} {record.variant} seed={record.seed} {options}"
    lines = [f'[{name} "{escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *wrapped([*numbered(turns, first_seat), result])]) + "\n"


def result_of(record: Any, start: str) -> str:
    """The result of a game that began at ``start``: of one that was over there, nobody has had the returns."""
    if record.end == "no_move" and not record.moves:
        return "0-1" if start.startswith("B") else "1-0"  # the seat to act has lost
    drawn = record.end in ("repetition", "no_progress")
    return RESULTS.get((record.returns[0], record.returns[1]), "1/2-1/2" if drawn else "*")


def turns_of(played: Iterable[Any], where: str) -> tuple[str, list[str], int]:
    """The text begun from, every turn in PDN, and the seat of the first, from a record that is played again."""
    turns: list[str] = []
    start, first_seat, goes_on = "", 0, False
    for ply, env in enumerate(played):
        state = as_record(env.games.states, 0)
        if ply == 0:
            start, first_seat = env.position(), int(state.to_act)
            if state.jumper != NO_SQUARE:
                raise ValueError(f"{where}: PDN can't begin in the middle of a multi-jump, as {start!r} does")
            continue
        source, target, jumped = notation.last_squares(state)
        if goes_on:
            turns[-1] += f"x{target + 1}"
        else:
            turns.append(f"{source + 1}{'-' if jumped == NO_SQUARE else 'x'}{target + 1}")
        goes_on = not state.turn_over
    return start, turns, first_seat


def numbered(turns: Sequence[str], first_seat: int) -> Iterator[str]:
    """Turns with the numbers of moves: Black's turn and White's answer have one."""
    for place, turn in enumerate(turns, first_seat):
        if place % 2 == 0:
            yield f"{place // 2 + 1}. {turn}"
        else:
            yield f"{place // 2 + 1}... {turn}" if place == first_seat else turn


def wrapped(words: Sequence[str]) -> Iterator[str]:
    """Words in lines of at most `WIDTH` characters; a longer word has a line of its own."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    yield line


def escaped(value: str) -> str:
    """A tag's value between quotation marks."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


# --- reading: words ---

WORD = re.compile(
    r"""(?P<skip>\s+ | \{[^}]*\} | ;[^\n]* | ^%[^\n]* | \$[0-9]+ | [!?]+ | [0-9]+\.+ | \.+)
    | \[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    | (?P<bracket>[()])
    | (?P<result>(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|\*)(?![^\s({;]))
    | (?P<move>[0-9]+(?:[-x:X][0-9]+)+)
    | (?P<strange>\S[^\s(){}\[\]]*)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


class Word(NamedTuple):
    """A tag, move or result, and where it stands."""

    kind: str
    text: str
    value: str
    """of a tag"""
    line: int


def words_of(text: str) -> Iterator[Word]:
    """The meaningful tokens, without variations. ValueError with the line of a token that has no meaning."""
    line, opened = 1, []
    for found in WORD.finditer(text):
        kind, word = str(found.lastgroup), found[0]
        if kind == "bracket":
            if word == "(":
                opened.append(line)
            elif opened:
                opened.pop()
            else:
                raise ValueError(f"line {line}: ')' closes a variation that was never opened")
        elif kind == "strange":
            raise ValueError(f"line {line}: {word!r} has no meaning in PDN{hint(word)}")
        elif kind != "skip" and not opened:
            is_tag = kind == "value"
            value = re.sub(r"\\(.)", r"\1", found["value"], flags=re.DOTALL) if is_tag else ""
            yield Word("tag" if is_tag else kind, found["tag"] if is_tag else word, value, line)
        line += word.count("\n")
    if opened:
        raise ValueError(f"line {opened[-1]}: '(' opens a variation that is never closed")


def hint(word: str) -> str:
    """What the text may have meant."""
    if word.startswith("{"):
        return ": the comment is never closed"
    if word.startswith("["):
        return '; a tag is [Name "value"]'
    return f"; moves look like {notation.MOVE_FORM} or 10x19x28"


# --- reading: games ---


def read_games(text: str, new_game: NewGame, max_plies: int | None = None) -> Iterator[Any]:
    """The records (`parlour.GameRecord`) in a text of PDN. ValueError that says in which line, what, and why; also if
    there is no game, or if there are more than ``max_plies``."""
    tags: dict[str, Word] = {}
    moves: list[Word] = []
    games = plies = 0
    for word in words_of(text.removeprefix(BYTE_ORDER_MARK)):
        if word.kind == "tag":
            if moves:  # the game before has no result
                yield read_game(tags, moves, new_game)
                games, tags, moves = games + 1, {}, []
            if word.text in tags:
                raise ValueError(
                    f"line {word.line}: the tag {word.text} comes again; the game whose tags begin in line "
                    f"{min(tag.line for tag in tags.values())} has neither moves nor result"
                )
            tags[word.text] = word
        elif word.kind == "move":
            moves.append(word)
            plies += len(re.findall("[-x:X]", word.text))
            if max_plies is not None and plies > max_plies:
                raise ValueError(f"line {word.line}: here the games have more than {max_plies} plies in total")
        else:
            yield read_game(tags, moves, new_game)
            games, tags, moves = games + 1, {}, []
    if moves or tags:
        yield read_game(tags, moves, new_game)
    elif not games:
        raise ValueError("line 1: no game of PDN, which is tags, moves and a result")


def read_game(tags: dict[str, Word], moves: Sequence[Word], new_game: NewGame) -> Any:
    """One game, played move by move."""
    kind = tags.get("GameType")
    if kind and kind.value.split(",")[0].strip() not in (GAME_TYPE, READ_TOO):
        raise ValueError(f'line {kind.line}: GameType "{kind.value}" is another game; that of checkers is {GAME_TYPE}')
    own = tags.get(OWN_TAG)
    written_by, variant, seed, values = read_own_tag(own) if own else ("", None, 0, dict(FOREIGN_VALUES))
    try:
        env = new_game(variant, values)
    except ValueError as error:
        raise ValueError(f"line {own.line if own else 1}: {error}") from None
    position = begin(env, tags, seed)
    for place, word in enumerate(moves, 1):
        for name in plies_of(env, word, may_stop=own is not None and place == len(moves)):
            env.step(env.parse_move(name))
    record = env.record([tags[name].value if name in tags else "?" for name in ("Black", "White")])
    return replace(record, parlour=written_by or record.parlour, position=position)


def read_own_tag(tag: Word) -> tuple[str, str | None, int, dict[str, Any]]:
    """Version, variant, seed and option values in `OWN_TAG`."""
    options = {option.name: option for option in OPTIONS}
    found = OWN_TAG_FORM.fullmatch(tag.value)
    words = dict(pair.partition("=")[::2] for pair in found["options"].split()) if found else {"": ""}
    if found is None or not set(words) <= set(options):
        form = f"0.1.0 american seed=0 {' '.join(f'{option.name}={option.default}' for option in options.values())}"
        raise ValueError(f"line {tag.line}: the tag {OWN_TAG} is {tag.value!r}; it must look like {form!r}")
    values = {name: options[name].parse(value) for name, value in words.items()}
    return found["version"], found["variant"], int(found["seed"]), values


def begin(env: Any, tags: dict[str, Word], seed: int) -> str:
    """Sets the game up, and returns the text of where it begins, our tag's as it stands; empty for the start."""
    own = tags.get(OWN_POSITION_TAG)
    tag = own or tags.get("FEN")
    env.reset(seed=seed)
    if tag is None:
        return ""
    start = env.position()
    try:
        env.reset(seed=seed, options={"position": own.value if own else plain_fen(tag.value)})
    except ValueError as error:
        raise ValueError(f"line {tag.line}: {error}") from None
    if own is not None:
        return own.value
    return "" if env.position() == start else env.position()


def plain_fen(fen: str) -> str:
    """A FEN as position texts have it: capitals, no spaces, no ranges. ValueError for a range from high to low."""

    def squares(span: re.Match[str]) -> str:
        king, first, last = span[1], int(span[2]), int(span[3])
        if first > last:
            raise ValueError(f"FEN {fen!r}: the range {span[0]!r} is reversed; write {king}{last}-{first}")
        return ",".join(f"{king}{square}" for square in range(first, min(last, SQUARES + 1) + 1))

    return re.sub(r"(K?)([0-9]+)-([0-9]+)", squares, re.sub(r"\s", "", fen).upper())


# --- reading: moves ---


def plies_of(env: Any, word: Word, may_stop: bool) -> list[str]:
    """The names of the plies that a move of PDN means here; with ``may_stop`` also those that begin a multi-jump, all
    their squares given, and leave it there. ValueError if none or several turns fit."""
    if env.is_over():
        raise ValueError(f"line {word.line}: {word.text!r} comes after the end ({env.games.ending(0)})")
    must_jump = not re.fullmatch("[0-9]+-[0-9]+(-[0-9]+)*", word.text)
    wanted = re.split("[-x:X]", word.text)
    fitting = [turn for turn in turns(env) if fits(wanted, turn) and ("x" in turn[0] or not must_jump)]
    exact = [turn for turn in fitting if len(turn) + 1 == len(wanted)]
    if may_stop and not exact:
        for turn in turns(env):
            if squares_of(turn)[: len(wanted)] == wanted:
                return turn[: len(wanted) - 1]
    if not fitting:
        legal = listing([in_pdn(turn) for turn in turns(env)])
        raise ValueError(f"line {word.line}: {word.text!r} is not legal in {env.position()!r}; legal: {legal}")
    if len({jumps_of(turn) for turn in exact or fitting}) > 1:
        several = listing([in_pdn(turn) for turn in exact or fitting])
        raise ValueError(f"line {word.line}: {word.text!r} can mean several moves in {env.position()!r}: {several}")
    return (exact or fitting)[0]


def turns(env: Any) -> list[list[str]]:
    """Every whole turn of the seat to act, as the names of its plies."""
    found = []
    for name in env.legal_moves():
        twin = env.clone() if "x" in name else None
        if twin is not None:
            twin.step(twin.parse_move(name))
        if twin is None or twin.is_over() or twin.games.states["turn_over"][0]:
            found.append([name])
        else:
            found += [[name, *rest] for rest in turns(twin)]
    return found


def squares_of(turn: Sequence[str]) -> list[str]:
    """Where a turn begins and, in order, where it comes."""
    return [re.split("[-x]", turn[0])[0], *(re.split("[-x]", name)[1] for name in turn)]


def fits(wanted: Sequence[str], turn: Sequence[str]) -> bool:
    """Whether a turn has these squares: the first and the last, and the others on its way in this order."""
    squares = squares_of(turn)
    way = iter(squares[1:-1])
    return squares[0] == wanted[0] and squares[-1] == wanted[-1] and all(square in way for square in wanted[1:-1])


def jumps_of(turn: Sequence[str]) -> frozenset[frozenset[str]]:
    """A turn without its direction: each jump as the two squares on both sides of the piece it takes."""
    squares = squares_of(turn)
    return frozenset(frozenset(pair) for pair in pairwise(squares))


def in_pdn(turn: Sequence[str]) -> str:
    """``10x19x28``"""
    return ("x" if "x" in turn[0] else "-").join(squares_of(turn))
