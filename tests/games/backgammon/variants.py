"""The variants as option values, typed from the rules, and other combinations, for the referee."""

from __future__ import annotations

from itertools import product
from typing import Any

VARIANT_OPTIONS: dict[str, dict[str, Any]] = {
    "standard": {},
    "nackgammon": {"setup": "nackgammon"},
    "hyper": {"setup": "hyper", "gammons": "single"},
}
COMBINED: list[dict[str, Any]] = [
    {"setup": setup, "gammons": gammons, "opening": opening}
    for setup, gammons, opening in product(
        ("standard", "nackgammon", "hyper"), ("counted", "single"), ("single_die", "throw")
    )
]
"""Every combination of the options."""
