"""Data sets in Minari's form: one episode for each seat of each game, as single-agent learners take them."""

from __future__ import annotations

from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.interfaces.game_record import VERSION
from parlour.interfaces.registry import find, gymnasium_name
from parlour.learn.datasets.columns import Columns, Config
from parlour.players.inputs import PLANES, inputs_space

NO_ACTION = -1


def check_new(dataset_id: str) -> None:
    """Checks that a data set can be written under an id. ValueError for an id that is not valid, or exists already;
    ImportError without Minari."""
    try:
        from minari.dataset.minari_dataset import parse_dataset_id
        from minari.storage.datasets_root_dir import get_dataset_path
    except ImportError as error:
        raise ImportError(
            "Minari's format needs minari: python -m pip install 'parlour[minari]'", name=error.name
        ) from None
    try:
        parse_dataset_id(dataset_id)
    except (ValueError, TypeError):  # the latter for an id without a version
        raise ValueError(
            f"{dataset_id!r} is no id of a Minari data set, such as acey_ducey/champion-v0; folders are written no more"
        ) from None
    if get_dataset_path(dataset_id).exists():
        raise ValueError(f"the data set {dataset_id!r} already exists in {get_dataset_path()}; give another version")


def to_minari(dataset_id: str, config: Config, columns: Columns, **metadata: Any) -> Any:
    """Writes a data set into Minari's folder. See `parlour.learn.datasets.Dataset.to_minari`."""
    check_new(dataset_id)
    from minari.data_collector import EpisodeBuffer
    from minari.utils import create_dataset_from_buffers

    game = find(config.game)
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
    details = {"algorithm_name": config.player or "recorded games", "description": _description(config), **metadata}
    return create_dataset_from_buffers(
        dataset_id,
        buffers,
        env,
        env,
        observation_space=space,
        action_space=spaces.Discrete(layout.actions),
        **details,
    )


def _environment(config: Config, game: Game) -> EnvSpec:
    """The spec from which Minari makes an environment: one seat of the game, against the default opponent. It does not
    name the data set's player, since a data set may come from others, and the name of a player can import a module."""
    spec = copy(gymnasium.spec(f"parlour/{gymnasium_name(game)}"))
    spec.kwargs = {**spec.kwargs, "variant": config.variant, **game.overrides_in(config.variant, config.options)}
    return spec


def _episode(columns: Columns) -> dict[str, Any]:
    """The arguments of an ``EpisodeBuffer``. ``columns``: the T plies of one seat of a game."""
    last = np.arange(len(columns)) == len(columns) - 1
    returns = columns.returns.astype(np.float64)
    return {
        "observations": {
            "observation": columns.observation[[*range(len(columns)), -1]],
            "action_mask": _and_last(
                columns.action_mask.astype(np.int8), np.zeros_like(columns.action_mask[0], np.int8)
            ),
        },
        "actions": columns.played,
        "rewards": returns - np.append(returns[1:], 0),
        "terminations": last & ~columns.truncated,
        "truncations": last & columns.truncated,
        "infos": {
            "expert_action": _and_last(columns.action, NO_ACTION),
            "value": _and_last(columns.value, np.nan),
            "seat": _and_last(columns.seat, columns.seat[0]),
            "game": _and_last(columns.game, columns.game[0]),
        },
    }


def _and_last(array: NDArray[Any], last: Any) -> NDArray[Any]:
    """``array`` (T, …) with ``last`` appended, as Minari wants it: (T + 1, …)."""
    return np.concatenate([array, np.asarray(last, array.dtype)[None]])


def _description(config: Config) -> str:
    by = f"Games of {config.player}" if config.player else "Recorded games"
    return (
        f"{by} at {config.game}, {config.variant}, by Parlour {VERSION}: one episode for each seat of each "
        f"game. Share of random plies {config.noise:g}, seed {config.seed}, openings {config.openings!s:.200}. "
        "Actions are what was played, infos['expert_action'] what the player chose."
    )
