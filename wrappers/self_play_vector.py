"""`SelfPlayVectorEnv`: the learning seats of many games as a `gymnasium.vector.VectorEnv`, on the batch engine.

Axis letters: N games, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parlour.engine.arrays import ASKING, HALTED
from parlour.engine.threads import one_thread
from parlour.engine.view import GamesView
from parlour.interfaces.batch import Observations
from parlour.interfaces.registry import make_batch
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES, inputs_of, inputs_space
from parlour.support.arguments import flag, reset_options
from parlour.support.copied import CopiedWhole
from parlour.wrappers.matchmaker import MAX_BEGINNINGS, Matchmaker, check_not_from, never_to_act
from parlour.wrappers.opponent_pool import OpponentPool


class SelfPlayVectorEnv(CopiedWhole, VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """N games of one kind, in each of which one seat is the learner's: `SelfPlayEnv` N times over, at compiled speed.

    Row i plays bit for bit as ``SelfPlayEnv(parlour.make(…), …)`` reset with the seed `seed_of` (i), on any number of
    threads.

    * observation: as the learners' seats see it: ``{"observation": int8 (N, C, H, W), "action_mask": int8 (N, A)}``,
      or with ``inputs`` what `Thermometer` and `Features` show. After the end the mask is all zeros.
    * action: whole numbers (N,), each from the view of the row's learner. An illegal one raises `parlour.IllegalMove`,
      and no game changes.
    * reward: float64 (N,), as in `SelfPlayEnv`: all that the learner gets from its ply to its next one.
    * info: ``"seat"``: int64 (N,), the learners' seats; with several variants ``"variant"``: int64 (N,).

    Ended games, and infos about them, are as in `gymnasium.vector.SyncVectorEnv`: with ``same_step`` a
    game begins again at once, its end being in ``"final_obs"`` and ``"final_info"``; with ``next_step`` in the next
    step, whose action for that row is not used; with ``disabled`` it stays until
    ``reset(options={"reset_mask": bool (N,)})``, and its action must be −1.

    With ``same_step`` Gymnasium's own wrappers of observations refuse it, as they do any environment that begins a game
    again in the step that ends one; use ``autoreset="next_step"`` with `FlattenObservation` and `FilterObservation`,
    and, over `FlattenObservation`, since observations are dicts, with `NormalizeObservation`, `RescaleObservation` and
    `DtypeObservation`. Those of rewards, and `RecordEpisodeStatistics`, take every mode.

    Attributes:
        autoreset_mode: a `gymnasium.vector.AutoresetMode`; TorchRL's ``GymWrapper`` looks for it here.

    `random` and `greedy` opponents play inside the compiled call; any other is asked for all its rows at once, a
    function for those in which there is a choice. The arrays that a function gets are new ones. What an opponent raises
    is raised to the caller; `reset` is needed then, as after an interruption (Ctrl-C). One thread at a time may use an
    environment: another's call raises RuntimeError.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        opponent: PlayerLike | OpponentPool = "random",
        seat: str | int = "random",
        *,
        seed: int | None = None,
        threads: int = 1,
        autoreset: Any = "same_step",
        copy: bool = True,
        inputs: str = PLANES,
        **options: Any,
    ) -> None:
        """
        Args:
            game: an id such as ``"agon-v0"``.
            num_envs: N, at least 1.
            opponent: see `SelfPlayEnv`; a function gets the rows that wait, and gives an action for each.
            seat: see `SelfPlayEnv`.
            seed: the random seed, until `reset` gets another; None: a fresh one.
            threads: how many threads share the rows.
            autoreset: ``"same_step"``, ``"next_step"`` or ``"disabled"``, or a `gymnasium.vector.AutoresetMode`.
            copy: False returns views of the buffers, overwritten by the next step, in place of copies.
            inputs: what the learner and opponents that are functions see: ``"planes"``; ``"thermometer"`` or
                ``"thermometer:int8"``, as under `Thermometer`; ``"features"``, as under `Features`.
            **options: ``variant`` and any other of `parlour.make_batch`.

        Raises:
            ValueError: for invalid arguments.
        """
        self.batch = make_batch(game, num_envs, seed=seed, threads=threads, autoreset=autoreset, **options)
        self.num_envs, self.metadata = self.batch.num_envs, self.batch.metadata
        self.copy = flag("copy", copy)
        self.autoreset_mode = self.metadata["autoreset_mode"]
        space = inputs_space(inputs, self.batch.game, self.batch.games.layout)
        self.single_observation_space = spaces.Dict(
            {**self.batch.single_observation_space.spaces, "observation": space}
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space, self.action_space = self.batch.single_action_space, self.batch.action_space
        self.inputs = inputs
        self._matchmaker = Matchmaker(self.batch.game, self.batch.num_seats, self.num_envs, opponent, seat)
        self._rows = np.arange(self.num_envs)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._play = self.batch.games.self_play(self._matchmaker.learners, self._matchmaker.kinds)
        self._returns = np.zeros_like(self._play.totals)
        self._has_reset = False
        self._interrupted = False
        self._users: dict[str, int] = {}  # see `one_thread`

    def seed_of(self, i: int) -> int:
        """The seed with which a `SelfPlayEnv` plays exactly as row i. IndexError if there is no row i."""
        return self.batch.seed_of(i)

    @one_thread
    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins new games and plays on to the learners' first plies: see `parlour.Batch.reset`."""
        options = reset_options(options)
        mask = options.get("reset_mask")
        if self._interrupted and mask is not None:
            self._need_reset_before("reset with a reset_mask")
        first = not self._has_reset
        self.batch.reset(seed=seed, options=options)
        self._has_reset, self._interrupted = False, True
        row_ids = self._rows if mask is None else mask.nonzero()[0]
        if seed is not None or first:
            self._matchmaker.seed(row_ids, [self.batch.seed_of(i) for i in row_ids.tolist()])
        self._over[row_ids] = False
        self._begun(row_ids, options)
        self._has_reset, self._interrupted = True, False
        return self._observations(), self._infos(self._mask(row_ids))

    @one_thread
    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays the learners' actions, then the opponents' up to the learners' next plies or the ends."""
        self._need_reset_before("step")
        games, over = self.batch.games, self._over
        self.batch.check(actions, self._play.actions)
        self._has_reset, self._interrupted = False, True
        playing = (~over).nonzero()[0]
        self._play_on(playing)
        rewards = self._take_rewards()
        if over.any():
            self._begin_or_show(over.nonzero()[0])
        terminations, truncations = games.terminated.copy(), games.truncated.copy()
        self._over = terminations | truncations
        infos: dict[str, Any] = {}
        ended = playing[self._over[playing]]
        if len(ended):
            self._matchmaker.record(ended, self._returns, truncations)
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                infos = self._final(ended)
                self._begin(ended)
                self._over = np.zeros(self.num_envs, np.bool_)
        self._has_reset, self._interrupted = True, False
        return self._observations(), rewards, terminations, truncations, {**infos, **self._infos(None)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions the learners may play: bool (N, A)."""
        return self.batch.games.legal_in(self._rows).astype(np.bool_)

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action for each learner (N,), −1 after the end: see `parlour.Batch.sample_actions`."""
        return self.batch.sample_actions().copy()

    # --- inside ---

    def _need_reset_before(self, call: str) -> None:
        if not self._has_reset:
            why = " (The latest call was interrupted.)" if self._interrupted else ""
            raise AssertionError(f"reset() needs to be called before {call}.{why}")

    def _mask(self, row_ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        mask = np.zeros(self.num_envs, np.bool_)
        mask[row_ids] = True
        return mask

    def _begin_or_show(self, row_ids: NDArray[np.int64]) -> None:
        """Begins the next games in rows whose games are over, or shows these anew: callers may have written into what
        they were shown."""
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._begin(row_ids)
            return
        self.batch.games.observe(row_ids)
        self._play_on(row_ids)

    def _begin(self, row_ids: NDArray[np.int64]) -> None:
        self.batch.games.begin(None, self._mask(row_ids))
        self._begun(row_ids)

    def _begun(self, row_ids: NDArray[np.int64], options: dict[str, Any] | None = None) -> None:
        """Games have begun in the rows: draws the matches, and plays on to the learners' first plies."""
        games = self.batch.games
        self._matchmaker.draw(row_ids)
        for _ in range(MAX_BEGINNINGS):
            self._play.totals[row_ids] = 0
            self._returns[row_ids] = 0
            self._play.actions[row_ids] = -1
            self._play_on(row_ids)
            row_ids = row_ids[games.terminated[row_ids] | games.truncated[row_ids]]
            if not len(row_ids):
                return
            check_not_from(options)
            games.begin(None, self._mask(row_ids))
            options = None
        raise never_to_act()

    def _play_on(self, row_ids: NDArray[np.int64]) -> None:
        """Plays in the rows ``row_ids`` (M,) up to the learners' next plies or the ends, ``play.actions`` first."""
        games, play, count = self.batch.games, self._play, len(row_ids)
        play.row_ids[:count] = row_ids
        while games.advance(play, count):
            waits, row_ids = play.waits[:count], play.row_ids[:count]
            for opponent, asked in self._matchmaker.opponents_of(row_ids[waits == ASKING]):
                opponent.choose_in(GamesView(games), asked, play.actions, self.inputs)
            row_ids = row_ids[waits != HALTED]
            count = len(row_ids)
            play.row_ids[:count] = row_ids

    def _take_rewards(self) -> NDArray[np.float64]:
        """The learners' rewards up to now (N,); their sums are then set to 0."""
        totals = self._play.totals
        rewards = totals[self._rows, self._matchmaker.learners]
        if self._matchmaker.pool is not None:  # which goes by all seats' returns
            self._returns += totals
        totals[:] = 0
        return rewards

    def _final(self, ended: NDArray[np.int64]) -> dict[str, Any]:
        """What Gymnasium tells of games that ended and begin again in the same step."""
        games = self.batch.games
        which = self._mask(ended)
        seen = np.full(self.num_envs, None, object)
        observation, masks = self._seen(ended, games.observation[ended]), games.action_mask[ended]
        for k, row in enumerate(ended.tolist()):
            seen[row] = {"observation": observation[k], "action_mask": masks[k]}
        infos = self._infos(which)
        return {"final_obs": seen, "_final_obs": which, "final_info": infos, "_final_info": which.copy()}

    def _infos(self, row_mask: NDArray[np.bool_] | None) -> dict[str, Any]:
        """Infos of the rows of ``row_mask`` (bool (N,); None: all), 0 elsewhere, each with the mask that Gymnasium
        expects with it."""
        mask = np.ones(self.num_envs, np.bool_) if row_mask is None else row_mask
        infos = {"seat": self._matchmaker.learners * mask.astype(np.int64), "_seat": mask}
        if len(self.batch.variants) > 1:
            infos.update(variant=self.batch.games.variant_index * mask, _variant=mask.copy())
        return infos

    def _seen(self, row_ids: NDArray[np.int64], planes: NDArray[np.int8]) -> NDArray[Any]:
        """What the learners of the rows ``row_ids`` (M,) see, whose planes are (M, C, H, W)."""
        return inputs_of(self.inputs, self.batch.games, row_ids, self._matchmaker.learners[row_ids], planes)

    def _observations(self) -> Observations:
        games = self.batch.games
        seen = {"observation": games.observation, "action_mask": games.action_mask}
        seen = {name: part.copy() for name, part in seen.items()} if self.copy else seen
        return {**seen, "observation": self._seen(self._rows, seen["observation"])}
