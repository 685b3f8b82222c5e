"""Wrappers: ``from parlour.wrappers import OpponentPool, VariantSelector``.

Each has a module of its own, which says at its head what the wrapper changes in observations, actions, rewards and
infos. A module is imported when one of its names is first asked for. `OpenSpielGame` needs OpenSpiel, and
`StableBaselinesVecEnv` needs Stable-Baselines3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if __name__ != "parlour.wrappers":  # run from the repository's root, `import wrappers` would make every class twice
    raise ImportError("import parlour.wrappers, not wrappers")

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.wrappers.both_seats import BothSeatsRollout
    from parlour.wrappers.discounted_win import BatchDiscountedWin, DiscountedWin
    from parlour.wrappers.event_reward import BatchEventReward, EventReward
    from parlour.wrappers.factored_actions import FactoredActions
    from parlour.wrappers.flat_float32 import FlatFloat32
    from parlour.wrappers.history_planes import HistoryPlanes
    from parlour.wrappers.mask_in_info import MaskInInfo
    from parlour.wrappers.observations_key import ObservationsKey
    from parlour.wrappers.openspiel_game import OpenSpielGame
    from parlour.wrappers.opponent_pool import OpponentPool
    from parlour.wrappers.potential_shaping import BatchPotentialShaping, PotentialShaping
    from parlour.wrappers.record_games import RecordGames
    from parlour.wrappers.self_play import SelfPlayEnv
    from parlour.wrappers.self_play_vector import SelfPlayVectorEnv
    from parlour.wrappers.split_dice import SplitDice
    from parlour.wrappers.stable_baselines import StableBaselinesVecEnv
    from parlour.wrappers.symmetry import Symmetry
    from parlour.wrappers.turn_based_parallel import TurnBasedParallel
    from parlour.wrappers.variant_selector import VariantSelector
    from parlour.wrappers.win_warning import WinWarning

__all__ = [
    "BatchDiscountedWin",
    "BatchEventReward",
    "BatchPotentialShaping",
    "BothSeatsRollout",
    "DiscountedWin",
    "EventReward",
    "FactoredActions",
    "FlatFloat32",
    "HistoryPlanes",
    "MaskInInfo",
    "ObservationsKey",
    "OpenSpielGame",
    "OpponentPool",
    "PotentialShaping",
    "RecordGames",
    "SelfPlayEnv",
    "SelfPlayVectorEnv",
    "SplitDice",
    "StableBaselinesVecEnv",
    "Symmetry",
    "TurnBasedParallel",
    "VariantSelector",
    "WinWarning",
]

__getattr__ = lazy_names(
    __name__,
    {
        "BatchDiscountedWin": "discounted_win",
        "BatchEventReward": "event_reward",
        "BatchPotentialShaping": "potential_shaping",
        "BothSeatsRollout": "both_seats",
        "DiscountedWin": "discounted_win",
        "EventReward": "event_reward",
        "FactoredActions": "factored_actions",
        "FlatFloat32": "flat_float32",
        "HistoryPlanes": "history_planes",
        "MaskInInfo": "mask_in_info",
        "ObservationsKey": "observations_key",
        "OpenSpielGame": "openspiel_game",
        "OpponentPool": "opponent_pool",
        "PotentialShaping": "potential_shaping",
        "RecordGames": "record_games",
        "SelfPlayEnv": "self_play",
        "SelfPlayVectorEnv": "self_play_vector",
        "SplitDice": "split_dice",
        "StableBaselinesVecEnv": "stable_baselines",
        "Symmetry": "symmetry",
        "TurnBasedParallel": "turn_based_parallel",
        "VariantSelector": "variant_selector",
        "WinWarning": "win_warning",
    },
)
