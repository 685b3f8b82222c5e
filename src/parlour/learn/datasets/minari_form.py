"""Data sets in Minari's form: one episode for each seat of each game, as single-agent learners take them."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.interfaces.registry import gymnasium_name
from parlour.learn.datasets.columns import Columns
from parlour.learn.datasets.plans import Config
from parlour.players.inputs import PLANES, inputs_space
from parlour.players.names import parse_player

NO_ACTION = -1


def to_minari(dataset_id: str, config: Config, columns: Columns, **metadata: Any) -> Any:
    """Writes a data set into Minari's folder. See `parlour.learn.datasets.Dataset.to_minari`."""
    try:
        from minari.data_collector import EpisodeBuffer
        from minari.utils import create_dataset_from_buffers
    except ImportError as error:
        raise ImportError("to_minari needs minari: python -m pip install 'parlour[minari]'", name=error.name) from None
    game = config.found_game
    layout = game.layout(config.options)
    space = spaces.Dict(
        {
            "observation": inputs_space(config.inputs, game, layout),
            "action_mask": spaces.Box(0, 1, (layout.actions,), np.int8),
        }
    )
    env = _environment(config, game) if config.inputs == PLANES else None
    buffers = [
        EpisodeBuffer(id=number, **_episode(columns.at(plies))) for number, plies in enumerate(columns.episodes())
    ]
    told = {"algorithm_name": config.player or "recorded games", "description": _described(config), **metadata}
    return create_dataset_from_buffers(
        dataset_id, buffers, env, env, observation_space=space, action_space=spaces.Discrete(layout.actions), **told
    )


def _environment(config: Config, game: Game) -> EnvSpec:
    """What Minari makes an environment by: one seat of the game against the player, or a random one if it has no name
    that can be read."""
    spec = copy(gymnasium.spec(f"parlour/{gymnasium_name(game)}"))
    spec.kwargs = {**spec.kwargs, "variant": config.variant, **game.overrides_in(config.variant, config.options)}
    with suppress(ValueError):
        spec.kwargs["opponent"] = parse_player(config.player, game).name
    return spec


def _episode(own: Columns) -> dict[str, Any]:
    """What an episode consists of; ``own``: the plies of one seat of a game (T,)."""
    last = np.arange(len(own)) == len(own) - 1
    returns = own.returns.astype(np.float64)
    return {
        "observations": {
            "observation": own.observation[[*range(len(own)), -1]],
            "action_mask": _and_last(own.action_mask.astype(np.int8), np.zeros_like(own.action_mask[0], np.int8)),
        },
        "actions": own.played,
        "rewards": returns - np.append(returns[1:], 0),
        "terminations": last & ~own.truncated,
        "truncations": last & own.truncated,
        "infos": {
            "expert_action": _and_last(own.action, NO_ACTION),
            "value": _and_last(own.value, np.nan),
            "seat": _and_last(own.seat, own.seat[0]),
            "game": _and_last(own.game, own.game[0]),
        },
    }


def _and_last(array: NDArray[Any], last: Any) -> NDArray[Any]:
    """``array`` (T, …) with one more in the end, as Minari has it: (T + 1, …)."""
    return np.concatenate([array, np.asarray(last, array.dtype)[None]])


def _described(config: Config) -> str:
    by = f"Games of {config.player}" if config.player else "Recorded games"
    return (
        f"{by} at {config.game}, {config.variant}, by Parlour {config.parlour}: one episode for each seat of each "
        f"game. Share of random plies {config.noise:g}, seed {config.seed}, openings {config.openings!s:.200}. "
        "Actions are what was played, infos['expert_action'] what the player chose."
    )
