"""`TextBatch`: many games in words, on the batch engine. Axis letters: N games, M of them, P seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import UNFINISHED
from parlour.engine.view import GamesView
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.batch_arguments import read_distinct_rows
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.moves import MoveReader, named_actions, pieces_of
from parlour.interfaces.registry import make, make_batch
from parlour.players import Considering
from parlour.players.checked import CheckedPlayer
from parlour.players.names import parse_player
from parlour.players.people.advice import value_lost
from parlour.players.people.rule_texts import sheet
from parlour.rulebook.protocol import MAX_PLIES, RUNNING
from parlour.support.arguments import flag, one_of, real_number, shown, whole_number
from parlour.support.copied import CopiedWhole
from parlour.text.illegal import MOST_IN_A_ROW, read_illegal
from parlour.text.messages import ASK, VIEWS, Messages, legal_names, listed, note_throw
from parlour.text.reading import Choice, ReplyReader
from parlour.text.seating import CALLER, Opponent, Seating, TextPolicy
from parlour.text.state import NOBODY, Reply, TextState

RULES = ("short", "full", "none")
REWARDS = ("result", "shaped")
MOST_BEGINNINGS = 100


class TextBatch(CopiedWhole):
    """N games in words, side by side: each row a game between the seats whose replies the caller gives and opponents.

    `reset` gives a message for each row, `step` takes a reply for each. One seed fixes dice, seats, openings, opponents
    and random moves: the same replies then get the same messages, byte for byte. (A player with a budget in seconds
    is the exception.) Row i plays as a `TextGame` reset with the seed `seed_of` (i).

    The move of a reply is the one that it chooses (`parlour.text.reading.RULE`), a ply or a whole turn, written as
    people type moves. Only the last 4000 characters of a reply are read.

    Attributes:
        batch: the `parlour.Batch` that plays the games; num_games: N.
    """

    def __init__(
        self,
        game: str,
        num_games: int,
        *,
        variant: str | None = None,
        seat: int | str = "random",
        opponent: Opponent | Sequence[Opponent] = "random",
        legal_moves: bool = True,
        illegal: str = "retry:2",
        view: str = "board",
        rules: str = "short",
        opening_plies: int = 0,
        judge: str | None = None,
        reward: str = "result",
        gamma: float = 1.0,
        seed: int | None = None,
        threads: int = 1,
        **values: Any,
    ) -> None:
        """
        Args:
            game: an id such as ``"agon-v0"``.
            num_games: N, at least 1.
            variant: a name from `parlour.variants`; None: the game's first.
            seat: whose replies the caller gives: a number, a name such as ``"Light"``, ``"random"`` (drawn for each
                game) or ``"all"``, for self-play.
            opponent: who plays the other seats: a player's name, a `parlour.players.Player`, or a frozen text policy, a
                function from a conversation (`parlour.text.seating.Conversation`) to a reply; or a list of these for
                the other seats, in turn after the caller's.
            legal_moves: whether messages list the legal moves.
            illegal: what an illegal reply brings. ``"retry:2"``: another try, twice a ply at most, then the game is
                forfeited; ``"penalty:0.1"``: this is taken from the reward, and the seat tries again;
                ``"forfeit"``: the game is forfeited at once; ``"random"``: a legal move is drawn in its place. A
                forfeited game brings −1 (the others share 1); its result has a name of its own.
            view: how messages show the position: ``"board"``, ``"list"`` of the pieces, or ``"text"``.
            rules: in the first message: ``"short"``, ``"full"`` (with what the sources say) or ``"none"``.
            opening_plies: how many random plies begin each game.
            judge: the name of a player that values positions, such as ``"champion:2"``, for ``"value_lost"``.
            reward: ``"result"``, the game's own; or ``"shaped"``: plus γ Φ(after) − Φ(before), where Φ is what the seat
                can expect by the judge, and 0 after the end. Rewards of this form leave the best policies the best
                (Ng, Harada and Russell, *Policy invariance under reward transformations*, ICML 1999).
            gamma: γ, the learner's own discount, from 0 to 1.
            seed: of the first `reset`; None: a fresh one.
            threads: how many threads share the rows.
            **values: any option of the game.

        Raises:
            ValueError: for anything unknown or out of range, naming it and what is valid.
        """
        self.batch = make_batch(
            game, num_games, variant=variant, seed=seed, threads=threads, autoreset="disabled", **values
        )
        known, self.num_games = self.batch.game, self.batch.num_games
        self._rule, self._shaped = read_illegal(illegal), one_of("reward", reward, REWARDS) == "shaped"
        self._opening_plies = whole_number("opening_plies", opening_plies)
        self._gamma = real_number("gamma", gamma, 0, 1)
        self._seating = Seating(known, self.batch.num_seats, seat, opponent)
        if self._shaped and (judge is None or self._seating.all_callers):
            raise ValueError("reward='shaped' needs a judge, and one seat of the caller's, not seat='all'")
        which = one_of("rules", rules, RULES)
        text = "" if which == "none" else sheet(known, self.batch.games.variant_mix.entries[0].values, which == "full")
        self._messages = Messages(text, one_of("view", view, VIEWS), flag("legal_moves", legal_moves))
        self._make_desk = partial(make, game, variant=variant, **values)
        self._desk: GameEnv | None = None  # where replies are explained, made when first needed
        self._judge = None if judge is None else self._read_judge(judge)
        self._play = self.batch.games.self_play(*np.zeros((2, self.num_games), np.int8))
        self._text_states: list[TextState] = []

    def _read_judge(self, judge: str) -> Considering:
        """The player with a judge's name. ValueError if it can't value a position: the game's first is tried."""
        player, desk = parse_player(judge, self.batch.game), self._make_desk()
        desk.reset(seed=0)
        if not isinstance(player, Considering) or player.consider(GamesView(desk.games)).values is None:
            raise ValueError(f"judge={judge!r} does not value positions; valid: champion, exact:FOLDER, mcts:400 …")
        return player

    def seed_of(self, i: int) -> int:
        """The seed with which a `TextGame` plays exactly as row i."""
        return self.batch.seed_of(i)

    def to_act(self, row: int) -> int:
        """The seat that is to reply in a row."""
        return int(self.batch.games.states["to_act"][row])

    def done(self, row: int) -> bool:
        """Whether a row's game is over."""
        return bool(self.batch.games.states["end"][row] != RUNNING) or self._text_states[row].forfeiter != NOBODY

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        rows: Sequence[int] | None = None,
        position: str | Sequence[str] | None = None,
    ) -> list[str]:
        """Begins new games. Returns the first message of each row; of a row that is not reset, what it would be told.

        Args:
            seed: one for all rows, or one for each; None: the random streams continue.
            rows: those to begin; None: all.
            position: a text to begin from, or one for each row: see `parlour.Batch.reset`.

        Raises:
            ValueError: for a seed, rows or position that are not valid; then nothing changes.
        """
        everyone = range(self.num_games)
        starts = [position] * self.num_games if position is None or isinstance(position, str) else [*position]
        begun = [*everyone] if rows is None else read_distinct_rows("rows", rows, self.num_games).tolist()
        for _ in range(MOST_BEGINNINGS):
            self.batch.reset(seed=seed, options={"reset_mask": self._mask(begun), "position": position})
            self._begin(begun, starts)
            begun, seed = [row for row in begun if self.done(row)], None
            if not begun:
                return [self._message(row, self.to_act(row)) for row in everyone]
        raise ValueError(f"in {MOST_BEGINNINGS} games the caller's seat never came to act; take fewer opening_plies")

    def step(self, replies: Sequence[str | None]) -> list[Reply | None]:
        """Plays the replies, then what the opponents answer, up to the next message for each row.

        ``replies``: a text for each row; None leaves a row as it is, and its answer is None. Raises ValueError for
        another number of replies, for what is no text, and for a reply to a game that is over; then nothing changes.
        AssertionError before `reset`.
        """
        self._check(replies)
        seats = [self.to_act(row) for row in range(self.num_games)]
        turns: dict[int, tuple[int, ...]] = {}
        infos: dict[int, dict[str, Any]] = {}
        for row, reply in enumerate(replies):
            if reply is not None:
                self._text_states[row].rewards[:] = 0
                turns[row], infos[row] = self._read(row, seats[row], reply)
        self._play_turns(turns)
        self._play_on([row for row, turn in turns.items() if turn])
        return [
            self._answer(row, seat, infos[row], bool(turns[row])) if row in infos else None
            for row, seat in enumerate(seats)
        ]

    def record(self, row: int, players: Sequence[str] | None = None) -> GameRecord:
        """A row's game so far; ``players``: a name for each seat's. ValueError for a game not begun by a seed."""
        env, text_state = self._make_desk(), self._text_states[row]
        env.reset(seed=self.seed_of(row), options={"position": text_state.start})
        with suppress(ValueError):  # under other throws
            for seat, name in text_state.log:
                if seat != NOBODY:
                    env.step(env.parse_move(name))
        if env.position() != self.batch.position(row):
            raise ValueError(f"game {row} has no record: it was not begun by a seed")
        return env.record(players)

    def _check(self, replies: Sequence[str | None]) -> None:
        if not self._text_states:
            raise AssertionError("reset() needs to be called before step.")
        if isinstance(replies, str) or len(replies) != self.num_games:
            raise ValueError(f"step takes a list of {self.num_games} replies, one a game, not {shown(replies)}")
        for row, reply in enumerate(replies):
            if reply is not None and not isinstance(reply, str):
                raise ValueError(f"game {row}: a reply must be a text or None, not {shown(reply)}")
            if reply is not None and self.done(row):
                raise ValueError(f"game {row} is over and takes only None until reset(rows=[{row}])")

    # --- playing ---

    def _mask(self, rows: Iterable[int]) -> NDArray[np.bool_]:
        mask = np.zeros(self.num_games, np.bool_)
        mask[[*rows]] = True
        return mask

    def _begin(self, rows: list[int], starts: Sequence[str | None]) -> None:
        """Games have begun in the rows: seats everybody, plays the opening, and on to the caller's first ply."""
        fractions = self.batch.games.player_fractions(np.array(rows, np.int64))
        seated = [self._seating.seated(fraction) for fraction in fractions.tolist()]
        text_states = {row: TextState.begun(who, starts[row]) for row, who in zip(rows, seated)}
        self._text_states = self._text_states or [*text_states.values()]
        for row, text_state in text_states.items():
            self._text_states[row] = text_state
        for _ in range(self._opening_plies):
            self._advance(self._drawn([row for row in rows if not self.done(row)]))
        self._play_on(rows)

    def _drawn(self, rows: list[int]) -> dict[int, int]:
        """A random legal action for each of the rows."""
        actions = np.full(self.num_games, -1)
        self.batch.games.sample(actions, self._mask(rows))
        return {row: int(actions[row]) for row in rows}

    def _play_turns(self, turns: dict[int, tuple[int, ...]]) -> None:
        """Plays the plies of a turn in each of these rows."""
        for ply in range(max(map(len, turns.values()), default=0)):
            self._advance({row: turn[ply] for row, turn in turns.items() if ply < len(turn)})

    def _advance(self, actions: dict[int, int]) -> None:
        """Plays and logs one ply in each of these rows."""
        games, play = self.batch.games, self._play
        for row, action in actions.items():
            note_throw(games, row, self._text_states[row])
            names = self._text_states[row].legal
            name = games.move_name(row, action) if names is None else names[action]
            self._text_states[row].log.append((self.to_act(row), name))
            play.actions[row] = action
        row_ids = waiting = np.array([*actions], np.int64)
        while len(waiting):
            play.row_ids[: len(waiting)] = waiting
            games.advance(play, len(waiting))
            waiting = waiting[play.waits[: len(waiting)] == UNFINISHED]
        if actions:
            games.observe(row_ids)
        for row in actions:
            self._text_states[row].close_ply(games.rewards[row])

    def _play_on(self, rows: Iterable[int]) -> None:
        """Lets the opponents play in the rows, up to a ply of the caller's, or the end."""
        waiting = [*rows]
        while waiting:
            asked: dict[int, list[int]] = {}
            for row in waiting:
                who = CALLER if self.done(row) else self._text_states[row].who[self.to_act(row)]
                if who != CALLER:
                    asked.setdefault(who, []).append(row)
            turns: dict[int, tuple[int, ...]] = {}
            for who, those in asked.items():
                turns |= self._turns_of(self._seating.opponents[who], those)
            self._play_turns(turns)
            waiting = [row for those in asked.values() for row in those]

    def _turns_of(self, opponent: CheckedPlayer | TextPolicy, rows: list[int]) -> dict[int, tuple[int, ...]]:
        """What an opponent plays in the rows: a player one ply; a text policy a turn, or nothing."""
        if isinstance(opponent, CheckedPlayer):
            chosen = np.zeros(self.num_games, np.int64)
            opponent.choose_in(GamesView(self.batch.games), np.array(sorted(rows), np.int64), chosen)
            return {row: (int(chosen[row]),) for row in rows}
        return {row: self._converse(row, self.to_act(row), opponent) for row in rows}

    def _converse(self, row: int, seat: int, policy: TextPolicy) -> tuple[int, ...]:
        """Asks a text policy for one reply. Nothing if that is not legal."""
        conversation = self._text_states[row].conversations.setdefault(seat, [])
        if not conversation or conversation[-1]["role"] == "assistant":
            conversation.append({"role": "user", "content": self._message(row, seat)})
        reply = policy(list(conversation))
        if not isinstance(reply, str):
            raise ValueError(f"a text policy must give a text, not {shown(reply)}")
        conversation.append({"role": "assistant", "content": reply})
        turn, info = self._read(row, seat, reply)
        if not turn:
            conversation.append({"role": "user", "content": info["problem"]})
        return turn

    # --- replies ---

    def _read(self, row: int, seat: int, reply: str) -> tuple[tuple[int, ...], dict[str, Any]]:
        """The plies to play after a reply, none if the row stays as it is; and the first entries of `Reply.info`."""
        text_state = self._text_states[row]
        if self._judge is not None:
            self._consider(row)
        reader = MoveReader(self.batch.games, row, legal_names(self.batch.games, row, text_state))
        choice = ReplyReader(reader, self._words).choose(reply)
        turn, problem = choice.actions, choice.problem
        move = reader.names_of(turn) if turn else None
        if not turn:
            turn, problem = self._ask_again(row, seat, choice) if choice.asks else self._refuse(row, seat, problem)
        elif problem:
            problem = f"Note: {problem}."
        return turn, {
            "move": move, "retries": text_state.tries, "asked": bool(choice.asks), "problem": problem,
            "value_lost": self._value_lost(row, turn), "value": text_state.value_for(seat),
        }  # fmt: skip

    def _value_lost(self, row: int, turn: tuple[int, ...]) -> float | None:
        """How much the plies of a turn lose by the judge, together; None without a judge, or without plies."""
        if self._judge is None or not turn:
            return None
        desk, lost = self._at_desk(row), 0.0
        for action in turn:
            lost += value_lost(desk, self._judge, action)
            desk.step(action)
        return lost

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words that names of actions are made of, and other words for places."""
        names = named_actions(self.batch.games, 0).values()
        others = getattr(self.batch.game.notation, "PLACES", {})
        return frozenset((*(piece for name in names for piece in pieces_of(name)), *others, *others.values()))

    def _ask_again(self, row: int, seat: int, choice: Choice) -> tuple[tuple[int, ...], str]:
        """No ply, and the question which move is meant. The reply is not illegal; but nobody is asked without end."""
        text_state = self._text_states[row]
        text_state.asked += 1
        if text_state.asked >= MOST_IN_A_ROW:
            text_state.forfeit(seat)
        return (), f"Which move do you mean: {choice.problem}.\nThe position has not changed. {ASK}"

    def _refuse(self, row: int, seat: int, problem: str) -> tuple[tuple[int, ...], str]:
        """What follows an illegal reply: a ply that is played in its place, or none; and what the seat is told."""
        text_state, rule = self._text_states[row], self._rule
        text_state.illegal[seat] += 1
        text_state.tries += 1
        text_state.rewards[seat] -= rule.penalty
        message = f"That is not legal: {problem}."
        if rule.plays_random:
            return (self._drawn([row])[row],), f"{message} A legal move was drawn in its place."
        if text_state.tries > rule.tries:
            text_state.forfeit(seat)
            return (), message
        names = [*legal_names(self.batch.games, row, text_state).values()]
        which = listed(names) if self._messages.legal_moves else f"There are {len(names)} legal moves."
        return (), f"{message} {which}\nThe position has not changed. {ASK}"

    def _answer(self, row: int, seat: int, info: dict[str, Any], played: bool) -> Reply:
        """What follows the reply of ``seat``."""
        text_state, done = self._text_states[row], self.done(row)
        text, value, reward = info.pop("problem"), info.pop("value"), float(text_state.rewards[seat])
        if self._shaped:
            reward += self._gamma * (0.0 if done else self._consider(row).value_for(seat)) - value
        if played or done:
            text = "\n".join(filter(None, [text, self._message(row, seat if done else self.to_act(row))]))
        info |= {
            "seat": seat, "to_act": None if done else self.to_act(row), "illegal": int(text_state.illegal[seat]),
            "ply": text_state.plies, "rewards": tuple(text_state.rewards.tolist()),
            "result": self._result(row, seat) if done else None,
        }  # fmt: skip
        return Reply(text, reward, done, info)

    def _result(self, row: int, seat: int) -> str:
        """How a finished game has ended for a seat."""
        text_state = self._text_states[row]
        if text_state.forfeiter != NOBODY:
            return "forfeited" if text_state.forfeiter == seat else "opponent_forfeited"
        if self.batch.games.states["end"][row] == MAX_PLIES:
            return "unfinished"
        mine, others = text_state.returns[seat], np.delete(text_state.returns, seat).max()
        return "won" if mine > others else "lost" if mine < others else "drawn"

    def _message(self, row: int, seat: int) -> str:
        return self._messages.write(self.batch.games, row, self._text_states[row], seat, self.done(row))

    def _consider(self, row: int) -> TextState:
        """The row's state, with what the judge thinks of the position. The game's random numbers are not used up."""
        text_state, counters = self._text_states[row], self.batch.games.player_rng["counter"]
        if text_state.analysis is None and self._judge is not None:
            before = counters[row]
            text_state.analysis = self._judge.consider(GamesView(self.batch.games), row)
            counters[row] = before
        return text_state

    def _at_desk(self, row: int) -> GameEnv:
        """An environment in the position of a row, with random numbers of its own."""
        self._desk = self._desk or self._make_desk()
        self._desk.reset(seed=0, options={"position": self.batch.games.position(row)})
        return self._desk
