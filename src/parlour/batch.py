"""The batch face: N games of one kind, stepped in one compiled call, in the manner of `gymnasium.vector`.

Axis letters: N games, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED, NEXT_STEP, SAME_STEP
from parlour.engine.game import ActionSpace, Game, observation_space
from parlour.engine.games import Table, check_seed, seed_words
from parlour.engine.variant_mix import Menu
from parlour.errors import IllegalMove, listing
from parlour.rulebook.chance import row_seeds

AUTORESET = {
    "same_step": (AutoresetMode.SAME_STEP, SAME_STEP),
    "next_step": (AutoresetMode.NEXT_STEP, NEXT_STEP),
    "disabled": (AutoresetMode.DISABLED, DISABLED),
}
Observations: TypeAlias = "dict[str, NDArray[np.int8]]"


class Batch(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """N games side by side. Rows are independent: what one does, no other notices.

    It is a `gymnasium.vector.VectorEnv` with one difference: the rewards have a column for each seat. Each row is seen
    by its seat to act, which ``infos["to_act"]`` names.

    * observations: ``{"observation": int8 (N, C, H, W), "action_mask": int8 (N, A)}``
    * rewards: float32 (N, P), of this step; terminations, truncations: bool (N,)
    * infos: ``"to_act"``: int8 (N,). With ``same_step``, for games that ended in this step (``"_final_obs"``: bool
      (N,)), ``"final_obs"``: observations as above, of the end as the seat in ``"final_to_act"`` (int8 (N,)) sees it;
      the mask is zero.

    These are views of the batch's buffers, overwritten by the next step, unless it was made with ``copy=True``.

    With several variants, each new game takes one by the weights (`set_weights` changes them), and ``infos["variant"]``
    (int64 (N,)) numbers those being played, in the order of `variants`.

    Autoreset modes are Gymnasium's: with ``same_step`` a game that ends begins anew in the same step; with
    ``next_step``, in the next one, whose action for that row is not used; with ``disabled`` it stays until
    ``reset(options={"reset_mask": bool (N,)})``, and its action must be −1 (as `sample_actions` gives it).

    Game i plays exactly as ``parlour.make(…)`` reset with the seed `seed_of` (i) and then, for each further game of
    that row, reset without a seed; on any number of threads.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        menu: Menu,
        seed: int | None,
        threads: int,
        autoreset: object,
        copy: bool,
    ) -> None:
        """See `parlour.make_batch`, which reads the menu."""
        self.num_games = self.num_envs = _at_least_one("num_games", num_games)
        mode, self._autoreset = _autoreset(autoreset)
        self.game, self.copy, self.variants = game, copy, menu.labels
        self.table = Table(game, menu, num_games, _at_least_one("threads", threads))
        layout = self.table.layout
        self.num_seats = layout.seats
        self.metadata = {"autoreset_mode": mode, "name": game.id.replace("-", "_"), "render_modes": []}
        self.single_observation_space = observation_space(layout)
        self.single_action_space = ActionSpace(layout.actions)
        self.observation_space = batch_space(self.single_observation_space, num_games)
        self.action_space = batch_space(self.single_action_space, num_games)
        self._actions = np.zeros(num_games, np.int64)
        self._sampled = np.zeros(num_games, np.int64)
        self._rewards = np.zeros(self.table.rewards.shape, np.float32)
        self.table.open_desk(self._autoreset, self._actions, self._sampled)
        self._no_actions = np.broadcast_to(np.int8(0), self.table.action_mask.shape)  # what is legal at an end
        self._has_reset = False
        self._set_seeds(seed)

    def _set_seeds(self, seed: object) -> None:
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_games:
                raise ValueError(f"{len(seed)} seeds were given; {self.num_games} games need as many, or a single one")
            self._seeds = [check_seed(one) for one in seed]
        else:
            self._seeds = row_seeds(check_seed(seed), self.num_games).tolist()

    def seed_of(self, i: int) -> int:
        """The seed with which an AEC environment plays exactly as game i. IndexError if there is no game i."""
        if not 0 <= i < self.num_games:
            raise IndexError(f"there is no game {i}; games: 0 to {self.num_games - 1}")
        return int(self._seeds[i])

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins new games.

        Args:
            seed: sets all seeds anew: one for the batch (see `seed_of`), or one a row. None lets the streams go on; the
                first reset then takes the batch's own seed.
            options: ``"reset_mask"``: bool (N,), the rows that are meant, all others being left as they are;
                ``"position"``: a text, or one a row, to begin from;
                ``"variant"``: the variant to play, by name or number, or one a row, in place of drawing it.

        Raises:
            ValueError: for a seed, mask, variant or position that is not valid; nothing is changed then.
        """
        options = options or {}
        table, everyone = self.table, np.ones(self.num_games, np.bool_)
        rows = _reset_mask(options["reset_mask"], self.num_games) if "reset_mask" in options else everyone
        if not self._has_reset and not rows.all():
            raise ValueError("the first reset begins all games; reset_mask is for later ones")
        forced = None if options.get("variant") is None else self._numbers(options["variant"])
        loaded = None
        if options.get("position") is not None:
            if not rows.all():
                raise ValueError("position and reset_mask can't be given together")
            if forced is None and len(self.variants) > 1:
                raise ValueError(f"a position needs its variant beside it; variants: {listing(self.variants)}")
            loaded = table.read(self._each("position", options["position"], (str,)), forced)
        if seed is not None:
            self._set_seeds(seed)
        seeds = seed_words(self._seeds) if seed is not None or not self._has_reset else None
        table.begin(seeds, rows, forced)
        if loaded is not None:
            table.load(loaded)
        self._has_reset = True
        return self._observations(), self._infos()

    def copy_rows(
        self, source: Batch | Table, from_rows: object, to_rows: object, streams: bool = True
    ) -> tuple[Observations, dict[str, Any]]:
        """Takes games over from another batch, or from other rows of this one: for searches, which try plies on copies.

        Row ``to_rows[m]`` becomes what row ``from_rows[m]`` of ``source`` is, bit for bit: position, counters, earlier
        positions and random streams, so that from there on both play alike. (So `seed_of` names the same seed.)

        Args:
            source: a batch of the same game, variants and options, of any size and autoreset mode; or the table that a
                `parlour.players.Player` is to choose for.
            from_rows: whole numbers (M,), rows of ``source``; a row may be copied more than once.
            to_rows: whole numbers (M,), rows of this batch, no two alike.
            streams: False leaves the rows their own random streams: then what is thrown here tells nothing of what will
                be thrown in ``source``, as a search of a game with dice needs it.

        Returns:
            Observations and infos of all rows, as `reset` does.

        Raises:
            ValueError: for another kind of batch, or rows that are not valid; nothing is changed then.
            AssertionError: before either batch's `reset`.
        """
        table = self._table_of(source)
        copied, written = _rows("from_rows", from_rows, table.num_games), _rows("to_rows", to_rows, self.num_games)
        if len(copied) != len(written):
            raise ValueError(f"{len(copied)} from_rows were given for {len(written)} to_rows; there must be as many")
        if len(np.unique(written)) < len(written):
            raise ValueError(f"to_rows must name each row once at most, not {written.tolist()}")
        self.table.copy_rows(table, copied, written, streams)
        if streams and isinstance(source, Batch):
            seeds = [source.seed_of(row) for row in copied.tolist()]
            for row, seed in zip(written.tolist(), seeds):
                self._seeds[row] = seed
        return self._observations(), self._infos()

    def step(
        self, actions: object
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in every game.

        Args:
            actions: whole numbers (N,), each legal in its row.

        Raises:
            parlour.IllegalMove: naming the first row whose action is not legal; no game is changed then.
            ValueError: for actions of another shape or type.
            AssertionError: before `reset`.
        """
        if not self._has_reset:
            raise AssertionError("reset() needs to be called before step.")
        table = self.table
        self.check(actions, self._actions)
        table.step(self._actions, self._autoreset)
        self._rewards[:] = table.rewards
        infos = self._infos()
        if self._autoreset == SAME_STEP:
            infos["_final_obs"] = table.terminated | table.truncated
            infos["final_obs"] = {
                "observation": self._out(table.finals.planes.reshape(table.observation.shape)),
                "action_mask": self._no_actions,
            }
            infos["final_to_act"] = self._out(table.finals.to_act)
        return (
            self._observations(),
            self._out(self._rewards),
            self._out(table.terminated),
            self._out(table.truncated),
            infos,
        )

    def check(self, actions: object, checked: NDArray[np.int64]) -> None:
        """Writes ``actions`` into ``checked`` (N,). Raises what `step` does if they may not be played."""
        given = np.asarray(actions)
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be whole numbers of shape ({self.num_games},), not {given.dtype} of shape {given.shape}"
            )
        checked[:] = given
        row = self.table.refused(checked, self._autoreset)
        if row >= 0:
            self._refuse(row, int(given[row]))

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each as likely: (N,); −1 for a game that is over.

        They come from the batch's own seed, a stream for each row apart from its dice.
        """
        if not self._has_reset:
            raise AssertionError("reset() needs to be called before sample_actions.")
        self.table.sample(self._sampled)
        return self._out(self._sampled)

    def position(self, i: int) -> str:
        """The text of game i, as `parlour.make(…).unwrapped.position()` gives it."""
        self.seed_of(i)
        return self.table.position(i)

    def set_weights(self, weights: Sequence[float]) -> None:
        """Games that begin from now on take the variants in proportion to ``weights``, one a variant. ValueError unless
        they are finite numbers from 0 up, not all 0."""
        self.table.set_odds(self.table.menu_of.weighted(weights))

    def _table_of(self, source: object) -> Table:
        """The table of what `copy_rows` copies from. Raises what that does if it is of another kind."""
        if not isinstance(source, (Batch, Table)):
            raise ValueError(f"copy_rows copies from a batch of parlour.make_batch(), not {source!r}")
        if not self._has_reset or (isinstance(source, Batch) and not source._has_reset):
            raise AssertionError("reset() needs to be called, on both batches, before copy_rows.")
        table = source.table if isinstance(source, Batch) else source
        if table.menu_of.content != self.table.menu_of.content:
            raise ValueError(
                "copy_rows needs a batch of the same game, variants and options: this is "
                f"{_menu_text(self.table)}, the source {_menu_text(table)}"
            )
        return table

    def _each(self, name: str, given: object, kinds: tuple[type, ...]) -> list[object]:
        """One a row, of what may be given once for all; it is of one of ``kinds``."""
        if isinstance(given, kinds):
            return [given] * self.num_games
        if not isinstance(given, (list, tuple, np.ndarray)) or len(given) != self.num_games:
            raise ValueError(f"{name} takes one for all games, or a list of {self.num_games}")
        return list(given)

    def _numbers(self, variant: object) -> NDArray[np.int64]:
        menu = self.table.menu_of
        return np.array([menu.number(one) for one in self._each("variant", variant, (str, int, np.integer))], np.int64)

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"to_act": self._out(self.table.to_act)}
        if len(self.variants) > 1:
            infos["variant"] = self.table.chosen.copy()  # the engine itself goes by that one
        return infos

    def _observations(self) -> Observations:
        return {"observation": self._out(self.table.observation), "action_mask": self._out(self.table.action_mask)}

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _refuse(self, row: int, action: int) -> None:
        table = self.table
        position, legal = table.position(row), table.legal(row)
        if not legal:
            raise IllegalMove(
                f"game {row} is over and takes action −1 alone, not {action}, until reset(options={{'reset_mask': …}})",
                action, None, position, legal,
            )  # fmt: skip
        try:
            name = table.move_name(row, action)
        except ValueError:
            name = None
        seat = f"player_{table.to_act[row]}"
        raise IllegalMove(
            f"game {row}: {seat} can't play {name or 'an action that is none'} (action {action})",
            action, name, position, legal,
        )  # fmt: skip


def _at_least_one(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number from 1 up, not {value!r}")
    return int(value)


def _autoreset(autoreset: object) -> tuple[AutoresetMode, int]:
    for name, (mode, number) in AUTORESET.items():
        if autoreset in (name, mode):
            return mode, number
    raise ValueError(f"autoreset {autoreset!r} is not valid; valid: {listing(list(AUTORESET))}, or an AutoresetMode")


def _menu_text(table: Table) -> str:
    """The game and the options of its variants that can tell two menus apart."""
    options = [", ".join(f"{name}={value}" for name, value in entry.values.items()) for entry in table.menu_of.entries]
    return f"{table.game.id} ({' or '.join(options)})"


def _rows(name: str, rows: object, num_games: int) -> NDArray[np.int64]:
    given = np.asarray(rows)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers of shape (M,), not {given.dtype} of shape {given.shape}")
    strays = given[(given < 0) | (given >= num_games)]
    if len(strays):
        raise ValueError(f"{name}: there is no game {strays[0]}; games: 0 to {num_games - 1}")
    return given.astype(np.int64)


def _reset_mask(mask: object, num_games: int) -> NDArray[np.bool_]:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_games,):
        raise ValueError(f"reset_mask must be a bool array of shape ({num_games},), not {mask!r}")
    return mask
