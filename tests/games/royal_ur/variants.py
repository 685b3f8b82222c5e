"""The variants as option values, typed from the rules, and combinations of the options, for the referee."""

from __future__ import annotations

from typing import Any

VARIANT_OPTIONS: dict[str, dict[str, Any]] = {
    "finkel": {},
    "masters": {"path": "masters", "safe_rosettes": False},
    "blitz": {"path": "masters", "men": 5, "safe_rosettes": False, "capture_throws": True},
    "aseb": {"path": "aseb", "men": 5},
}
PATHS = ("bell", "masters", "aseb", "murray", "skiriuk")
COMBINED: list[dict[str, Any]] = [
    {
        "path": path,
        "men": 1 + (3 * k + j) % 7,
        "dice": ("four", "three")[j % 2],
        "safe_rosettes": bool((k + j) % 2),
        "rosette_throws": bool((k + j // 2) % 2),
        "capture_throws": bool((k + j // 2 + j) % 2),
    }
    for k, path in enumerate(PATHS)
    for j in range(4)
]
"""Every path with both kinds of dice, each with both values of every flag."""
