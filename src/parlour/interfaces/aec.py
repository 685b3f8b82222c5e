"""The PettingZoo environment: one game as an `AECEnv`, played by compiled code.

Axis letters: C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv, AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from parlour.engine.after_states import AfterStates, TurnEnds, after_states, turn_ends
from parlour.engine.forced_dice import check_lengths, check_throws, opening_throws, set_forced_dice
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.one_game import END_BITS, NO_ROOM, REFUSED, SEAT_BITS, UNEVENTFUL
from parlour.engine.player import Player, require_player
from parlour.engine.rows import read_positions
from parlour.engine.seeds import check_seed, seed_words
from parlour.engine.variant_mix import VariantMix, read_variant
from parlour.engine.view import GamesView
from parlour.interfaces.game_record import VERSION, GameRecord, seat_names
from parlour.interfaces.history import History, begin_game, first_stretch, played_again
from parlour.interfaces.moves import parse_move, parse_turn
from parlour.interfaces.rendering import RENDER_MODES, Window, ansi, rasterise, svg
from parlour.interfaces.spaces import ActionSpace, observation_space
from parlour.rulebook.options import Value
from parlour.rulebook.positions import form_of
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Plane
from parlour.rulebook.state_records import as_record, copied
from parlour.support.arguments import as_index, one_of, reset_options, shown, whole_number
from parlour.support.copied import CopiedWhole
from parlour.support.errors import ActionOutOfRange, IllegalMove, listing

ILLEGAL_MOVE = ("terminate", "raise")
PLAIN_INTEGERS = frozenset({int, np.int32, np.int64})
Observation = dict[str, NDArray[np.int8]]
SEAT_DICTS = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations")
"""The dicts that `reset` creates and `step` changes, apart from ``infos``."""
OWN_ATTRIBUTES = frozenset(
    {
        *SEAT_DICTS, "game", "_overrides", "render_mode", "illegal_move", "metadata", "possible_agents", "games",
        "agent_selection", "observation_spaces", "action_spaces", "state_space", "infos", "_seats", "_planes", "_mask",
        "_count", "_seeded", "_window", "_over", "_quiet", "_no_rewards", "_looking", "_has_updated",
        "_skip_agent_selection", "_history", "_note",
    }
)  # fmt: skip
"""The attributes of an environment. All others were set from outside, for example by a wrapper."""


class _SetByReset:
    """An attribute that exists from the first `reset` on. Before, reading it raises what PettingZoo's wrappers raise.
    (A ``__getattr__`` would make access to every other attribute three times slower.)"""

    def __set_name__(self, owner: type[object], name: str) -> None:
        self._name = name

    def __get__(self, env: object, owner: type[object]) -> Any:
        raise AttributeError(f"{self._name} cannot be accessed before reset")


class GameEnv(CopiedWhole, AECEnv[str, Observation, "int | None"]):
    """One game.

    Observations are ``{"observation": int8 (C, H, W), "action_mask": int8 (A,)}`` from the view of the observing seat;
    the game's README lists the planes. Actions are 0 to A − 1 from the view of the seat to act. Rewards are floats,
    infos are empty. Returned arrays belong to the caller: later steps do not change them.

    `reset` takes as ``options``: ``"position"``, a text from `position`, to resume exactly there; ``"dice"``, a list of
    the throws to come, as for `set_dice`; ``"variant"``, another variant of the same spaces to play from now on: a
    name, or a mapping of option values (see `parlour.engine.variant_mix.VariantLike`); the options given to `make`
    override its own. Other keys are ignored, as PettingZoo's tests require.
    """

    agents: Any = _SetByReset()
    agent_selection: Any = _SetByReset()
    rewards: Any = _SetByReset()
    terminations: Any = _SetByReset()
    truncations: Any = _SetByReset()
    infos: Any = _SetByReset()

    def __init__(
        self, game: Game, variant: str | None, values: Mapping[str, object], render_mode: str | None, illegal_move: str
    ) -> None:
        variant_mix = read_variant(game, variant, values)
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES, or_none=True)
        one_of("illegal_move", illegal_move, ILLEGAL_MOVE)
        super().__init__()
        self.game, self._overrides = game, dict(values)
        self.render_mode, self.illegal_move = render_mode, illegal_move
        self.metadata: dict[str, Any] = {
            "render_modes": list(RENDER_MODES), "name": game.id.replace("-", "_"), "is_parallelizable": False,
            "render_fps": 2,
        }  # fmt: skip
        layout = variant_mix.layout
        self.possible_agents = [f"player_{seat}" for seat in range(layout.seats)]
        self.observation_spaces = {agent: observation_space(layout) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace(layout.actions) for agent in self.possible_agents}
        space = self.observation_spaces[self.possible_agents[0]]["observation"]
        assert isinstance(space, gymnasium.spaces.Box)
        self.state_space = gymnasium.spaces.Box(space.low, space.high, dtype=np.int8)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self.games = Games(game, variant_mix, 1)
        self._bind()
        self._count = layout.actions
        self._seeded = False
        self._over: bool | None = None  # whether the game has ended, also by an illegal move; None before `reset`
        self._window: Window | None = None

    @property
    def variant(self) -> str:
        """The name of the variant; for a mapping, the variant that it is based on."""
        return self.games.variant_mix.entries[0].variant

    @property
    def overrides(self) -> Mapping[str, object]:
        """The option values that were given to `make`; they override those of the variant."""
        return self._overrides

    @property
    def values(self) -> dict[str, Value]:
        """The value of every option."""
        return self.games.variant_mix.entries[0].values

    @property
    def seeded(self) -> bool:
        """Whether the random stream has begun, so that a `reset` without a seed continues it."""
        return self._seeded

    @property
    def planes(self) -> tuple[Plane, ...]:
        """What each of the C planes of an observation means."""
        return self.games.layout.planes

    # --- PettingZoo's interface ---

    @property
    def num_agents(self) -> int:
        """How many seats are still in the game."""
        if self._over is None:
            raise AttributeError("num_agents cannot be accessed before reset")
        return len(self.agents)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The same object at each call."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """The same object at each call."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game, or resumes one (see the class).

        ``seed`` (a whole number from 0 up) restarts the random stream; None continues it. Raises ValueError for a seed,
        position or throw that is not valid; then nothing changes.
        """
        options = reset_options(options)
        games, text = self.games, options.get("position")
        word = None if seed is None and self._seeded else check_seed(seed)
        seeds = None if word is None else seed_words([word])
        throws = check_throws(self.game, [] if options.get("dice") is None else options["dice"])
        before = games.variant_mix
        if options.get("variant") is not None:
            games.set_variant_mix(self._same_spaces(options["variant"]))
        try:
            loaded = None if text is None else read_positions(games, [text])
            opening = 0 if loaded else opening_throws(games, throws)
            check_lengths(self.game, games.variant_mix.records[0], throws, opening)
        except ValueError:
            if games.variant_mix is not before:
                games.set_variant_mix(before)
            raise
        dice_rng = copied(games.dice_rng) if self.game.rules.DICE else None
        begin_game(games, seeds, loaded, throws)
        in_another_form = form_of(self.game.notation, text) is not None
        self._remember(word, games.position(0) if in_another_form else text, dice_rng)
        self._seeded = True
        self.agents = self.possible_agents[:]
        self._set_over(int(games.states["end"][0]))
        self.rewards, self._quiet = self._no_rewards.copy(), True
        self._cumulative_rewards = self._no_rewards.copy()
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._looking = int(games.states["to_act"][0])
        self.agent_selection = self.possible_agents[self._looking]
        self._has_updated = True
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Plays an action (int, np.int32 or np.int64) for `agent_selection`.

        Raises PettingZoo's errors before `reset` and for a seat whose game is over. Raises `parlour.IllegalMove` for an
        illegal action with ``illegal_move="raise"``, and for an action out of range with any `illegal_move` (this error
        is an AssertionError, too).
        """
        if self._over is not False:
            self._step_late(action)
            return
        self._has_updated = True
        index: Any = action if type(action) in PLAIN_INTEGERS else self._index(action)
        try:
            code = self.games.step_one(index)
        except OverflowError:  # a whole number beyond int64, or an error of rules that run uncompiled
            if -(2**63) <= index < 2**63:
                raise
            code = REFUSED
        if code < 0:
            self._step_again(code, action)
            return
        self._note(index)
        self._cumulative_rewards[self.agent_selection] = 0.0
        if code < UNEVENTFUL:
            self._looking = code
            if not self._quiet:
                self.rewards, self._quiet = self._no_rewards.copy(), True
        else:
            self._take_in(code)
        self.agent_selection = self.possible_agents[self._looking]
        if self.render_mode == "human":
            self.render()

    def _take_in(self, code: int) -> None:
        """Records the result of a ply that brought rewards or ended the game."""
        self._looking = code % UNEVENTFUL
        if code >> (SEAT_BITS + END_BITS):
            self.rewards = dict(zip(self.possible_agents, self.games.rewards.tolist()[0]))
            self._quiet = False
            cumulative = self._cumulative_rewards
            for agent, reward in self.rewards.items():
                cumulative[agent] += reward
        else:
            self.rewards, self._quiet = self._no_rewards.copy(), True
        end = (code >> SEAT_BITS) % (1 << END_BITS)
        if end != RUNNING:
            self._set_over(end)

    def _step_again(self, code: int, action: Any) -> None:
        """Handles a step that was not played: the history was too small, or the action is not legal."""
        if code == NO_ROOM:
            self.games.widen_history()
            self.step(action)
        else:
            self._refuse(self._index(action))

    def _step_late(self, action: int | None) -> None:
        """A step before `reset`, or after the end: of a seat whose game is over."""
        if self._over is None:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if action is not None:
            self._index(action)
        self._was_dead_step(action)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        agent = self.agent_selection
        reward, info = self._cumulative_rewards[agent], self.infos[agent]
        if self._over:
            seen = self.observe(agent) if observe else None
            return seen, reward, self.terminations[agent], self.truncations[agent], info
        seen = {"observation": self._planes.copy(), "action_mask": self._mask.copy()} if observe else None
        return seen, reward, False, False, info

    def observe(self, agent: str) -> Observation:
        """The observation of a seat, in new arrays; its mask is all zeros unless it is to act."""
        if "agents" not in self.__dict__:
            EnvLogger.error_observe_before_reset()
        seat = self._seat_of(agent)
        if seat == self._looking:
            planes, mask = self._planes.copy(), self._mask.copy()
        else:
            planes, mask = self.games.observe_seat(0, seat)
        if self._over or self.terminations.get(agent):
            mask[:] = 0  # also after an illegal move, here or in PettingZoo's own wrapper
        return {"observation": planes, "action_mask": mask}

    def _peek(self, agent: str) -> Observation:
        """As `observe`, without copying, for wrappers: the arrays may be the environment's own. Don't change them; they
        are overwritten by the next step or reset."""
        if agent == self.agent_selection and not self._over:
            return {"observation": self._planes, "action_mask": self._mask}
        return self.observe(agent)

    def state(self) -> NDArray[np.int8]:
        """The global view: the planes (C, H, W) as ``player_0`` sees them."""
        if "agents" not in self.__dict__:
            EnvLogger.error_state_before_reset()
        return self.games.observe_seat(0, 0)[0]

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int | None]:
        """Yields the seat to act until the game and its last (dead) steps are over."""
        if "agents" not in self.__dict__:
            EnvLogger.error_agent_iter_before_reset()
        return _CheckedIterable(self, whole_number("max_iter", max_iter))

    def render(self) -> Any:
        """The picture for `render_mode`: uint8 (height, width, 3), a text, or None (for a window; without a mode also
        with a warning)."""
        if "agents" not in self.__dict__:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; give one to make().")
            return None
        if self.render_mode == "ansi":
            return self.ansi()
        if self.render_mode == "svg":
            return self.svg()
        pixels = rasterise(self.svg())
        if self.render_mode == "rgb_array":
            return pixels
        self._window = self._window or Window(self.game.title)
        self._window.show(pixels, int(self.metadata["render_fps"]))
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # --- beyond PettingZoo ---

    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by an illegal move."""
        self._require_reset("is_over")
        return not self.agents or self.terminations[self.agents[0]] or self.truncations[self.agents[0]]

    def ask(self, player: Player) -> int:
        """The action that ``player`` chooses for the seat to act; nothing is played. The game must not be over.
        ValueError for anything but a player."""
        require_player(player)
        actions = np.zeros(1, np.int64)
        player.choose(GamesView(self.games), np.ones(1, np.bool_), actions)
        return int(actions[0])

    def legal_moves(self) -> list[str]:
        """Names of the legal actions of the seat to act, in action-index order; [] after the end."""
        self._require_reset("legal_moves")
        return [] if self.is_over() else self.games.legal(0)

    def move_name(self, action: int) -> str:
        """The name of an action from the view of the seat to act. ValueError for an action that is never legal."""
        self._require_reset("move_name")
        try:
            index = as_index(action)
        except TypeError:
            raise ValueError(
                f"{shown(action)} is no action; actions are whole numbers from 0 to {self._count - 1}"
            ) from None
        return self.games.move_name(0, index)

    def parse_move(self, text: str) -> int:
        """The action with this name for the seat to act, legal now or not, or the legal one that the text spells in
        another way. ValueError for any other text."""
        self._require_reset("parse_move")
        return parse_move(self.games, 0, text)

    def parse_turn(self, text: str) -> list[int]:
        """The plies of a turn that a text names, in an order in which they are legal: ``8/5 6/5``, ``24/23/20``,
        ``26x17x10``. A single ply is one, too. ValueError, which says why, for any other text."""
        self._require_reset("parse_turn")
        return parse_turn(self.games, 0, text)

    def position(self, form: str | None = None) -> str:
        """The position as text; ``reset(options={"position": …})`` resumes exactly here.

        ``form``: one in which other programs write the game's positions; its README names those that it has. ValueError
        for another one, and for a position that can't be written in it.
        """
        self._require_reset("position")
        return self.games.position(0, form)

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces of the latest throw, without opening throws; () if there is none."""
        return self.games.dice(0) if "agents" in self.__dict__ else ()

    def chance_outcomes(self) -> list[tuple[tuple[int, ...], float]]:
        """The distinct outcomes of the next throw not yet made, each with its probability."""
        self._require_reset("chance_outcomes")
        return self.games.chance_outcomes(0)

    def set_dice(self, throws: Sequence[Sequence[int]]) -> None:
        """Sets the next throws, in the order in which they are needed, each a tuple of faces. After them the random
        stream continues.

        Raises ValueError for an impossible face or a wrong number of dice; then nothing changes.
        """
        self._require_reset("set_dice")
        checked = check_throws(self.game, throws)
        check_lengths(self.game, self.games.variants[0], checked)
        set_forced_dice(self.games, checked)
        self._history.open_stretch(self.games)

    def after_states(self) -> AfterStates:
        """The position after every legal action, before any throw that follows: K actions in index order; all
        ``row_ids`` are 0. Changes nothing. After the end K is 0."""
        self._require_reset("after_states")
        return after_states(self.games, self._shown_rows())

    def turn_ends(self) -> TurnEnds:
        """As `after_states`, for whole turns of several plies: every position at which the turn can end, once,
        with the plies that lead there. ValueError for a turn of too many positions (2²⁰)."""
        self._require_reset("turn_ends")
        return turn_ends(self.games, self._shown_rows())

    def _shown_rows(self) -> NDArray[np.int64]:
        """The only row, 0; no row after the end."""
        return np.zeros(0 if self.is_over() else 1, np.int64)

    def clone(self, seed: int | None = None) -> GameEnv:
        """An independent copy: same position, dice, counters and random stream; another stream with ``seed``."""
        word = None if seed is None else check_seed(seed)
        twin = self._copied({})
        if word is not None:
            twin.reseed(word)
        return twin

    def reseed(self, seed: int) -> None:
        """Restarts the random stream from ``seed``, without changing the position. ValueError for anything but a whole
        number from 0 up."""
        self.games.reseed(seed)
        if self._over is not None:
            self._history.open_stretch(self.games)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        """As `clone`; ``memo`` also gets the games and the action spaces, for objects that refer to them."""
        twin = self._copied(memo)
        memo.update({id(self): twin, id(self.games): twin.games})
        memo.update({id(space): twin.action_spaces[agent] for agent, space in self.action_spaces.items()})
        return twin

    def _copied(self, memo: dict[int, Any]) -> GameEnv:
        """Shares what is never written to, such as observation spaces; copies attributes set from outside deeply."""
        twin = object.__new__(type(self))
        attributes = twin.__dict__
        attributes.update(self.__dict__)
        twin.games, twin._window, twin.metadata = self.games.copy(), None, self.metadata.copy()
        twin.action_spaces = {agent: space.copy() for agent, space in self.action_spaces.items()}
        if self._over is not None:
            for name in SEAT_DICTS:
                attributes[name] = attributes[name].copy()
            twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
            twin._history = self._history.copy()
            twin._note = twin._history.actions.append
        twin._bind()
        for name in self.__dict__.keys() - OWN_ATTRIBUTES:
            attributes[name] = copy.deepcopy(attributes[name], memo)
        return twin

    def svg(self) -> str:
        """The picture of the position as SVG."""
        self._require_reset("svg")
        return svg(self.game, *self._records())

    def ansi(self) -> str:
        """The picture of the position as text."""
        self._require_reset("ansi")
        return ansi(self.game, *self._records())

    def record(self, players: Sequence[str] | None = None) -> GameRecord:
        """The game since `reset` up to now, as a record that can be replayed, written and shown (`GameRecord.html`).

        ``players``: a name for each seat's player; None: the agents' names. Raises ValueError for another number of
        names, or for names that are not texts.
        """
        self._require_reset("record")
        names = seat_names(players, self.possible_agents)
        history = self._history
        throws = history.throws(self.games) if self.game.rules.DICE else None
        moves, returns, end = played_again(self.games, history, throws or [])
        return GameRecord(
            self.game.id, VERSION, self.variant, self.values, history.seed, names, moves, returns, end,
            history.start, throws,
        )  # fmt: skip

    def _repr_svg_(self) -> str | None:
        return self.svg() if "agents" in self.__dict__ else None

    def __repr__(self) -> str:
        return f"<{self.game.id}, variant {self.variant}>"

    # --- inside ---

    def _remember(self, seed: int | None, start: str | None, dice_rng: NDArray[Any] | None) -> None:
        """A new history; ``dice_rng``: as it was before the game, in a game with dice."""
        self._history = History(seed, start or "", [])
        self._note = self._history.actions.append
        if dice_rng is not None:
            if start is None:
                self._history.stretches.append(first_stretch(self.games, dice_rng, seed))
            else:
                self._history.open_stretch(self.games)

    def _bind(self) -> None:
        """Views of the only row: planes (C, H, W) and mask (A,)."""
        self._planes, self._mask = self.games.observation[0], self.games.action_mask[0]

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_window", "_planes", "_mask", "_note")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._window = None
        if self._over is not None:
            self._note = self._history.actions.append
        self._bind()

    def _same_spaces(self, variant: Any) -> VariantMix:
        """The mix of one variant (read, or as users write it) for this game; ValueError if it has other spaces."""
        variant_mix = variant if isinstance(variant, VariantMix) else read_variant(self.game, variant, self._overrides)
        if variant_mix is not self.games.variant_mix and variant_mix.layout != self.games.layout:
            label = variant_mix.labels[0]
            raise ValueError(f"variant {label!r} has other spaces than {self.variant!r}; use make() for it")
        return variant_mix

    def _records(self) -> tuple[Any, Any]:
        return as_record(self.games.states, 0), as_record(self.games.variants, 0)

    def _seat_of(self, agent: str) -> int:
        """The seat of an agent. ValueError for an unknown agent."""
        try:
            return self._seats[agent]
        except (KeyError, TypeError):  # TypeError: what can't be looked up, such as a list
            raise ValueError(f"there is no agent {shown(agent)}; agents: {listing(self.possible_agents)}") from None

    def _require_reset(self, name: str) -> None:
        if "agents" not in self.__dict__:
            raise AssertionError(f"reset() needs to be called before {name}.")

    def _set_over(self, end: int) -> None:
        """All seats together are terminated by a result, or truncated by `max_plies`, or go on."""
        self._over = end != RUNNING
        self.terminations = dict.fromkeys(self.agents, end not in (RUNNING, MAX_PLIES))
        self.truncations = dict.fromkeys(self.agents, end == MAX_PLIES)

    def _index(self, action: object) -> int:
        """An action as int; ActionOutOfRange for anything that is not in the action space."""
        try:
            index = as_index(action)
        except TypeError:
            index = -1
        if not 0 <= index < self._count:
            space = f"the action space, the whole numbers from 0 to {self._count - 1}"
            problem = f"{self.agent_selection}: {shown(action)} is not in {space}"
            raise ActionOutOfRange(problem, action, None, self.position(), self.legal_moves())
        return index

    def _refuse(self, action: int) -> None:
        agent = self.agent_selection
        if self.illegal_move == "raise":
            try:
                name = self.move_name(action)
            except ValueError:
                name = None
            problem = f"{agent} can't play {name or 'an action that can never be played'} (action {action})"
            raise IllegalMove(problem, action, name, self.position(), self.legal_moves())
        # as pettingzoo.utils.wrappers.TerminateIllegalWrapper does, step for step
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self._over = True
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()


class _CheckedIterable(AECIterable[str, Observation, "int | None"]):
    """As PettingZoo's order-enforcing one: it wants a `step` or a `reset` between two seats."""

    def __iter__(self) -> AECIterator[str, Observation, int | None]:
        return _CheckedIterator(self.env, self.max_iter)


class _CheckedIterator(AECIterator[str, Observation, "int | None"]):
    def __next__(self) -> str:
        agent = super().__next__()
        assert self.env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        self.env._has_updated = False
        return agent
