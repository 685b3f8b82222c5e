"""N games side by side as arrays, with the compiled calls that act on them: the base of environments, batches and
searches.

One game is a row of the arrays. The AEC environment holds a `Games` of one row, the batch engine one of many rows.
Simulations, searches and records use it, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from parlour.engine.arrays import OUTPUTS, SAME_STEP, STREAMS, Arrays, Finals, SelfPlayArrays
from parlour.engine.game import Game
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import scoring, simple_players, step
from parlour.engine.kernels.self_play import advance_rows
from parlour.engine.one_game import ROOM, OneGame, pack
from parlour.engine.repetition import FILTER_WORDS, keys_of
from parlour.engine.rules_table import rules_table
from parlour.engine.seeds import seed_words, stream_starts
from parlour.engine.threads import WorkerPool
from parlour.engine.variant_mix import VariantMix
from parlour.rulebook.chance import STREAM, fractions
from parlour.rulebook.compiling import COMPILED, entry_point
from parlour.rulebook.masks import allowed, bit_words
from parlour.rulebook.positions import forms_of, listing, write_position
from parlour.rulebook.protocol import Layout
from parlour.rulebook.state_records import as_record, as_words, changes, copied, placed_as, records
from parlour.support.arguments import shown

FIRST_HISTORY = 64
"""Initial length of a row's history, in 64-bit words. It doubles when it is full: `parlour.engine.repetition`."""
OWN_RECORDS = ("states", "variants", *STREAMS)
OWN_ARRAYS = ("forced_dice", "history", *OUTPUTS)
"""The arrays that `Games` writes to; all its other arrays belong to its variant mix, or are views of these."""


class Games:
    """N games of one kind, each under one of the variants.

    Attributes (see also `parlour.engine.arrays.Arrays`, whose arrays are all attributes here):
        action_mask: int8 (N, A), a view of ``masks``.
        observation: int8 (N, C, H, W), a view of ``planes``.
        finals: the last observation of a game that restarted in the step that ended it.
    """

    def __init__(self, game: Game, variant_mix: VariantMix, num_games: int, threads: int = 1) -> None:
        """``variant_mix``: the variants; every row has the first until it begins a game."""
        self.game, self.num_games, self.threads = game, num_games, threads
        self.layout: Layout = variant_mix.layout
        n, rounded = num_games, -(-self.layout.actions // 8) * 8
        self.states = records(n, game.rules.STATE)
        self.variants = records(n, game.variant_dtype)
        self.dice_rng, self.player_rng, self.variant_rng = records(n, STREAM), records(n, STREAM), records(n, STREAM)
        self.forced_dice = np.zeros((0, len(game.rules.DICE) + 1), np.int8)
        self.history = np.zeros((n, 1), np.uint64)
        self.rewards = np.zeros((n, self.layout.seats))
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self.to_act = np.zeros(n, np.int8)
        self.masks = np.zeros((n, rounded), np.int8)
        self.legal_bits = np.zeros((n, bit_words(rounded)), np.uint64)
        self.counts = np.zeros(n, np.int64)
        self.planes = np.zeros((n, math.prod(self.layout.shape)), np.int8)
        self.variant_index = np.zeros(n, np.int64)
        no_events = np.zeros((0, len(game.evaluation.EVENTS)), np.int64)
        no_potentials = np.zeros((0, self.layout.seats), np.float32)
        self.finals = Finals(np.zeros(n, np.int8), self.planes[:0], no_potentials, self.states[:0], no_events)
        self.set_variant_mix(variant_mix)
        self._bind()

    def set_variant_mix(self, variant_mix: VariantMix) -> None:
        """Switches to other variants with the same spaces. Every row has the first one until it begins a game."""
        self.variant_mix, self.variant_records = variant_mix, variant_mix.records
        self.cumulative, self.variant_planes = variant_mix.cumulative, variant_mix.variant_planes
        self._choose_functions()
        self.variants[:] = self.variant_records[0]
        self.variant_index[:] = 0
        if variant_mix.counts_positions and self.history.shape[1] == 1:
            self.history = np.zeros((self.num_games, FIRST_HISTORY), np.uint64)
        self._arrays_changed()

    def _choose_functions(self) -> None:
        self.rules = rules_table(self.game, self.game.layout(self.variant_mix.entries[0].values))
        self._forbids = self.variant_mix.forbids_repeats

    def _bind(self) -> None:
        """Makes what pickles leave out: views, threads and compiled calls."""
        self._make_views()
        self._pool = WorkerPool(self.threads, self.num_games)
        self._arrays: Arrays | None = None
        self._word_finals: tuple[Finals, Finals] | None = None
        self._packed_game: tuple[Arrays, NDArray[np.uint64], Any] | None = None
        self._arrays_changed()
        self._choose_functions()
        self._all_rows = np.ones(self.num_games, np.bool_)
        self._draw_all = np.full(self.num_games, -1)  # for `begin`: every row draws its variant
        self._longest = int(self.states["seen"].max())  # an upper bound of ``seen`` in all rows

    def _make_views(self) -> None:
        self.words = self.masks.view(np.uint64)
        self.action_mask = self.masks[:, : self.layout.actions]
        self.observation = self.planes.reshape(-1, *self.layout.shape)

    def copy(self) -> Games:
        """An independent copy, which shares with the original only what is never written to."""
        twin = object.__new__(Games)
        attributes = twin.__dict__
        attributes.update(self.__dict__)
        for name in OWN_RECORDS:
            attributes[name] = copied(attributes[name])
        for name in OWN_ARRAYS:
            attributes[name] = attributes[name].copy()
        twin.finals = Finals(*(copied(array) if len(array) else array for array in self.finals))
        if self.threads > 1:
            twin._pool = WorkerPool(self.threads, self.num_games)
        twin._arrays = twin._packed_game = twin._word_finals = None
        attributes.pop("step_one", None)
        twin._make_views()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Arrays and options; compiled calls, views and threads are left out."""
        rebuilt = (
            "words", "action_mask", "observation", "rules", "_forbids", "_word_finals", "_all_rows", "_draw_all",
            "_longest", "_pool", "_arrays", "_packed_game", "step_one",
        )  # fmt: skip
        return {name: value for name, value in self.__dict__.items() if name not in rebuilt}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """ValueError if the game's records, sizes or events have changed since."""
        self.__dict__.update(attributes)
        self._check_pickled()
        self.states = placed_as(self.game.rules.STATE, self.states)
        self.finals = self.finals._replace(before=placed_as(self.game.rules.STATE, self.finals.before))
        self.variant_records = self.variant_mix.records  # the numbers that the rules see today
        self.variants = self.variant_records[self.variant_index]
        self._bind()

    def _check_pickled(self) -> None:
        """ValueError unless the arrays are what today's compiled calls take."""
        rules, layout = self.game.rules, self.variant_mix.layout
        for array in (self.states, self.finals.before):
            self._check_same("the fields of its STATE differ", changes(array.dtype, rules.STATE))
        sizes = (
            ("actions", self.layout.actions, layout.actions),
            ("observations", self.layout.shape, layout.shape),
            ("seats", self.layout.seats, layout.seats),
            ("dice", self.forced_dice.shape[1] - 1, len(rules.DICE)),
            ("events", self.finals.events.shape[1], len(self.game.evaluation.EVENTS)),
        )
        changed = [f"{name} {before}, now {now}" for name, before, now in sizes if before != now]
        self._check_same("its sizes differ", ", ".join(changed))

    def _check_same(self, what: str, difference: str) -> None:
        if difference:
            raise ValueError(
                f"this was pickled by another version of {self.game.id}; {what}: {difference}. Only the version that "
                "wrote it can read it"
            )

    @property
    def arrays(self) -> Arrays:
        """The arrays as compiled calls take them: the same tuple until one of them is replaced."""
        if (
            self._arrays is None
            or self._arrays.history is not self.history
            or self._arrays.forced_dice is not self.forced_dice
        ):
            self._arrays = Arrays(
                as_words(self.states), as_words(self.variants), self.dice_rng, self.player_rng, self.forced_dice,
                self.history, self.rewards, self.terminated, self.truncated, self.to_act, self.masks, self.words,
                self.legal_bits, self.counts, self.planes, as_words(self.variant_records), self.cumulative,
                self.variant_rng, self.variant_index, self.variant_planes, self.layout.height * self.layout.width,
            )  # fmt: skip
        return self._arrays

    def _finals_as_words(self) -> Finals:
        if self._word_finals is None or self._word_finals[0] is not self.finals:
            self._word_finals = self.finals, self.finals._replace(before=as_words(self.finals.before))
        return self._word_finals[1]

    # --- compiled calls ---

    def run(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls ``call(low, high, *arguments)`` for all rows, shared among the threads."""
        return self._pool.run(call, *arguments)

    def run_rules(
        self, kernel: Callable[..., Any], *arguments: Any, player: str | None = None, without: Sequence[str] = ()
    ) -> list[Any]:
        """Calls ``kernel(low, high, rules, *arguments)``, a kernel of the engine, for all rows, shared among the
        threads. ``player``: one of the game's own players, whose score `greedy` then maximises.
        ``without``: see `parlour.engine.rules_table.RulesTable.ready_for`."""
        return self.run(kernel, self.functions_for(kernel, player=player, without=without), *arguments)

    def await_helpers(self) -> None:
        """Waits for threads that still work for an interrupted call. Called before rows are changed from outside."""
        self._pool.await_helpers()

    def set_cumulative(self, variant_mix: VariantMix) -> None:
        """Sets the probabilities with which new games draw their variant. ``variant_mix`` is otherwise the present
        one."""
        self.variant_mix, self.cumulative = variant_mix, variant_mix.cumulative
        self._arrays_changed()

    def begin(
        self,
        seeds: NDArray[np.uint64] | None,
        row_mask: NDArray[np.bool_] | None = None,
        variant_index: NDArray[np.int64] | None = None,
    ) -> None:
        """Begins new games in the rows of ``row_mask`` (bool (N,); None: all). Random streams start from ``seeds``
        (N,); None: they continue. ``variant_index``: int64 (N,), the variants; −1 (or None for all) draws them."""
        self._longest = max(self._longest, 1)
        if self.num_games == 1 and row_mask is None and variant_index is None:
            if seeds is not None:
                self._start_streams(seeds)
            step.begin_one(self._packed(step.begin_one), -1)
            return
        starts = np.zeros((3, 0), np.uint64) if seeds is None else stream_starts(seeds)
        row_mask = self._all_rows if row_mask is None else row_mask
        variant_index = self._draw_all if variant_index is None else variant_index
        self.run(step.begin_rows, self.functions_for(step.begin_rows), row_mask, variant_index, starts, self.arrays)

    def make_throws(self, row_ids: NDArray[np.int64]) -> None:
        """Makes the throws that are due in the rows ``row_ids`` (M,), whose positions have just been set."""
        row_mask = np.zeros(self.num_games, np.bool_)
        row_mask[row_ids] = True
        self.run_rules(step.throw_rows, row_mask, self.arrays)

    def reseed(self, seed: int) -> None:
        """Restarts the random streams of a single game; the position does not change."""
        self._start_streams(seed_words([seed]))

    def _start_streams(self, seeds: NDArray[np.uint64]) -> None:
        self.dice_rng["counter"], self.player_rng["counter"], self.variant_rng["counter"] = stream_starts(seeds)

    def step(self, actions: NDArray[np.int64], autoreset: int) -> None:
        """Plays legal ``actions`` (N,) (see `refused`). For games that have ended see ``step.step_rows``."""
        self.await_helpers()
        self.make_room()
        if autoreset == SAME_STEP and len(self.finals.planes) == 0:
            self.finals = self.finals._replace(planes=np.zeros_like(self.planes))
        self._longest += 1  # never too small, even if an interruption comes before the next line is done
        scored = bool(len(self.finals.potentials) or len(self.finals.events))
        rules, finals = self.functions_for(step.step_rows, scored), self._finals_as_words()
        arguments = rules, actions, autoreset, self.arrays, finals
        self._longest = max(self._pool.whole(step.step_rows, self.num_games, *arguments))

    def step_one(self, action: int) -> int:
        """`step` for a single running game; any action may be given. Returns what ``step.step_one`` does:
        `one_game.REFUSED`, `one_game.NO_ROOM` (see `widen_history`), or the result of the ply (see
        `one_game.SEAT_BITS`)."""
        place = self._packed(step.step_one)
        self._longest = self.history.shape[1]  # never too small: `step_one` does not report it
        call: Callable[[int], int] = partial(entry_point(step.step_one, int64, int64), place)
        if not COMPILED:  # the interpreter returns integers of NumPy
            call = _as_int(call)
        self.__dict__["step_one"] = call  # from now on, it is the compiled call itself
        return call(action)

    def functions_for(
        self, kernel: Any, scores: bool = True, player: str | None = None, without: Sequence[str] = ()
    ) -> GameFunctions:
        """The game's functions for a kernel of the engine. ``player`` and ``without``: see `run_rules`."""
        rules = self.rules if player is None else rules_table(self.game, self.rules.layout, player)
        return rules.ready_for(kernel, self._forbids, scores, without)

    def _packed(self, kernel: Any) -> Any:
        """The rules and the arrays of a single game, as `one_game.unpacked` takes them."""
        rules = self.functions_for(kernel)
        if self._packed_game is None:
            arrays, memory = self.arrays, np.empty(ROOM, np.uint64)
            address = memory.ctypes.data
            pack(rules, arrays, address)
            place = address if COMPILED else OneGame(rules, arrays)
            self._packed_game = arrays, memory, place  # the arrays, too: compiled code knows their addresses alone
        return self._packed_game[2]

    def _arrays_changed(self) -> None:
        """One of the arrays has been replaced by another."""
        self._arrays = self._packed_game = None
        self.__dict__.pop("step_one", None)

    def widen_history(self) -> None:
        """Makes room for the next plies of `step_one`."""
        self._longest = int(self.states["seen"].max())
        self.make_room()

    def _is_full(self) -> bool:
        """Whether the history could overflow with the next ply."""
        return FILTER_WORDS + self._longest + 1 >= self.history.shape[1] > 1

    def make_room(self) -> None:
        """Doubles the history before a row of it can overflow."""
        if self._is_full():
            self._longest = int(self.states["seen"].max())
            if self._is_full():
                self.history = np.concatenate([self.history, np.zeros_like(self.history)], axis=1)
                self._arrays_changed()

    def refused(self, actions: NDArray[np.int64], autoreset: int) -> int:
        """The first row whose action may not be played, or −1."""
        arguments = actions, self.layout.actions, self.counts, self.legal_bits, autoreset
        return step.first_refused(0, self.num_games, *arguments)

    def observe_seat(self, i: int, seat: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """What ``seat`` sees in row i, in new arrays: planes (C, H, W), and mask (A,), zeros unless it is to act."""
        words = np.empty(self.words.shape[1], np.uint64)
        mask, planes = words.view(np.int8), np.empty((1, self.planes.shape[1]), np.int8)
        rules = self.functions_for(step.observe_seat)
        step.observe_seat(rules, self.arrays, i, seat, mask, words, planes)
        return planes.reshape(self.layout.shape), mask[: self.layout.actions]

    def observe(self, row_ids: NDArray[np.int64] | None = None) -> None:
        """Writes the observations and masks of the present positions: of ``row_ids`` (M,), or of all rows (None)."""
        if self.num_games == 1:
            step.observe_one(self._packed(step.observe_one))
            return
        row_mask = self._all_rows
        if row_ids is not None:
            row_mask = np.zeros(self.num_games, np.bool_)
            row_mask[row_ids] = True
        self.run_rules(step.observe_rows, row_mask, self.arrays)

    def sample(self, actions: NDArray[np.int64], row_mask: NDArray[np.bool_] | None = None) -> None:
        """Writes a random legal action for each row of ``row_mask``, from its own stream; −1 if there is none."""
        if row_mask is None:
            arrays = self.legal_bits, self.counts, self.player_rng
            self._pool.whole(step.sample_rows, self.num_games, *arrays, actions)
        else:
            self.run(simple_players.sample_rows, row_mask, self.legal_bits, self.counts, self.player_rng, actions)

    def player_fractions(self, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """A number uniform in [0, 1) for each of ``row_ids`` (M,), from the rows' own streams: (M,)."""
        return fractions(self.player_rng["counter"], row_ids)

    def greedy(self, actions: NDArray[np.int64], row_mask: NDArray[np.bool_], player: str | None = None) -> None:
        """Writes a legal action with the highest greedy score for each row of ``row_mask``. ``player``: see
        `run_rules`."""
        arguments = row_mask, self.arrays, *self._scratch(), actions
        self.run_rules(simple_players.greedy_rows, *arguments, player=player)

    def greedy_scores(self, row: int, player: str | None = None) -> NDArray[np.float64]:
        """float64 (A,): the scores that `greedy` maximises in a row; −∞ for illegal actions."""
        rules = self.functions_for(simple_players.write_scores, player=player)
        scores = np.full(self.layout.actions, -np.inf)
        simple_players.write_scores(rules, row, self.arrays, *self._scratch(), scores)
        return scores

    def _scratch(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """A state and rewards for every row, to try plies on."""
        return as_words(records(self.num_games, self.game.rules.STATE)), np.zeros_like(self.rewards)

    def self_play(self, learners: NDArray[np.int8], opponents: NDArray[np.int8]) -> SelfPlayArrays:
        """The arguments of `advance`."""
        n = self.num_games
        return SelfPlayArrays(
            np.zeros(n, np.int64), np.full(n, -1), np.zeros(n, np.int8), learners, opponents,
            np.zeros_like(self.rewards), *self._scratch(),
        )  # fmt: skip

    def advance(self, play: SelfPlayArrays, count: int) -> int:
        """Plays the first ``count`` of ``play.row_ids`` on to their learners' next plies: see
        ``self_play.advance_rows``. Returns how many have neither reached it nor ended: see ``play.waits``."""
        self.await_helpers()
        self.make_room()
        if play.after.dtype != self.arrays.states.dtype:  # from an old pickle
            play = play._replace(after=as_words(records(self.num_games, self.game.rules.STATE)))
        before, self._longest = self._longest, self.history.shape[1]  # the maximum, in case of an interruption
        rules = self.functions_for(advance_rows)
        results = self._pool.whole(advance_rows, count, rules, play, self.arrays)
        reached = max((each & 0xFFFFFFFF for each in results), default=0)
        self._longest = max(before, reached)  # rows that were not played on may be the longest
        return sum(each >> 32 for each in results)

    def put(self, row_ids: NDArray[np.int64], choices: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Writes ``choices`` (M,) into ``actions`` (N,) of the rows ``row_ids`` (M,). Stops at the first illegal
        choice, m, and returns m; −1 if all are legal."""
        return step.first_not_allowed(row_ids, choices, self.layout.actions, self.legal_bits, actions)

    def look(self, row_ids: NDArray[np.int64]) -> NDArray[np.int8]:
        """What the seats to act see in the rows ``row_ids`` (M,), from the positions: (M, C, H, W), a new array."""
        planes = np.empty((len(row_ids), self.planes.shape[1]), np.int8)
        rules = self.functions_for(step.look_rows)
        self._pool.whole(step.look_rows, len(row_ids), rules, row_ids, self.arrays, planes)
        return planes.reshape(-1, *self.layout.shape)

    def legal_in(self, row_ids: NDArray[np.int64]) -> NDArray[np.int8]:
        """The masks of the rows ``row_ids`` (M,), from the engine's own bits: (M, A), a new array."""
        return allowed(self.legal_bits[row_ids], self.layout.actions)

    def is_out(self, i: int, seat: int) -> bool:
        """Whether ``seat`` is out of the game in row i, which goes on without it: see `protocol.Rules.is_out`."""
        is_out = getattr(self.game.rules, "is_out", None)
        return is_out is not None and bool(is_out(self.states[i], self.variants[i], seat))

    def seats_out(self) -> NDArray[np.bool_] | None:
        """Which seats are out of the games (N, P); None in a game in which every seat plays to the end."""
        if not hasattr(self.game.rules, "is_out"):
            return None
        out = np.zeros(self.rewards.shape, np.bool_)
        self.run_rules(scoring.out_rows, self.arrays, out)
        return out

    # --- scoring ---

    def potentials(self, out: NDArray[np.float32]) -> None:
        """Writes every seat's potential into ``out`` (N, P): see ``evaluation.potential``; 0 for a game that is over by
        its rules."""
        self.run_rules(scoring.potential_rows, self.arrays, out)

    def mover_potentials(self, out: NDArray[np.float64]) -> None:
        """Writes the potential of each row for its seat to act into ``out`` (N,), as `potentials` does."""
        if self.num_games == 1:
            scoring.mover_potential_of_one(self._packed(scoring.mover_potential_of_one), out)
        else:
            self.run_rules(scoring.mover_potential_rows, self.arrays, out)

    def within_reach(self, row_ids: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimated ``values`` (M, P) of the rows ``row_ids`` (M,) for each seat, limited to what the seats can still
        win, if the game has `parlour.rulebook.protocol.Evaluation.most_to_win`. NaN stays. ValueError for values of
        another shape."""
        if values.shape != (len(row_ids), self.layout.seats):
            raise ValueError(f"values have shape {(len(row_ids), self.layout.seats)}, not {values.shape}")
        if not hasattr(self.game.evaluation, "most_to_win"):
            return values
        limited = values.copy()
        rules = self.functions_for(scoring.limit_rows)
        self._pool.whole(scoring.limit_rows, len(row_ids), rules, row_ids, self.arrays, limited)
        return limited

    def potential_one(self, seat: int) -> float:
        """What `potentials` writes for ``seat`` in a single game."""
        return scoring.potential_one(self.functions_for(scoring.potential_one), self.arrays, seat)

    def keep_final_potentials(self) -> None:
        """From now on ``finals.potentials`` (N, P) holds those of games that end and begin again in the same step."""
        self.finals = self.finals._replace(potentials=np.zeros(self.rewards.shape, np.float32))

    def events(self, before: NDArray[Any], counts: NDArray[np.int64]) -> bool:
        """Counts in ``counts`` (N, E) the events since ``before``, a copy of ``states`` before the ply. Returns whether
        there are any."""
        words = self._finals_as_words().before if before is self.finals.before else as_words(before)
        if self.num_games == 1:
            return scoring.events_of_one(self._packed(scoring.events_of_one), words, counts)
        return any(self.run_rules(scoring.event_rows, words, self.arrays, counts))

    def keep_final_events(self) -> None:
        """From now on ``finals.events`` (N, E) holds what happened in the last ply of games that end and begin again in
        the same step, counted from ``finals.before``, which `keep_states_before` sets before each step."""
        if not len(self.finals.before):
            before = records(self.num_games, self.game.rules.STATE)
            events = np.zeros((self.num_games, len(self.game.evaluation.EVENTS)), np.int64)
            self.finals = self.finals._replace(before=before, events=events)

    def keep_states_before(self) -> None:
        """Copies ``states`` into ``finals.before``."""
        self._finals_as_words().before[:] = self.arrays.states

    def make_room_for(self, seen: int) -> None:
        """Makes room in the history for rows with ``seen`` earlier positions."""
        self._longest = max(self._longest, seen)
        if self._is_full():
            self._longest = max(int(self.states["seen"].max()), seen)  # it may have been set too high
        if self._is_full():
            longer = np.zeros((self.num_games, FILTER_WORDS + 2 * self._longest), np.uint64)
            longer[:, : self.history.shape[1]] = self.history
            self.history = longer
            self._arrays_changed()

    # --- names, a row at a time ---

    def legal(self, i: int) -> list[str]:
        """The names of row i's legal actions, in action-index order, computed anew: callers may change the mask."""
        _, mask = self.observe_seat(i, int(self.states["to_act"][i]))
        return [self.move_name(i, int(action)) for action in np.flatnonzero(mask)]

    def require_legal(self, row_ids: NDArray[np.int64]) -> None:
        """ValueError unless these rows, whose games are not over, have a legal action each."""
        counts = self.counts[row_ids]
        if not counts.all():
            position = self.position(int(row_ids[counts.argmin()]))
            raise ValueError(
                f"{self.game.id} allows no action in position {position!r}, and the game is not over; parlour check "
                f"{self.game.package} finds such mistakes"
            )

    def position(self, i: int, form: str | None = None) -> str:
        """The position of row i as text, in the form of another program if ``form`` names one that the game has.
        ValueError for any other name, and for a position that the form can't hold."""
        state, variant = as_record(self.states, i), as_record(self.variants, i)
        if form is not None:
            forms = forms_of(self.game.notation)
            if not isinstance(form, str) or form not in forms:
                raise ValueError(
                    f"{shown(form)} is no form of {self.game.id}'s positions; forms: {listing(list(forms))}"
                )
            return forms[form].write(state, variant)
        return write_position(self.game.notation, self.game.rules, state, variant, keys_of(self.history[i]))

    def move_name(self, i: int, action: int) -> str:
        """The name of an action for the seat to act in row i. ValueError if it can never be played."""
        name = None
        if 0 <= action < self.layout.actions:
            name = self.game.notation.move_name(action, as_record(self.states, i))
        if name is None:
            last = self.layout.actions - 1
            raise ValueError(f"{action} is no action of {self.game.id} that can ever be played; actions: 0 to {last}")
        return str(name)

    def parse_move(self, i: int, text: object) -> int:
        """The action that a name means for the seat to act in row i. ValueError if it names none."""
        action = self.game.notation.parse_move(text, as_record(self.states, i)) if isinstance(text, str) else None
        if action is None:
            form = self.game.notation.MOVE_FORM
            raise ValueError(
                f"{shown(text)} is no move of {self.game.id} (moves look like {form}); position: {self.position(i)!r}"
            )
        return int(action)

    def ending(self, i: int) -> str:
        """The word for how row i ended; empty while it runs."""
        return str(self.game.rules.ENDS[self.states["end"][i]])

    # --- dice ---

    def dice(self, i: int) -> tuple[int, ...]:
        """The faces of row i's latest throw, opening throws not counted; () before there is one."""
        if not self.game.rules.DICE:
            return ()
        return tuple(int(face) for face in self.states["dice"][i] if face >= 0)

    def chance_outcomes(self, i: int) -> list[tuple[tuple[int, ...], float]]:
        """The distinct outcomes of row i's next throw, each with its probability; [] after the end and without dice."""
        running = self.game.rules.DICE and not self.ending(i)
        return self.game.outcomes(self.game.dice_thrown(self.variants[i])) if running else []

    def replace_forced_dice(self, forced_dice: NDArray[np.int8]) -> None:
        """Sets the array of forced throws, for `parlour.engine.forced_dice`."""
        self.forced_dice = forced_dice
        self._arrays_changed()


def _as_int(call: Callable[[int], Any]) -> Callable[[int], int]:
    return lambda action: int(call(action))
