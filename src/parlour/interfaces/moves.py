"""From a text to the plies that it names: one reader for what people type and what language models answer.

A text names an action in any spelling (``9-18``, ``9x18``, ``09 to 18``), or a turn of several plies: as steps in any
order (``8/5 6/5``, ``13/8(2), 6/5*``), as the places that one piece passes (``24/23/20``), or by its first and last
place (``13/3``). It is played as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from parlour.engine.games import Games
from parlour.engine.moment import Moment
from parlour.rulebook.state_records import as_record
from parlour.support.arguments import shown

PIECES = re.compile(r"[^\W\d_]+|[0-9]+")
LINKS = re.compile(r"(?<=\d)x(?=\d)|\b(?:to|takes)\b")
"""What people write between the parts of a move and what says nothing of its own: ``9x18``, ``9 to 18``."""
MAX_TYPED = 500
"""At most this many characters of a text are read."""
MAX_TRIED = 600
"""At most this many plies are tried by a reader to find turns of several."""
MAX_STEPS = 64
"""A turn is named in at most this many steps."""
LINKED = re.compile(r"\s*(?:->|=>|[-‐‑–—−→>/:]|(?<=[\d*\s])x(?=[\d\s])|\b(?:to|takes)\b)\s*")
"""What links the places of a step, with the blanks around it."""
BETWEEN = re.compile(r"[\s,;]+(?:(?:and|then)\b[\s,;]*)*")
"""What stands between two steps."""
THROW = re.compile(r"\(?([0-9])\s*[-, ]?\s*([0-9])\)?\s*(:?)\s+")
"""A throw that is written before a turn: ``31: 8/5 6/5``."""
TIMES = re.compile(r"\s*\(([1-9])\)")
"""How often a step is played: ``13/8(2)``."""
MARKED = re.compile(r"([^\W_]+)\*(?!\w)")
"""A place with the sign of a hit."""


@dataclass(frozen=True)
class Reading:
    """What a text means.

    Attributes:
        actions: the plies that it names, in an order in which they are legal; empty if there are none, or more than one
            turn can be meant.
        matches: what it can mean, if there are several: the names of the legal moves that begin like this, or turns.
        problem: why it is no legal move; empty otherwise.
        note: what is wrong with it though it is clear: a hit that is none. Empty otherwise.
    """

    actions: tuple[int, ...] = ()
    matches: tuple[str, ...] = ()
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Step:
    """A part of a text: one ply, or the way of one piece.

    Attributes:
        text: as it is written.
        pieces: the name, or the places that are passed.
        is_name: whether it can be the name of an action.
        is_way: whether it can be places.
        marks: places where something is said to be hit.
    """

    text: str
    pieces: tuple[str, ...]
    is_name: bool = True
    is_way: bool = True
    marks: tuple[str, ...] = ()


Level = dict[tuple[bytes, tuple[Step, ...]], tuple[Moment, tuple[int, ...]]]
"""Positions within a turn with the steps that are still to be played: a game there, and the plies that lead to it."""


@lru_cache(1 << 14)
def pieces_of(text: str) -> tuple[str, ...]:
    """The parts of a move's name, without what links them: ``9x18``, ``9 to 18`` and ``09-18`` have the same."""
    return tuple(piece.lstrip("0") or piece for piece in PIECES.findall(LINKS.sub(" ", text.lower())))


def read_move(games: Games, row: int, text: str) -> Reading:
    """What ``text`` means for the seat to act in a row, whose game is running."""
    return MoveReader(games, row).read(text)


class MoveReader:
    """Reads texts for the seat to act in a row of ``games``. It is of use as long as the position is the same."""

    def __init__(self, games: Games, row: int, legal: dict[int, str] | None = None) -> None:
        """``legal``: the legal actions with their names, if they are known."""
        self._games, self._row = games, row
        self.notation, self.guide = games.game.notation, games.game.guide
        self.legal = legal or {action: self.moment.name(action) for action in self.moment.legal()}
        self.words: Mapping[str, str] = getattr(self.notation, "PLACES", {})
        self._tries_left = MAX_TRIED

    @cached_property
    def moment(self) -> Moment:
        """The position, from which plies are tried."""
        return Moment.of_row(self._games, self._row)

    @cached_property
    def by_pieces(self) -> dict[tuple[str, ...], list[int]]:
        """The legal actions by the parts of their names."""
        actions: dict[tuple[str, ...], list[int]] = {}
        for action, name in self.legal.items():
            actions.setdefault(pieces_of(name), []).append(action)
        return actions

    @cached_property
    def named(self) -> dict[int, str]:
        """All actions that have a name for the seat to act, legal or not."""
        return named_actions(self._games, self._row)

    @cached_property
    def _pieces_of_names(self) -> frozenset[tuple[str, ...]]:
        return frozenset(map(pieces_of, self.named.values()))

    def read(self, text: str) -> Reading:
        """What ``text`` means. Case, blanks and the signs between the parts of a name don't matter."""
        typed = text.strip()[:MAX_TYPED]
        return self.meaning(typed) or Reading(problem=self._problem(typed))

    def meaning(self, text: str) -> Reading | None:
        """As `read`, but None for a text that is no legal move and begins none: `read` says why, which takes longer."""
        typed = text.strip().lower()[:MAX_TYPED]
        pieces = pieces_of(typed)
        exact = [action for action, name in self.legal.items() if name == typed]
        same = exact or self.by_pieces.get(pieces, [])
        if len(same) == 1:
            return Reading((same[0],), note=self._wrong_marks(MARKED.findall(typed), (same[0],)))
        if not pieces:
            return None
        turn = self._turn(typed)
        if turn is not None:
            return turn
        spelled = self.spelled(typed)
        if spelled in self.legal:
            return Reading((spelled,))
        begin = [name for name in self.legal.values() if pieces_of(name)[: len(pieces)] == pieces]
        return Reading(matches=tuple(begin)) if begin and (spelled is None or len(begin) > 1) else None

    def spelled(self, text: str) -> int | None:
        """The action that a text in lower case names in the game's own notation, legal or not; or None."""
        action: int | None = self.notation.parse_move(text, as_record(self.moment.states, 0))
        return action

    def ends_turn(self, actions: Iterable[int]) -> bool:
        """Whether the turn of the seat to act is over after these plies."""
        return any(_turn_is_over(before, after) for before, _, after in self._played(actions))

    def names_of(self, actions: Sequence[int]) -> str:
        """The names of the plies of a turn."""
        if len(actions) == 1:  # nothing need be played
            return self.legal[actions[0]]
        return " ".join(before.name(action) for before, action, _ in self._played(actions))

    # --- turns of several plies ---

    def _turn(self, typed: str) -> Reading | None:
        """What a text in lower case means that names a turn in steps; None if it names none that is legal."""
        problem, rest = self._without_throw(typed)
        if problem:
            return None
        texts = [rest] if rest == typed else [rest, typed]
        for steps in chain.from_iterable(map(self._ways_to_part, texts)):
            turns = self._turns(steps) if 0 < len(steps) <= MAX_STEPS else []
            if len(turns) == 1:
                marks = [mark for step in steps for mark in step.marks]
                return Reading(turns[0], note=self._wrong_marks(marks, turns[0]))
            if turns:
                return Reading(matches=tuple(map(self._written, turns)))
        return None

    def _without_throw(self, typed: str) -> tuple[str, str]:
        """Why a throw that is written before a turn is not the one that was made, or nothing; and the turn."""
        match, dice = THROW.match(typed), self._games.dice(self._row)
        if match is None or len(dice) != 2:
            return "", typed
        if sorted(match.groups()[:2]) == sorted(map(str, dice)):
            return "", typed[match.end() :]
        if match[3]:
            return f"the throw is {' '.join(map(str, dice))}, not {match[1]} {match[2]}", typed
        return "", typed

    def _ways_to_part(self, typed: str) -> Iterator[list[Step]]:
        """The steps of a text: as they are linked; of bare places as one way, or two by two."""
        for place in self.words:
            typed = typed.replace(place, self.words[place]) if " " in place else typed
        has_colons = ":" in self.notation.MOVE_FORM
        linked = LINKED.sub(lambda match: ":" if has_colons and ":" in match[0] else "/", TIMES.sub(r"(\1)", typed))
        steps: list[Step] = []
        bare: list[str] = []
        for part in [*filter(None, BETWEEN.split(linked)), ""]:
            times = TIMES.search(part)
            places = pieces_of(TIMES.sub("", part).replace("/", " "))
            if part and len(places) == 1 and not times:
                bare.append(part)
                continue
            steps += self._bare_steps(bare)
            bare = []
            if places:
                steps += [self._step(TIMES.sub("", part))] * (int(times[1]) if times else 1)
        yield steps
        if len(steps) == 1 and not LINKED.search(typed):
            pieces = steps[0].pieces
            yield [Step(f"{a}/{b}", (a, b), is_name=False) for a, b in zip(pieces[::2], pieces[1::2])]

    def _bare_steps(self, words: list[str]) -> list[Step]:
        """The steps of words that nothing links: names of one word, and all others between them as one."""
        steps: list[Step] = []
        others: list[str] = []
        for word in [*words, ""]:
            is_name = len(words) > 1 and pieces_of(word) in self._pieces_of_names
            if others and (is_name or not word):
                steps.append(self._step(" ".join(others)))
                others = []
            if is_name:
                steps.append(self._step(word))
            elif word:
                others.append(word)
        return steps

    def _step(self, part: str) -> Step:
        marks = MARKED.findall(part)
        pieces = tuple(self.words.get(piece, piece) for piece in pieces_of(MARKED.sub(r"\1", part).replace("/", " ")))
        is_name = part.count("/") == 0 or ":" not in self.notation.MOVE_FORM
        return Step(part, pieces, is_name, ":" not in part and len(pieces) > 1, tuple(marks))

    def _turns(self, steps: Sequence[Step]) -> list[tuple[int, ...]]:
        """The turns that play all steps, one for each position to which they lead; of those with the fewest plies."""
        in_order = self._in_order(steps)
        if in_order:
            return [in_order]
        turns: dict[str, tuple[int, ...]] = {}
        level: Level = {(b"", tuple(steps)): (self.moment, ())}
        while level and not turns:
            deeper: Level = {}
            for (_, left), (moment, plies) in level.items():
                for action, rest in self._next(moment, left):
                    if self._tries_left == 0:
                        return []
                    self._tries_left -= 1
                    after = moment.after(action)
                    is_over = _turn_is_over(moment, after)
                    rest = _without_pass(rest) if is_over else rest
                    if not rest:
                        turns.setdefault(after.text(), (*plies, action))
                    elif not is_over:
                        deeper.setdefault((after.states.tobytes(), rest), (after, (*plies, action)))
            level = deeper
        return list(turns.values())

    def _in_order(self, steps: Sequence[Step]) -> tuple[int, ...]:
        """The plies whose names the steps are, in this order; empty if they can't be played so."""
        before, plies = self.moment, []
        for k, step in enumerate(steps, 1):
            named = self._named_by(step, before)
            if len(named) != 1:
                return ()
            after = before.after(named[0])
            plies.append(named[0])
            if _turn_is_over(before, after):
                return () if _without_pass(steps[k:]) else tuple(plies)
            before = after
        return tuple(plies)

    def _named_by(self, step: Step, moment: Moment) -> list[int]:
        """The legal actions of which a step is the name: exactly, or else by its parts."""
        legal = {action: moment.name(action) for action in moment.legal()} if moment is not self.moment else self.legal
        if not step.is_name:
            return []
        exact = [action for action, name in legal.items() if name.lower() == step.text]
        return exact or [action for action, name in legal.items() if pieces_of(name) == step.pieces]

    def _next(self, moment: Moment, left: tuple[Step, ...]) -> Iterator[tuple[int, tuple[Step, ...]]]:
        """The plies that play one of the steps that are left, or begin it, and what is then left."""
        ways = [(action, self._way(action, pieces_of(moment.name(action)), moment)) for action in moment.legal()]
        for k, step in enumerate(left):
            if step in left[:k]:
                continue
            others = (*left[:k], *left[k + 1 :])
            named = self._named_by(step, moment)
            yield from ((action, others) for action in named)
            for action, way in ways if step.is_way else ():
                if len(way) == 2 and step.pieces[0] == way[0] and action not in named:
                    places = step.pieces[1:] if step.pieces[1] == way[1] else (way[1], *step.pieces[1:])
                    more = (Step(step.text, places, is_name=False),) if len(places) > 1 else ()
                    yield action, (*more, *others)

    def _way(self, action: int, name: tuple[str, ...], moment: Moment) -> tuple[str, ...]:
        """From which place to which an action leads."""
        way = getattr(self.notation, "way", None)
        return name if way is None else tuple(way(action, as_record(moment.states, 0)))

    # --- what is told ---

    def _played(self, actions: Iterable[int]) -> Iterator[tuple[Moment, int, Moment]]:
        """Plays the plies of a turn. Yields for each the position before, the action, and the position after."""
        before = self.moment
        for action in actions:
            after = before.after(action)
            yield before, action, after
            before = after

    def _hits(self, before: Moment, after: Moment) -> bool:
        """Whether a ply hits."""
        hits = getattr(self.notation, "hits", None)
        return hits is not None and bool(hits(as_record(before.states, 0), as_record(after.states, 0)))

    def _written(self, actions: Iterable[int]) -> str:
        """The plies of a turn by their names, with the sign of a hit."""
        return " ".join(
            f"{before.name(action)}{'*' if self._hits(before, after) else ''}"
            for before, action, after in self._played(actions)
        )

    def _wrong_marks(self, marks: Sequence[str], actions: Iterable[int]) -> str:
        """Of the places where a text says that something is hit, those where nothing is, in words."""
        if not marks:
            return ""
        hit = {
            self._way(action, pieces_of(before.name(action)), before)[-1]
            for before, action, after in self._played(actions)
            if self._hits(before, after)
        }
        wrong = dict.fromkeys(place for mark in marks if (place := self.words.get(mark, mark)) not in hit)
        return "; ".join(f"nothing is hit on {place}" for place in wrong)

    def _problem_of(self, steps: list[Step]) -> str:
        """Which step of several can't be played, and why."""
        for count in range(len(steps) - 1, -1, -1):
            turns = self._turns(steps[:count]) if count else [()]
            if turns:
                break
        step = steps[count]
        moment = [self.moment, *(after for _, _, after in self._played(turns[0]))][-1]
        done = f" after {self._written(turns[0])}" if count else ""
        meant = self._meant_by(step, moment)
        problem = f"{self.named[meant[0]] if meant else step.text} can't be played{done}"
        if count and _turn_is_over(self.moment, moment):
            return f"{problem}: the turn is over"
        return _with_reason(problem, self._reasons(meant, moment))

    def _meant_by(self, step: Step, moment: Moment) -> list[int]:
        """The actions of which a step is the name or the way, legal or not."""
        parts = {action: pieces_of(name) for action, name in self.named.items()}
        return [action for action, name in parts.items() if step.pieces in (name, self._way(action, name, moment))]

    def _reasons(self, actions: Iterable[int], moment: Moment) -> list[str]:
        """Why actions can't be played, each reason once, as far as the game's guide says so."""
        state, variant = as_record(moment.states, 0), as_record(moment.book.variants, 0)
        return list(dict.fromkeys(filter(None, (self.guide.why_not(action, state, variant) for action in actions))))

    def _problem(self, text: str) -> str:
        """Why a text is no legal move."""
        problem, rest = self._without_throw(text.lower())
        if problem:
            return problem
        named, pieces = self.named, pieces_of(text)
        spelled = self.spelled(rest)
        if spelled is None:
            legs = [leg for step in next(self._ways_to_part(rest)) for leg in _legs(step)]
            if 1 < len(legs) <= MAX_STEPS and all(self._meant_by(leg, self.moment) for leg in legs):
                return self._problem_of(legs)
        elif pieces_of(named[spelled]) != pieces:
            text = named[spelled]
            pieces = pieces_of(text)
        exact = [action for action, name in named.items() if name == text.lower()]
        longer = [action for action, name in named.items() if pieces and _begins(name, pieces)]
        meant = exact or [action for action, name in named.items() if pieces_of(name) == pieces]
        if meant and (exact or not longer):
            return _with_reason(f"{named[meant[0]]} is not legal here", self._reasons(meant, self.moment))
        reasons = self._reasons(longer, self.moment)
        if 0 < len(reasons) <= 3:
            return f"{text} can't be played: {'; '.join(reasons)}"
        near = get_close_matches(text.lower(), list(self.legal.values()), 3, 0.5)
        also = f"; did you mean {' or '.join(near)}?" if near else ""
        what = "begins no legal move" if longer else f"is no move; moves look like {self.notation.MOVE_FORM}"
        return f"{text!r} {what}{also}"


def parse_move(games: Games, row: int, text: object) -> int:
    """The ply that ``text`` names for the seat to act in a row, legal now or not. ValueError if it names none."""
    try:
        return games.parse_move(row, text)
    except ValueError:
        reading = read_move(games, row, text) if isinstance(text, str) and not games.ending(row) else Reading()
        if len(reading.actions) == 1:
            return reading.actions[0]
        if reading.actions:
            plies = len(reading.actions)
            raise ValueError(f"{text!r:.80} names a turn of {plies} plies, not one: parse_turn reads it") from None
        raise


def parse_turn(games: Games, row: int, text: object) -> list[int]:
    """The plies that ``text`` names for the seat to act in a row. ValueError, which says why, if it names no legal ply
    and no legal turn."""
    if not isinstance(text, str):
        raise ValueError(f"a turn is a text, not {shown(text)}")
    if games.ending(row):
        raise ValueError(f"the game is over ({games.ending(row)}): {shown(text)} can't be played")
    reading = read_move(games, row, text)
    if not reading.actions:
        raise ValueError(reading.problem or f"{shown(text)} can mean {' or '.join(reading.matches)}")
    return list(reading.actions)


def _without_pass(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Steps behind the end of a turn, without a word that nothing is left to play."""
    return tuple(step for step in steps if step.pieces != ("pass",))


def _turn_is_over(before: Moment, after: Moment) -> bool:
    """Whether the turn of the seat to act is over after a ply."""
    return bool(after.due or after.end or after.to_act != before.to_act or after.states["turn_over"][0])


def _legs(step: Step) -> list[Step]:
    """The parts of a way between two places that follow one another."""
    if not step.is_way or len(step.pieces) == 2:
        return [step]
    return [Step(f"{first}/{last}", (first, last), is_name=False) for first, last in pairwise(step.pieces)]


def named_actions(games: Games, row: int) -> dict[int, str]:
    """All actions that have a name for the seat to act in a row, legal or not."""
    state, name = as_record(games.states, row), games.game.notation.move_name
    named = ((action, name(action, state)) for action in range(games.layout.actions))
    return {action: str(text) for action, text in named if text is not None}


def _with_reason(problem: str, reasons: Sequence[str]) -> str:
    """A problem with the first of its reasons, if there is one."""
    return f"{problem}: {reasons[0]}" if reasons else problem


def _begins(name: str, pieces: tuple[str, ...]) -> bool:
    """Whether a name begins with these pieces and has more."""
    named = pieces_of(name)
    return len(named) > len(pieces) and named[: len(pieces)] == pieces
