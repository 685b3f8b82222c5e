"""Wrappers: ``from parlour.wrappers import OpponentPool, VariantSelector``.

Each has a module of its own, which says at its head what the wrapper changes in observations, actions, rewards and
infos. A module is imported when one of its names is first asked for. `OpenSpielGame` needs ``parlour[openspiel]`` and
`StableBaselinesVecEnv`, `LegalActions` and `LegalActionsPolicy` Stable-Baselines3 and sb3-contrib, as in
``parlour[learn]``; without them the names are there, and using them raises ImportError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if __name__ != "parlour.wrappers":  # run from the repository's root, `import wrappers` would make every class twice
    raise ImportError("import parlour.wrappers, not wrappers")

from parlour.support.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.wrappers.both_seats import BothSeatsRollout as BothSeatsRollout
    from parlour.wrappers.discounted_win import BatchDiscountedWin as BatchDiscountedWin
    from parlour.wrappers.discounted_win import DiscountedWin as DiscountedWin
    from parlour.wrappers.event_reward import BatchEventReward as BatchEventReward
    from parlour.wrappers.event_reward import EventReward as EventReward
    from parlour.wrappers.features import BatchFeatures as BatchFeatures
    from parlour.wrappers.features import Features as Features
    from parlour.wrappers.flat_float32 import FlatFloat32 as FlatFloat32
    from parlour.wrappers.history_planes import HistoryPlanes as HistoryPlanes
    from parlour.wrappers.legal_actions import LegalActions as LegalActions
    from parlour.wrappers.legal_actions import LegalActionsPolicy as LegalActionsPolicy
    from parlour.wrappers.mask_in_info import MaskInInfo as MaskInInfo
    from parlour.wrappers.observations_key import ObservationsKey as ObservationsKey
    from parlour.wrappers.openspiel_game import OpenSpielGame as OpenSpielGame
    from parlour.wrappers.opponent_pool import OpponentPool as OpponentPool
    from parlour.wrappers.potential_shaping import BatchPotentialShaping as BatchPotentialShaping
    from parlour.wrappers.potential_shaping import PotentialShaping as PotentialShaping
    from parlour.wrappers.record_games import RecordGames as RecordGames
    from parlour.wrappers.self_play import SelfPlayEnv as SelfPlayEnv
    from parlour.wrappers.self_play_vector import SelfPlayVectorEnv as SelfPlayVectorEnv
    from parlour.wrappers.split_dice import SplitDice as SplitDice
    from parlour.wrappers.stable_baselines import StableBaselinesVecEnv as StableBaselinesVecEnv
    from parlour.wrappers.symmetry import Symmetry as Symmetry
    from parlour.wrappers.thermometer import BatchThermometer as BatchThermometer
    from parlour.wrappers.thermometer import Thermometer as Thermometer
    from parlour.wrappers.variant_selector import VariantSelector as VariantSelector

__all__, __getattr__, __dir__ = lazy_names(__name__)
