"""The batch engine: N games of one kind, stepped in one compiled call, with the interface of `gymnasium.vector`.

Axis letters: N games, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parlour.engine.after_states import AfterStates, TurnEnds, after_states, turn_ends
from parlour.engine.arrays import DISABLED, SAME_STEP
from parlour.engine.forced_dice import check_lengths, check_throws, copy_forced_dice, drop_forced_dice, set_forced_dice
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.player import Player, require_player
from parlour.engine.roll_outs import POLICIES, Returns, roll_outs
from parlour.engine.rows import Loaded, copy_rows, load_positions, read_positions
from parlour.engine.seeds import seed_words
from parlour.engine.threads import one_thread
from parlour.engine.variant_mix import VariantMix
from parlour.engine.view import GamesView, games_of
from parlour.interfaces.batch_arguments import (
    one_per_row,
    read_autoreset,
    read_distinct_rows,
    read_reset_mask,
    read_row_ids,
    read_seeds,
)
from parlour.interfaces.spaces import ActionSpace, observation_space
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.protocol import RUNNING
from parlour.support.arguments import flag, is_whole, one_of, reset_options, shown, whole_number, whole_numbers
from parlour.support.copied import CopiedWhole
from parlour.support.errors import IllegalMove, listing
from parlour.support.jobs import MAX_THREADS

MAX_GAMES = 2**31 - 1
Observations: TypeAlias = "dict[str, NDArray[np.int8]]"
NO_ROWS = np.zeros(0, np.int64)


class Batch(CopiedWhole):
    """N games side by side. Rows are independent of each other.

    Its spaces, `reset`, `step` and autoreset modes are those of `gymnasium.vector.VectorEnv`. It is not a `VectorEnv`,
    since all seats of a game act in it: the rewards have a column for each seat, and each row is observed by its seat
    to act, ``infos["to_act"]``. (`parlour.wrappers.SelfPlayVectorEnv` is one: it has one learning seat in each game,
    and takes Gymnasium's vector wrappers.)

    * observations: ``{"observation": int8 (N, C, H, W), "action_mask": int8 (N, A)}``
    * rewards: float32 (N, P), of this step; terminations, truncations: bool (N,)
    * infos: ``"to_act"``: int8 (N,). With ``same_step``, for games that ended in this step (``"_final_obs"``: bool
      (N,)), ``"final_obs"``: observations as above, of the end as the seat in ``"final_to_act"`` (int8 (N,)) sees it;
      the mask is zero.

    These are views of the batch's buffers, overwritten by the next step, unless it was made with ``copy=True``. Nothing
    is read back from them, so that what you write into them changes no game and no reward.

    With several variants, each new game draws one by the weights (`set_weights` changes them). ``infos["variant"]``
    (int64 (N,)) is the number of the variant that each row plays, in the order of `variants`.

    Autoreset modes are Gymnasium's: with ``same_step`` a game that ends restarts in the same step; with
    ``next_step``, in the next one, whose action for that row is ignored; with ``disabled`` it stays until
    ``reset(options={"reset_mask": bool (N,)})``, and its action must be −1 (as `sample_actions` gives it). A row that
    is reset to the position of a finished game, or copied from such a row, does the same from there; with
    ``same_step``, where no row is ever over, both are refused.

    One thread at a time may use a batch: a call that comes while another thread is in one raises RuntimeError.
    (``threads`` are the batch's own helper threads.) If a step is interrupted (Ctrl-C), either all games have been
    stepped or none. If a `reset` or `copy_rows` is interrupted, the next call says that `reset` is needed.

    Game i plays exactly as ``parlour.make(…)`` reset with the seed `seed_of` (i) and then, for each further game of
    that row, reset without a seed; on any number of threads.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        variant_mix: VariantMix,
        seed: int | None,
        threads: int,
        autoreset: object,
        copy: bool,
    ) -> None:
        self.num_games = self.num_envs = whole_number("num_games", num_games, 1, MAX_GAMES)
        mode, self._autoreset = read_autoreset(autoreset)
        self.game, self.copy, self.variants = game, flag("copy", copy), variant_mix.labels
        threads = whole_number("threads", threads, 1, MAX_THREADS)
        self.games = Games(game, variant_mix, self.num_games, threads)
        layout = self.games.layout
        self.num_seats = layout.seats
        self.metadata = {"autoreset_mode": mode, "name": game.id.replace("-", "_"), "render_modes": []}
        self.single_observation_space = observation_space(layout)
        self.single_action_space = ActionSpace(layout.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_games)
        self.action_space = batch_space(self.single_action_space, self.num_games)
        self._actions = np.zeros(self.num_games, np.int64)
        self._sampled = np.zeros(self.num_games, np.int64)
        self._rewards = np.zeros(self.games.rewards.shape, np.float32)
        self._no_actions = np.broadcast_to(np.int8(0), self.games.action_mask.shape)  # the mask of a finished game
        self._has_reset = False
        self._interrupted = False  # in a call that changes rows one by one; True until the next reset
        self._users: dict[str, int] = {}  # see `one_thread`
        self._seeds: list[int] = read_seeds(seed, self.num_games)

    @property
    def unwrapped(self) -> Batch:
        """The batch itself, as beneath wrappers."""
        return self

    def close(self) -> None:
        """Does nothing: a batch holds no resources."""

    def __repr__(self) -> str:
        return f"<Batch of {self.num_games} games of {self.game.id}>"

    def seed_of(self, i: int) -> int:
        """The seed with which an AEC environment plays exactly as game i. ValueError unless ``i`` is a whole number,
        IndexError if there is no game i."""
        return self._seeds[self._row_id(i)]

    def _row_id(self, i: object) -> int:
        if not is_whole(i):
            raise ValueError(f"a game is named by its number, from 0 to {self.num_games - 1}, not by {shown(i)}")
        if not 0 <= i < self.num_games:
            raise IndexError(f"there is no game {i}; games: 0 to {self.num_games - 1}")
        return int(i)

    @one_thread
    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins new games.

        Args:
            seed: new seeds for all rows that are reset: one for the batch (see `seed_of`), or one per row. With None
                the random streams continue; the first reset then uses the batch's own seed.
            options: ``"reset_mask"``: bool (N,), the rows to reset; all others stay as they are;
                ``"position"``: a text to start from, or one per row, None for a row that starts as usual;
                ``"variant"``: the variant to play, by name or number, or one per row, instead of drawing it. Of a list
                with one entry per row, only the entries of rows that are reset are used.

        Raises:
            ValueError: for a seed, mask, variant or position that is not valid, and with ``same_step`` for the position
                of a finished game; then nothing changes.
        """
        options, games = reset_options(options), self.games
        row_mask = self._rows_to_reset(options.get("reset_mask"))
        variant_index = self._variant_index(options.get("variant"), row_mask)
        loaded = self._read_positions(options.get("position"), row_mask, variant_index)
        seeds = self._seeds_with(seed, row_mask)
        words = seed_words(seeds) if seed is not None or not self._has_reset else None
        self._has_reset, self._interrupted = False, True
        self._seeds = seeds
        drop_forced_dice(games, np.flatnonzero(row_mask))
        games.begin(words, row_mask, variant_index)
        if loaded is not None:
            load_positions(games, loaded)
        self._has_reset, self._interrupted = True, False
        return self._observations(), self._infos()

    def _rows_to_reset(self, mask: object) -> NDArray[np.bool_]:
        """Where a reset begins a game: bool (N,); everywhere for None. ValueError for another mask."""
        row_mask = np.ones(self.num_games, np.bool_) if mask is None else read_reset_mask(mask, self.num_games)
        if not self._has_reset and not row_mask.all():
            raise ValueError("the first reset begins all games; reset_mask is for later ones")
        return row_mask

    def _seeds_with(self, seed: object, row_mask: NDArray[np.bool_]) -> list[int]:
        """The seeds of all rows when a reset gives new ones (None: no new ones) to the rows in the mask."""
        if seed is None:
            return self._seeds
        fresh = read_seeds(seed, self.num_games)
        return [new if begins else old for new, old, begins in zip(fresh, self._seeds, row_mask)]

    def _variant_index(self, variant: object, row_mask: NDArray[np.bool_]) -> NDArray[np.int64] | None:
        """The number of each row's variant, −1 in rows that are not reset: (N,); None where it is drawn."""
        if variant is None:
            return None
        index, variant_mix = np.full(self.num_games, -1), self.games.variant_mix
        each = one_per_row("variant", variant, (str, int, np.integer), self.num_games)
        for row in row_mask.nonzero()[0].tolist():
            index[row] = variant_mix.number(each[row])
        return index

    def _read_positions(
        self, position: object, row_mask: NDArray[np.bool_], variant_index: NDArray[np.int64] | None
    ) -> Loaded | None:
        if position is None:
            return None
        if variant_index is None and len(self.variants) > 1:
            raise ValueError(f"a position needs its variant beside it; variants: {listing(self.variants)}")
        each = one_per_row("position", position, (str,), self.num_games)
        row_ids = np.array([row for row in row_mask.nonzero()[0].tolist() if each[row] is not None], np.int64)
        loaded = read_positions(self.games, [each[row] for row in row_ids], row_ids, variant_index)
        self._check_running("position", row_ids, loaded.states)
        return loaded

    def _check_running(self, name: str, row_ids: NDArray[np.int64], states: Any) -> None:
        """ValueError under ``same_step`` if one of the ``states`` (M,) for ``row_ids`` (M,) is over."""
        over = (states["end"] != RUNNING).nonzero()[0]
        if self._autoreset == SAME_STEP and len(over):
            end = self.game.rules.ENDS[states["end"][over[0]]]
            raise ValueError(
                f"{name}: the new position of game {row_ids[over[0]]} is over (end={end}); with autoreset='same_step' "
                "a batch holds only running games; valid: a running game, or another autoreset mode"
            )

    @one_thread
    def copy_rows(
        self, source: Batch | GamesView, from_rows: object, to_rows: object, streams: bool = True
    ) -> tuple[Observations, dict[str, Any]]:
        """Copies games from another batch, or from other rows of this one: for searches, which try plies on copies.

        Row ``to_rows[m]`` becomes a copy of row ``from_rows[m]`` of ``source``, bit for bit: position, counters,
        earlier positions and random streams, so that both continue in the same way. (`seed_of` gives the same seed,
        too.)

        Args:
            source: a batch of the same game, variants and options, of any size and autoreset mode; or the view that a
                `parlour.players.Player` is given.
            from_rows: whole numbers (M,), rows of ``source``, repeated or not.
            to_rows: whole numbers (M,), different rows of this batch.
            streams: whether the random streams are copied, too. With False the rows keep their own, so that throws
                here don't predict the throws in ``source``; a search of a game with dice needs this.

        Returns:
            Observations and infos of all rows, as `reset` does.

        Raises:
            ValueError: for another kind of batch, or rows that are not valid, and with ``same_step`` for a row that is
                over; then nothing changes.
            AssertionError: before either batch's `reset`.
        """
        games, streams = self._games_of(source), flag("streams", streams)
        copied = read_row_ids("from_rows", from_rows, games.num_games)
        written = read_distinct_rows("to_rows", to_rows, self.num_games)
        if len(copied) != len(written):
            raise ValueError(f"{len(copied)} from_rows were given for {len(written)} to_rows; there must be as many")
        self._check_running("copy_rows", written, games.states[copied])
        self._has_reset, self._interrupted = False, True
        copy_rows(games, copied, self.games, written, streams)
        if streams and isinstance(source, Batch):
            seeds = [source.seed_of(row) for row in copied.tolist()]
            for row, seed in zip(written.tolist(), seeds):
                self._seeds[row] = seed
        self._has_reset, self._interrupted = True, False
        return self._observations(), self._infos()

    @one_thread
    def step(
        self, actions: object
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in every game.

        Args:
            actions: whole numbers (N,), each legal in its row.

        Raises:
            parlour.IllegalMove: for the first row whose action is not legal (numbers out of range included); then no
                game changes, in any row.
            ValueError: for actions of another shape or type; then no game changes, either.
            AssertionError: before `reset`.
        """
        self._need_reset_before("step")
        games = self.games
        self._check(actions, self._actions)
        self._has_reset, self._interrupted = COMPILED, not COMPILED  # interpreted, a ply itself may be interrupted
        waiting: NDArray[np.int64] = np.flatnonzero(games.counts == 0) if self._autoreset == DISABLED else NO_ROWS
        games.step(self._actions, self._autoreset)
        if len(waiting):  # the step has left these games as they are, and callers may have written into what they show
            games.observe(waiting)
        self._has_reset, self._interrupted = True, False
        self._rewards[:] = games.rewards
        infos = self._infos()
        if self._autoreset == SAME_STEP:
            infos["_final_obs"] = games.terminated | games.truncated
            infos["final_obs"] = {
                "observation": self._out(games.finals.planes.reshape(games.observation.shape)),
                "action_mask": self._no_actions,
            }
            infos["final_to_act"] = self._out(games.finals.to_act)
        return (
            self._observations(),
            self._out(self._rewards),
            self._out(games.terminated),
            self._out(games.truncated),
            infos,
        )

    @one_thread
    def check(self, actions: object, checked: NDArray[np.int64]) -> None:
        """Writes ``actions`` into ``checked`` (N,). Raises what `step` does if they may not be played."""
        self._check(actions, checked)

    def _check(self, actions: object, checked: NDArray[np.int64]) -> None:
        self.games.await_helpers()  # they may still read the actions of an interrupted step
        checked[:] = whole_numbers("actions", actions, (self.num_games,))
        row = self.games.refused(checked, self._autoreset)
        if row >= 0:
            self._refuse(row, int(checked[row]))

    @one_thread
    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, uniformly at random: (N,); −1 for a game that is over.

        The random numbers come from the batch's seed: each row has a stream for them, separate from its dice.
        """
        self._need_reset_before("sample_actions")
        self.games.sample(self._sampled)
        return self._out(self._sampled)

    @one_thread
    def ask(self, player: Player) -> NDArray[np.int64]:
        """The actions that ``player`` chooses for all games: (N,), −1 for a game that is over; nothing is played.
        ValueError for anything but a player, AssertionError before `reset`, and whatever the player raises."""
        require_player(player)
        self._need_reset_before("ask")
        actions = np.full(self.num_games, -1)
        running = self.games.counts > 0
        if running.any():
            player.choose(GamesView(self.games), running, actions)
        return actions

    @one_thread
    def position(self, i: int, form: str | None = None) -> str:
        """As `parlour.make(…).unwrapped.position(form)`, for game i. Raises as it and as `seed_of`; AssertionError
        before `reset`."""
        row = self._row_id(i)
        self._need_reset_before("position")
        return self.games.position(row, form)

    @one_thread
    def after_states(self, row_ids: object = None) -> AfterStates:
        """The position after every legal action of every row, before any throw that follows. Changes nothing.

        ``row_ids``: whole numbers (M,), the different rows to look at, in this order; None: all. A row that is over
        has no after-states. ValueError for rows that are not valid, AssertionError before `reset`.
        """
        self._need_reset_before("after_states")
        return after_states(self.games, self._some_rows(row_ids))

    @one_thread
    def turn_ends(self, row_ids: object = None) -> TurnEnds:
        """As `after_states`, for whole turns of several plies: every position at which a turn can end, once, with
        the plies that lead there. ValueError also for a turn of too many positions (2²⁰)."""
        self._need_reset_before("turn_ends")
        return turn_ends(self.games, self._some_rows(row_ids))

    @one_thread
    def rollouts(self, policy: str = "random", num: int = 1, row_ids: object = None) -> Returns:
        """Plays games from the present positions to their end, on copies, and returns only their results: for
        statistics, and as a baseline for values. Repetition is not counted.

        Args:
            policy: ``"random"``, uniformly among the legal actions, or ``"greedy"``, as the player ``greedy``.
            num: how many games from each row (K), from 1 up.
            row_ids: whole numbers (M,), different rows; None: all.

        Returns:
            ``returns`` (float32 (M, K, P), each seat's sum of rewards from here on), ``plies`` (int64 (M, K)) and
            ``truncated`` (bool (M, K)); zeros for a row that is over. All chance comes from the rows' own streams for
            players, so that the same seed gives the same results on any number of threads, and the games themselves are
            not affected.

        Raises:
            ValueError: for another policy or number, or rows that are not valid.
            AssertionError: before `reset`.
        """
        self._need_reset_before("rollouts")
        one_of("policy", policy, POLICIES)
        count = whole_number("num", num, 1)
        return roll_outs(self.games, self._some_rows(row_ids), count, policy)

    def _some_rows(self, row_ids: object) -> NDArray[np.int64]:
        """Rows, each at most once; None: all."""
        return np.arange(self.num_games) if row_ids is None else read_distinct_rows("row_ids", row_ids, self.num_games)

    @one_thread
    def legal_moves(self, i: int) -> list[str]:
        """The names of game i's legal actions, in action-index order; [] after the end. Raises as `position` does."""
        row = self._row_id(i)
        self._need_reset_before("legal_moves")
        return self.games.legal(row)

    @one_thread
    def chance_outcomes(self, i: int) -> list[tuple[tuple[int, ...], float]]:
        """The distinct outcomes of game i's next throw not yet made, each with its probability; []
        after the end, and in a game without dice. Raises as `position` does."""
        row = self._row_id(i)
        self._need_reset_before("chance_outcomes")
        return self.games.chance_outcomes(row)

    @one_thread
    def set_dice(self, i: int, throws: Sequence[Sequence[int]]) -> None:
        """Sets the next throws of game i, in the order in which they are needed, each a tuple of faces. After them its
        random stream continues. Throws that are left when the game is over are dropped.

        Raises as `position` does, and ValueError for an impossible face or a wrong number of dice; nothing is changed
        then.
        """
        row = self._row_id(i)
        self._need_reset_before("set_dice")
        checked = check_throws(self.game, throws)
        check_lengths(self.game, self.games.variants[row], checked)
        set_forced_dice(self.games, checked, row)

    @one_thread
    def clone(self, row_ids: object = None, seed: int | None = None) -> Batch:
        """A batch of independent copies of some games: same positions, counters, throws to come and random
        streams; other streams with ``seed``. Its autoreset mode, threads and weights are those of this batch.

        ``row_ids``: different whole numbers (M,), which become rows 0 to M − 1 (M from 1 up), or one number; None:
        all. Raises ValueError for rows or a seed that are not valid, AssertionError before `reset`.
        """
        self._need_reset_before("clone")
        copied_rows = self._some_rows([row_ids] if is_whole(row_ids) else row_ids)
        variant_mix, mode = self.games.variant_mix, self.metadata["autoreset_mode"]
        twin = Batch(
            self.game, len(copied_rows), variant_mix, 0 if seed is None else seed, self.games.threads, mode, self.copy
        )
        twin.reset()
        twin.copy_rows(self, copied_rows, np.arange(len(copied_rows)), streams=seed is None)
        if seed is not None:
            copy_forced_dice(self.games, copied_rows, twin.games, np.arange(len(copied_rows)))
        return twin

    @one_thread
    def set_weights(self, weights: Sequence[float]) -> None:
        """Games that begin from now on draw their variant in proportion to ``weights``, one per variant. ValueError
        unless they are finite numbers from 0 up, not all 0."""
        self.games.set_cumulative(self.games.variant_mix.weighted(weights))

    def _need_reset_before(self, call: str) -> None:
        if not self._has_reset:
            why = " (The latest call was interrupted.)" if self._interrupted else ""
            raise AssertionError(f"reset() needs to be called before {call}.{why}")

    def _games_of(self, source: object) -> Games:
        """The games that `copy_rows` copies from. Raises as `copy_rows` does if it is of another kind."""
        if not isinstance(source, (Batch, GamesView)):
            raise ValueError(f"copy_rows copies from a batch of parlour.make_batch(), not {source!r}")
        if not self._has_reset or (isinstance(source, Batch) and not source._has_reset):
            raise AssertionError("reset() needs to be called, on both batches, before copy_rows.")
        games = games_of(source)
        if games.variant_mix.content != self.games.variant_mix.content:
            raise ValueError(
                "copy_rows needs a batch of the same game, variants and options: this is "
                f"{_variants_text(self.games)}, the source {_variants_text(games)}"
            )
        return games

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"to_act": self._out(self.games.to_act)}
        if len(self.variants) > 1:
            infos["variant"] = self.games.variant_index.copy()  # a copy: the engine reads that array
        return infos

    def _observations(self) -> Observations:
        return {"observation": self._out(self.games.observation), "action_mask": self._out(self.games.action_mask)}

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _refuse(self, row: int, action: int, number: int | None = None) -> None:
        """`IllegalMove` for the game in a row, whose ``number`` is another if the batch is a part of one on a GPU."""
        games, number = self.games, row if number is None else number
        position, legal = games.position(row), games.legal(row)
        if not legal:
            raise IllegalMove(
                f"game {number} is over and takes only action −1, not {action}, until "
                "reset(options={'reset_mask': …})", action, None, position, legal,
            )  # fmt: skip
        try:
            name = games.move_name(row, action)
        except ValueError:
            name = None
        seat = f"player_{games.states['to_act'][row]}"
        raise IllegalMove(
            f"game {number}: {seat} can't play {name or 'an action that does not exist'} (action {action})",
            action, name, position, legal,
        )  # fmt: skip


def _variants_text(games: Games) -> str:
    """The game and the option values of its variants, for messages."""
    options = [
        ", ".join(f"{name}={value}" for name, value in entry.values.items()) for entry in games.variant_mix.entries
    ]
    return f"{games.game.id} ({' or '.join(options)})"
