"""Learning to play by self-play, on the compiled engine and without PyTorch: see `parlour.learn.td_lambda`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.learn.td_lambda import Round, Settings, TDLambda

__all__ = ["Round", "Settings", "TDLambda"]

__getattr__ = lazy_names(__name__, dict.fromkeys(__all__, "td_lambda"))
