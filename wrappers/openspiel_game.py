"""`OpenSpielGame`: the games as Python games of OpenSpiel, with chance nodes.

Importing this module registers every game of `parlour.games` with OpenSpiel (``pip install "parlour[openspiel]"``),
under ``python_parlour_<name>``::

    import pyspiel
    import parlour.wrappers.openspiel_game

    game = pyspiel.load_game("python_parlour_agon(variant=ring,max_plies=400)")
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from parlour.engine.game import Game
from parlour.engine.moment import Moment, Rulebook
from parlour.engine.variant_mix import VariantMix, read_variants
from parlour.interfaces.registry import find, games
from parlour.rulebook.options import Amount, Choice, Count, Flag
from parlour.rulebook.protocol import RUNNING

NOT_GIVEN: dict[type, Any] = {Choice: "", Flag: -1, Count: -1, Amount: -1.0}
"""What a parameter holds, by the kind of its option, while the option's value is the variant's own. (OpenSpiel hands
over all parameters, whether they were given or not.)"""
ENDLESS = 10**8
"""For OpenSpiel, the most plies of a game that has no limit, and the most throws of any that has dice."""
LARGE_RETURN = 1e9
"""A bound of the returns of games whose rewards are not 1 and −1."""


class PlanesObserver:
    """The planes of a game's observation as an observer of OpenSpiel.

    Attributes:
        tensor: float32 (C · H · W,)
        dict: the same numbers as ``"observation"``, float32 (C, H, W)
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """What ``player`` sees."""
        self.tensor[:] = state.moment.observe_seat(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The position's text, and who looks."""
        return f"{state} seen by player_{player}"


class OpenSpielState(pyspiel.State):
    """A game at a decision, a throw or its end."""

    def __init__(self, game: OpenSpielGame, moment: Moment) -> None:
        """``moment``: the state's own, not to be shared."""
        super().__init__(game)
        self.moment = moment

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or for the end."""
        if self.moment.end != RUNNING:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.moment.due else self.moment.to_act

    def is_terminal(self) -> bool:
        """Whether it is over, by a result or by `max_plies`."""
        return self.moment.end != RUNNING

    def _legal_actions(self, player: int) -> list[int]:
        """In ascending order; none for a seat that is not to act."""
        return self.moment.legal() if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the distinct throws, each with its probability."""
        return [(k, probability) for k, (_, probability) in enumerate(self.moment.book.throws[self.moment.due])]

    def _apply_action(self, action: int) -> None:
        """A ply or, where one is due, a throw."""
        if self.moment.due:
            self.moment.throw(action)
        else:
            self.moment.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """An action's name, or a throw's faces."""
        if player == pyspiel.PlayerId.CHANCE:
            faces = self.moment.book.throws[self.moment.due][action][0]
            return "throw " + " ".join(map(str, faces))
        return self.moment.name(action)

    def returns(self) -> list[float]:
        """Each seat's sum of rewards at the end; zeros before it."""
        moment = self.moment
        return moment.returns.tolist() if moment.end != RUNNING else [0.0] * len(moment.returns)

    def __str__(self) -> str:
        """The position's text; where a throw is due, how many dice it has."""
        return self.moment.text()


class OpenSpielGame(pyspiel.Game):
    """A game of `parlour` as a sequential game of OpenSpiel with perfect information.

    * observation: ``observation_tensor`` is float32 (C · H · W,), the same numbers as in the environment, in the eyes
      of any seat; ``make_observation(game).dict["observation"]`` is (C, H, W). The string is the position's text.
    * action: as in the environment, from the view of the seat to act. Each throw of dice, the opening ones included, is
      a chance node of its own with the distinct outcomes in ascending order.
    * reward: the returns: each seat's sum of rewards over the game. Rewards during the game are returned only at its
      end, as OpenSpiel's searches expect.
    * A game that `max_plies` truncates is terminal, with its returns so far.

    The parameters are ``variant`` and every option of the game. A flag is 0 or 1; −1 or an empty text leaves an option
    as the variant has it.
    """

    parlour_game: Game
    """which game, in the class that is registered"""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """``params``: see the class; ValueError for a variant or value that there is not. TypeError unless the class is
        that of one game, as `register` makes it."""
        if not hasattr(self, "parlour_game") or not isinstance(params, (dict, type(None))):
            asked = "" if params is None else repr(params)
            raise TypeError(
                f"OpenSpielGame({asked}) is no game: pyspiel.load_game(register('agon-v0'), {{'variant': 'ring'}}) "
                "makes one"
            )
        game, parameters = self.parlour_game, dict(params or {})
        values = {
            option.name: bool(parameters[option.name]) if isinstance(option, Flag) else parameters[option.name]
            for option in game.options
            if parameters.get(option.name, NOT_GIVEN[type(option)]) != NOT_GIVEN[type(option)]
        }
        for option in game.options:
            if isinstance(option, Flag) and parameters.get(option.name, -1) not in (-1, 0, 1):
                raise ValueError(f"{option.name}={parameters[option.name]} is not valid; a flag is 0 or 1, or −1")
        variant_mix = read_variants(game, parameters.get("variant") or None, values)
        self.book = Rulebook(game, variant_mix)
        super().__init__(game_type(game), self._info(variant_mix), parameters)
        self._start = Moment(self.book)

    def _info(self, variant_mix: VariantMix) -> pyspiel.GameInfo:
        layout, dice = variant_mix.layout, self.parlour_game.rules.DICE
        bound = LARGE_RETURN if dice else 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=layout.actions,
            max_chance_outcomes=max(map(len, self.book.throws)) if dice else 0,
            num_players=layout.seats,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=None if dice else 0.0,
            max_game_length=int(variant_mix.records[0]["max_plies"]) or ENDLESS,
        )

    def max_chance_nodes_in_history(self) -> int:
        """0 without dice; else there is no bound."""
        return ENDLESS if self.parlour_game.rules.DICE else 0

    def new_initial_state(self) -> OpenSpielState:
        """The start; with dice, before the first throw."""
        return OpenSpielState(self, self._start.__deepcopy__({}))

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Any:
        """The planes, or with perfect recall OpenSpiel's own observer."""
        if params:
            raise ValueError(f"observers of {self.parlour_game.id} have no parameters; not {params}")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.book.layout.shape)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def short_name(game: Game) -> str:
    """What OpenSpiel calls it: ``python_parlour_agon``."""
    return f"python_parlour_{game.name}"


def seats_of(game: Game) -> tuple[int, int]:
    """The fewest and the most seats."""
    players = [option for option in game.options if option.name == "players" and isinstance(option, Count)]
    if players:
        return players[0].minimum, players[0].maximum
    seats = game.layout(game.resolve(None, {})[1]).seats
    return seats, seats


def game_type(game: Game) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game before it is loaded."""
    kind, (fewest, most) = pyspiel.GameType, seats_of(game)
    dice = game.rules.DICE
    return kind(
        short_name=short_name(game),
        long_name=f"{game.title} (parlour)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if dice else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if dice else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"variant": "", **{option.name: NOT_GIVEN[type(option)] for option in game.options}},
    )


def register(game: str) -> str:
    """Makes a game known to OpenSpiel. Returns its name for ``pyspiel.load_game``. ValueError for an unknown one."""
    known = find(game)
    name = short_name(known)
    if name not in pyspiel.registered_names():
        # A class of its own: OpenSpiel drops what was registered when Python is gone, which only classes survive.
        title = "".join(part.capitalize() for part in known.name.split("_"))
        kind = type(f"OpenSpielGameOf{title}", (OpenSpielGame,), {"parlour_game": known, "__module__": __name__})
        globals()[kind.__name__] = kind  # where pickle looks for it
        pyspiel.register_game(game_type(known), kind)
    return name


for _game in games():
    register(_game)
