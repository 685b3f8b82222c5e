"""Animated pictures of games.

A rasteriser takes most of its time for what doesn't change from frame to frame. So each shape of the pictures is
painted once, no larger than it is, and frames are put together from these: about six times as fast.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from parlour.files import replacing
from parlour.replays.pictures import Picture, take_apart

ANIMATION_WIDTH = 480
"""Pixels."""
ROUGH = 8
"""Pixels of the frame, in each direction, for one pixel of the rough picture in which shapes are found."""
COLOURS = 128


class Sprite(NamedTuple):
    """A painted shape, and where its upper left corner is in the frame, in pixels."""

    image: Any
    left: int
    top: int


class Painter:
    """Paints frames of pictures of one size."""

    def __init__(self, first: Picture) -> None:
        """``first``: a picture of that size."""
        self.scale = ANIMATION_WIDTH / first.width
        self.size = ANIMATION_WIDTH, max(round(first.height * self.scale), 1)
        self._sprites: dict[tuple[str, str], Sprite | None] = {}

    def frame(self, picture: Picture, ground: Any, skipped: int) -> Any:
        """``ground`` with the picture's shapes on it, the first ``skipped`` left out. PIL's RGB image."""
        image = ground.copy()
        for shape in picture.shapes[skipped:]:
            sprite = self._sprite(picture.definitions, shape)
            if sprite is not None:
                image.alpha_composite(sprite.image, (sprite.left, sprite.top))
        return image

    def ground(self, picture: Picture, count: int) -> Any:
        """A white frame with the first ``count`` shapes on it. PIL's RGBA image."""
        width, height = self.size
        box = (0.0, 0.0, picture.width, picture.height)
        shapes = "".join(picture.shapes[:count])
        return _paint(picture.definitions + shapes, box, width, "white").crop((0, 0, width, height))

    def _sprite(self, definitions: str, shape: str) -> Sprite | None:
        """The shape, painted when it is first asked for; None for one that shows nothing."""
        key = definitions, shape
        if key not in self._sprites:
            self._sprites[key] = self._painted(definitions + shape)
        return self._sprites[key]

    def _painted(self, content: str) -> Sprite | None:
        columns = -(-self.size[0] // ROUGH)
        step = ROUGH / self.scale  # what a pixel of the rough picture covers, in the picture's own measure
        rough = _paint(content, (0.0, 0.0, columns * step, -(-self.size[1] // ROUGH) * step), columns, None)
        found = rough.getchannel("A").getbbox()
        if found is None:
            return None
        left, top, right, bottom = max(found[0] - 1, 0), max(found[1] - 1, 0), found[2] + 1, found[3] + 1
        width, height = (right - left) * ROUGH, (bottom - top) * ROUGH
        fine = _paint(content, (left * step, top * step, (right - left) * step, (bottom - top) * step), width, None)
        image = fine.crop((0, 0, min(width, self.size[0] - left * ROUGH), min(height, self.size[1] - top * ROUGH)))
        return Sprite(image, left * ROUGH, top * ROUGH)


def _paint(content: str, box: tuple[float, float, float, float], width: int, background: str | None) -> Any:
    """What of ``content`` lies in ``box`` (left, top, width, height) as PIL's RGBA image, ``width`` pixels wide."""
    import resvg_py
    from PIL import Image

    size = f'width="{box[2]}" height="{box[3]}" viewBox="{box[0]} {box[1]} {box[2]} {box[3]}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, background=background, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _first_in_common(parts: Sequence[Picture]) -> int:
    """How many of their first shapes all pictures have in common."""
    if any(part.definitions != parts[0].definitions for part in parts):
        return 0
    count = 0
    for shapes in zip(*(part.shapes for part in parts)):
        if len(set(shapes)) > 1:
            break
        count += 1
    return count


def write_animation(path: Path, pictures: Sequence[str], seconds: float = 0.6) -> None:
    """Writes SVGs of one size as an animated GIF, each shown for ``seconds``, the last three times as long."""
    from PIL import Image

    parts = [take_apart(picture) for picture in pictures]
    still_shapes = _first_in_common(parts)
    painter = Painter(parts[0])
    ground = painter.ground(parts[0], still_shapes)
    frames = [painter.frame(part, ground, still_shapes).convert("RGB") for part in parts]
    palette = frames[-1].quantize(COLOURS)  # one palette for all, so that still parts stay the same in all frames
    still = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    milliseconds = [int(1000 * seconds)] * (len(still) - 1) + [int(3000 * seconds)]
    with replacing(path) as fresh:
        still[0].save(fresh, save_all=True, append_images=still[1:], duration=milliseconds, loop=0, optimize=True)
