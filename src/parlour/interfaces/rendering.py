"""Pictures of states: each game draws itself as SVG and as text; this module turns the SVG into pixels and windows."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.rulebook.protocol import Drawing, Record

RENDER_MODES = ("rgb_array", "human", "ansi", "svg")


def svg(game: Game, state: Record, variant: Record) -> str:
    """The picture of a state as SVG."""
    drawing: Drawing = game.drawing
    return drawing.svg(state, variant)


def ansi(game: Game, state: Record, variant: Record) -> str:
    """The picture of a state as text."""
    drawing: Drawing = game.drawing
    return drawing.ansi(state, variant)


def rasterise(picture: str, width: int | None = None) -> NDArray[np.uint8]:
    """An SVG as pixels: uint8 (height, width, 3). ``width`` None is the picture's own."""
    import resvg_py
    from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width, background="white", skip_system_fonts=True))
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))


class Window:
    """A pygame window that shows one picture after another."""

    def __init__(self, title: str) -> None:
        """Opens no window yet. ImportError, which says what to install, if pygame is missing."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError:
            raise ImportError("render_mode='human' needs pygame: python -m pip install 'parlour[human]'") from None
        self._pygame: Any = pygame
        self._title = title
        self._screen: Any = None

    def show(self, pixels: NDArray[np.uint8], frames_a_second: int) -> None:
        """Shows ``pixels`` (height, width, 3), not faster than ``frames_a_second``."""
        pygame = self._pygame
        size = pixels.shape[1], pixels.shape[0]
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode(size)
            self._clock = pygame.time.Clock()
        self._screen.blit(pygame.image.frombuffer(np.ascontiguousarray(pixels).tobytes(), size, "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(frames_a_second)

    def close(self) -> None:
        """Closes the window."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
