"""Objects that play in their own arrays, and so are always copied whole."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

Self = TypeVar("Self", bound="CopiedWhole")


class CopiedWhole:
    """``copy.copy`` of an instance is ``copy.deepcopy``: two that shared a position would be two games in one."""

    def __copy__(self: Self) -> Self:
        return deepcopy(self)
