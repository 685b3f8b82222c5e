"""Game records as PDN, Portable Draughts Notation, which checkers programs read and write.

The reader is more tolerant than the writer, wherever the meaning is clear: `pdn_text` takes texts apart, `pdn_moves`
plays what squares mean, and `read_games` here takes tags. It reads each game by itself, and a game that it can't read
says why.

Two rules for results. `1-0` is a win of the side that moves first, Black, as checkers archives have it. And on reading
the moves decide how the game ended, while the tag Result says what the file says: a game that was resigned or agreed
drawn has no end, and a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from parlour.rulebook.protocol import NewGame, ReadGame, Replay, Span, Unreadable
from parlour.rulebook.state_records import as_record

from . import notation, pdn_moves, pdn_text, rules
from .board import NO_SQUARE, SQUARES
from .variants import OPTIONS

GAME_TYPE, WIDE = "21", "20"
"""PDN's number of English draughts, which is American checkers; and that of the game on 10 × 10, which stands in many a
file of checkers by mistake: its moves tell."""
PROOF = 4
"""So many legal moves from a position show that it is one of checkers; from the start one does."""
WIDE_BOARD, WIDE_SQUARES = "10 × 10", 50
OWN_TAG = "Parlour"
"""Our tag: version of this package, variant, seed and options, so that a record comes back whole."""
OWN_TAG_FORM = re.compile(
    r"(?P<version>\S+) (?P<variant>\S+) seed=(?P<seed>None|[0-9]{1,4000})(?P<options>( \w+=\w+)*)"
)
OWN_POSITION_TAG = "ParlourPosition"
"""Our tag for the text of the position begun from, where it says more than FEN."""
NO_COUNTS = "steps=0 king_steps=0"
"""The words of a position that says no more than FEN."""
WORDS_A_PLY = 20
"""A text whose plies are limited has at most so many words for each, tags and remarks among them."""
MAX_FEN = 1000
"""Characters of a FEN that is read; one of all 32 squares with spaces and counts has fewer than 200."""
WIDTH = 80
UNSAID = {"Site": "?", "Date": "????.??.??", "Round": "?"}
"""Tags of a game of ours beside its name, as PDN has what is not known."""
HELD = ("GameType", "SetUp", "FEN", OWN_TAG, OWN_POSITION_TAG)
"""Tags for what other fields of a record hold."""
RESULTS = {(1.0, -1.0): "1-0", (-1.0, 1.0): "0-1"}
FOREIGN_VALUES: dict[str, object] = {"draw_rule": "none", "repetition": 0, "max_plies": 0}
"""How a game without our tag is played: people play on where a draw would come by itself."""

# --- writing ---


def write_games(records: Sequence[Any], replay: Replay) -> str:
    """Records (`parlour.GameRecord`) as PDN. ValueError for one that breaks the rules or begins in a multi-jump."""
    return "\n".join(write_game(record, f"game {number}", replay) for number, record in enumerate(records, 1))


def write_game(record: Any, where: str, replay: Replay) -> str:
    """One record: tags, an empty line, moves with comments, and the result. Errors begin with ``where``."""
    start, turns, ends, first_seat = turns_of(replay(record, where), where)
    known = record.tags or {"Event": f"{record.game} {record.variant}"} | UNSAID
    if odd := [name for name in known if not re.fullmatch(r"\w+", name)]:
        raise ValueError(f"{where}: {odd[0]!r} is no name of a PDN tag, which is one word")
    result = known.get("Result", result_of(record))
    tags = {name: known[name] for name in ("Event", *UNSAID) if name in known}
    tags |= {"Black": record.players[0], "White": record.players[1], "Result": result, "GameType": GAME_TYPE}
    tags |= {name: value for name, value in known.items() if name not in tags and name not in HELD}
    if record.position:
        fen, _, words = start.partition(" ")
        tags |= {"SetUp": "1", "FEN": fen} | ({} if words == NO_COUNTS else {OWN_POSITION_TAG: record.position})
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    tags[OWN_TAG] = f"{record.parlour} {record.variant} seed={record.seed} {options}"
    lines = [f'[{name} "{escaped(value)}"]' for name, value in tags.items()]
    moves = with_comments(list(numbered(turns, first_seat)), ends, record.comments)
    return "\n".join([*lines, "", *wrapped([*moves, pdn_text.result_named(result)])]) + "\n"


def result_of(record: Any) -> str:
    """The result of a game by the rules. Of one that was over where it began, nobody has had the returns."""
    if record.end == "no_move" and not record.moves:
        return "0-1" if record.position.startswith("B") else "1-0"  # the seat to act has lost
    drawn = record.end in ("repetition", "no_progress")
    return RESULTS.get((record.returns[0], record.returns[1]), pdn_text.DRAW if drawn else "*")


def with_comments(turns: Sequence[str], ends: Sequence[int], comments: Mapping[int, str]) -> Iterator[str]:
    """Words of turns, each with the comments up to the ply at its end."""
    waiting = sorted(comments.items())
    for turn, end in zip(["", *turns], [0, *ends]):
        if turn:
            yield turn
        while waiting and waiting[0][0] <= end:
            yield from f"{{{bracketed(waiting.pop(0)[1])}}}".split()


def bracketed(comment: str) -> str:
    """A comment that can stand in braces: braces only in pairs, and nothing that looks like a line of tags."""
    depth, pairs = 0, True
    for sign in comment:
        depth += (sign == "{") - (sign == "}")
        pairs &= depth >= 0
    plain = comment if pairs and not depth else comment.translate(str.maketrans("{}", "()"))
    return re.sub(r'\[(?=\s*\w+\s*["“”„])', "(", plain)


def turns_of(played: Iterable[Any], where: str) -> tuple[str, list[str], list[int], int]:
    """The text begun from, every turn in PDN, how many plies there are at its end, and the seat of the first turn, from
    a record that is played again."""
    turns: list[str] = []
    ends: list[int] = []
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
            ends[-1] = ply
        else:
            ends.append(ply)
            turns.append(f"{source + 1}{'-' if jumped == NO_SQUARE else 'x'}{target + 1}")
        goes_on = not state.turn_over
    return start, turns, ends, first_seat


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


# --- reading ---


def find_games(text: str) -> Iterator[Span]:
    """Where the games of a text of PDN are."""
    return (span for span, _ in pdn_text.games_in(text))


def read_games(
    text: str, new_game: NewGame, max_plies: int | None = None, spans: Iterable[Span] | None = None
) -> Iterator[ReadGame]:
    """The games in a text of PDN, with their records (`parlour.GameRecord`), or only those at some spans. ValueError if
    they have more than ``max_plies``, or far more words than these."""
    reader, plies = Reader(new_game), 0
    max_tokens = None if max_plies is None else WORDS_A_PLY * max_plies
    games = pdn_text.games_in(text, max_tokens) if spans is None else (pdn_text.game_at(text, span) for span in spans)
    for place, tokens in games:
        if max_plies is not None:
            plies += sum(len(notation.squares_in(move)) - 1 for move, _ in tokens.moves)
        if max_plies is not None and plies > max_plies:
            raise ValueError(f"line {place.line}: with this game the games have more than {max_plies} plies in total")

        def line_at(where: int, place: Span = place) -> int:
            return place.line + text.count("\n", place.start, where)

        try:
            if tokens.problem:
                raise Unreadable(*tokens.problem)
            record, notes = reader.read(tokens)
        except Unreadable as error:
            yield ReadGame(place.number, line_at(error.place), None, str(error))
        else:
            messages = [f"line {line_at(where)}: {note}" for note, where in notes]
            yield ReadGame(place.number, place.line, record, notes=messages)


class Reader:
    """What reads games: an environment of each variant and options, and room to play."""

    def __init__(self, new_game: NewGame) -> None:
        self.new_game = new_game
        self.envs: dict[tuple[Any, ...], Any] = {}
        self.blank: dict[tuple[Any, ...], Any] = {}
        """For each, the record of a game without moves."""
        self.table = pdn_moves.Workspace()

    def read(self, tokens: pdn_text.Tokens) -> tuple[Any, list[tuple[str, int]]]:
        """A game's record and notes on it, each with its place. Raises `Unreadable`."""
        tags = tokens.tags
        check_kind(tokens)
        own_tag = tags.get(OWN_TAG)
        written_by, variant, seed, values = read_own_tag(*own_tag) if own_tag else ("", None, 0, FOREIGN_VALUES)
        try:
            env, blank = self.begun(variant, values)
        except ValueError as error:
            raise Unreadable(str(error), own_tag[1] if own_tag else tokens.start) from None
        position = begin(env, tags, seed)
        self.table.states[:1] = env.games.states[:1]
        if tokens.moves and env.is_over():
            move, place = tokens.moves[0]
            raise Unreadable(f"{move!r} comes after the end ({env.games.ending(0)})", place)
        try:
            turns = pdn_moves.play(self.table, [move for move, _ in tokens.moves], may_stop=own_tag is not None)
        except pdn_moves.Unplayable as error:
            raise Unreadable(f"{error}{wide_hint(tokens)}", tokens.moves[error.place][1]) from None
        seated = [tags[name][0] if name in tags else "?" for name in ("Black", "White")]
        names = [name for turn in turns for name in turn]
        if values is FOREIGN_VALUES:
            record = replace(blank, options=dict(blank.options), players=seated, moves=names, **self.ended())
        else:
            step_through(env, turns, tokens)
            record = replace(env.record(seated), parlour=written_by)
        record = replace(record, position=position, seed=seed, comments=comments_of(tokens, turns))
        shown_tags, notes = tags_of(tokens, record)
        return replace(record, tags=shown_tags), notes

    def begun(self, variant: str | None, values: Mapping[str, Any]) -> tuple[Any, Any]:
        """The environment of a variant and options, and the record of a game there without moves. ValueError for what
        is not valid."""
        key = (variant, *sorted(values.items()))
        if key not in self.envs:
            env = self.new_game(variant, values)
            env.reset(seed=0)
            self.envs[key], self.blank[key] = env, env.record()
        return self.envs[key], self.blank[key]

    def ended(self) -> dict[str, Any]:
        """How the game that was played ended by the rules, under `FOREIGN_VALUES`, and its returns."""
        state = self.table.now
        returns = [0.0, 0.0]
        if state.end == rules.NO_MOVE:
            returns[state.to_act], returns[1 - state.to_act] = -1.0, 1.0
        return {"end": rules.ENDS[state.end], "returns": returns}


def comments_of(tokens: pdn_text.Tokens, turns: Sequence[Sequence[str]]) -> dict[int, str]:
    """What is said of a game, by the number of plies before it."""
    plies, by_ply = [0, *accumulate(map(len, turns))], dict[int, list[str]]()
    for place, words in tokens.comments:
        by_ply.setdefault(plies[place], []).append(words)
    return {ply: " ".join(words) for ply, words in by_ply.items()}


def tags_of(tokens: pdn_text.Tokens, record: Any) -> tuple[dict[str, str], list[tuple[str, int]]]:
    """What the file says of a game, with the result in PDN's words; nothing for what we wrote of a record without tags.
    And notes on it, each with its place."""
    tags = {name: value for name, (value, _) in tokens.tags.items() if name not in HELD}
    tags = {name: value for name, value in tags.items() if name not in ("Black", "White") or value != "?"}
    board, notes = result_of(record), []
    tag, behind = (pdn_text.result_named(word) for word in (tags.get("Result", ""), tokens.result[0]))
    result = behind if tag == "*" else tag
    if "*" not in (tag, behind) and tag != behind:
        notes.append((f"the tag Result says {tag}, behind the moves stands {behind}; the tag counts", tokens.result[1]))
    if record.end and result not in ("*", board):
        notes.append((f"the file tells the result {result}, but on the board it is {board}", tokens.result[1]))
    if not tokens.moves and not tokens.result[0] and "FEN" not in tokens.tags:
        notes.append(("it has tags alone, no moves", tokens.start))
    tags["Result"] = tags.get("Result") or "*" if result == "*" else result
    ours = {"Event": f"{record.game} {record.variant}", **UNSAID, "Result": board}
    if OWN_TAG in tokens.tags and ours == {name: tags[name] for name in tags if name not in ("Black", "White")}:
        return {}, notes
    return tags, notes


def step_through(env: Any, turns: Sequence[Sequence[str]], tokens: pdn_text.Tokens) -> None:
    """Plays whole turns in an environment, whose options may end the game or forbid plies."""
    for (move, place), turn in zip(tokens.moves, turns):
        for name in turn:
            if env.is_over():
                raise Unreadable(f"{move!r} comes after the end ({env.games.ending(0)})", place)
            try:
                env.step(env.parse_move(name))
            except ValueError as error:
                raise Unreadable(str(error), place) from None


def check_kind(tokens: pdn_text.Tokens) -> None:
    """Raises `Unreadable` for a game that is not checkers, as far as its tags tell."""
    value, place = tokens.tags.get("GameType", (GAME_TYPE, 0))
    kind, *details = [word.strip() for word in value.split(",")]
    needed = PROOF if "FEN" in tokens.tags else 1
    if kind == WIDE and (details[1:3] == ["10", "10"] or len(tokens.moves) < needed):
        raise Unreadable(f'GameType "{value}" is draughts on {WIDE_BOARD}; that of checkers is {GAME_TYPE}', place)
    if kind not in (GAME_TYPE, WIDE) and re.search(r"\w", kind):
        raise Unreadable(f'GameType "{value}" is another game; that of checkers is {GAME_TYPE}', place)


def wide_hint(tokens: pdn_text.Tokens) -> str:
    """That a game whose moves can't be played is one on a larger board, if it looks like that."""
    kind = tokens.tags.get("GameType", ("", 0))[0]
    if kind.startswith(WIDE) or any(NO_SQUARE in notation.squares_in(move) for move, _ in tokens.moves):
        return f"; a game on {WIDE_BOARD} is not checkers"
    return ""


def read_own_tag(value: str, place: int) -> tuple[str, str | None, int | None, dict[str, Any]]:
    """Version, variant, seed and option values in `OWN_TAG`."""
    options = {option.name: option for option in OPTIONS}
    match = OWN_TAG_FORM.fullmatch(value)
    words = dict(pair.partition("=")[::2] for pair in match["options"].split()) if match else {"": ""}
    if match is None or not set(words) <= set(options):
        form = f"0.1.0 american seed=0 {' '.join(f'{option.name}={option.default}' for option in options.values())}"
        raise Unreadable(f"the tag {OWN_TAG} is {value!r}; it must look like {form!r}", place)
    try:
        values = {name: options[name].parse(word) for name, word in words.items()}
    except ValueError as error:
        raise Unreadable(str(error), place) from None
    return match["version"], match["variant"], None if match["seed"] == "None" else int(match["seed"]), values


def begin(env: Any, tags: Mapping[str, tuple[str, int]], seed: int | None) -> str:
    """Sets the game up, and returns the text of where it begins, our tag's as it stands; empty for the start."""
    own_position = tags.get(OWN_POSITION_TAG)
    fen, place = own_position or tags.get("FEN", ("", 0))
    try:
        env.reset(seed=seed)
        if not re.search(r"\w", fen):  # empty, or a question mark
            return ""
        start = env.position()
        env.reset(seed=seed, options={"position": fen if own_position else plain_fen(fen)})
    except ValueError as error:
        raise Unreadable(str(error), place) from None
    if own_position is not None:
        return fen
    return "" if env.position() == start else env.position()


def plain_fen(fen: str) -> str:
    """A FEN as position texts have it: capitals, no spaces, no ranges, no zeros before a square, no word that is a
    zero, and without the counts that lidraughts appends (``:H0:F1``). ValueError for a range from high to low, and for
    squares of a larger board, and for a text that is far longer than any board."""
    if len(fen) > MAX_FEN:
        raise ValueError(f"FEN {fen[:40]!r}… has {len(fen)} characters")

    def squares(span: re.Match[str]) -> str:
        king, first, last = span[1], int(span[2]), int(span[3])
        if first > last:
            raise ValueError(f"FEN {fen!r}: the range {span[0]!r} is reversed; write {king}{last}-{first}")
        return ",".join(f"{king}{square}" for square in range(first, min(last, WIDE_SQUARES + 1) + 1))

    plain = re.sub(r"(:[HF][0-9]+|:\+[0-9]+\+[0-9]+)+(?=\.?$)", "", re.sub(r"\s", "", fen).upper())
    plain = re.sub(r"(?<![0-9])0+(?=[0-9])", "", plain)
    plain = re.sub(r"(K?)([0-9]{1,9})-([0-9]{1,9})", squares, plain)
    plain = re.sub(r"(?<=[WB,])K?0(,|(?=[:.]|$))", "", plain)
    plain = re.sub(r",(?=[:.]|$)", "", plain)
    if SQUARES < max(map(int, re.findall("[0-9]{1,9}", plain)), default=0) <= WIDE_SQUARES:
        raise ValueError(f"FEN {fen!r} has squares beyond {SQUARES}: a game on {WIDE_BOARD} is not checkers")
    return plain
