"""Small value networks inside compiled search: what they see, their files, how they value positions and play.

The modules are imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.support.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.players.value.evaluator import Evaluator as Evaluator
    from parlour.players.value.files import load as load
    from parlour.players.value.files import save as save
    from parlour.players.value.network import ValueNetwork as ValueNetwork
    from parlour.players.value.network import new_network as new_network

__all__, __getattr__, __dir__ = lazy_names(__name__)
