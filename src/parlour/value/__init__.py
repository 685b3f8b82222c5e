"""Small value networks inside compiled search: what they see, their files, how they value positions and play.

The modules are imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.value.evaluator import Evaluator
    from parlour.value.files import load, save
    from parlour.value.network import ValueNetwork, new_network

__all__ = ["Evaluator", "ValueNetwork", "load", "new_network", "save"]

__getattr__ = lazy_names(
    __name__,
    {
        "Evaluator": "evaluator",
        "ValueNetwork": "network",
        "load": "files",
        "new_network": "network",
        "save": "files",
    },
)
