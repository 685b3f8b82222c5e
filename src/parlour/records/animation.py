"""Animated GIFs of games.

Most of a frame is the same as in the frame before, and rasterising it again would take most of the time. So each shape
of the pictures is rasterised once, in its bounding box, and frames are composed of these: about six times as fast.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from parlour.records.pictures import Picture, take_apart
from parlour.support.files import replacing

ANIMATION_WIDTH = 480
"""The width of a frame in pixels."""
ROUGH = 8
"""How many pixels in each direction one of the rough picture covers, in which shapes' bounding boxes are found."""
COLOURS = 128
"""How many colours an animation has."""
USUAL, LEAST, WHOLE, PAUSE = 600, 60, 25_000, 1800
"""Milliseconds: of a frame, usually; its least; of all frames together; of the last frame."""


class Sprite(NamedTuple):
    """A rasterised shape, and the position of its upper left corner in the frame, in pixels."""

    image: Any
    left: int
    top: int


class Painter:
    """Paints frames of pictures of one size."""

    def __init__(self, first: Picture) -> None:
        self.scale = ANIMATION_WIDTH / first.width
        self.size = ANIMATION_WIDTH, max(round(first.height * self.scale), 1)
        self._sprites: dict[tuple[str, str], Sprite | None] = {}

    def frame(self, picture: Picture, ground: Any, skipped: int) -> Any:
        """``ground`` with the picture's shapes on it, without the first ``skipped``. A PIL image in RGBA."""
        image = ground.copy()
        for shape in picture.shapes[skipped:]:
            sprite = self._sprite(picture.definitions, shape)
            if sprite is not None:
                image.alpha_composite(sprite.image, (sprite.left, sprite.top))
        return image

    def ground(self, picture: Picture, count: int) -> Any:
        """A white frame with the first ``count`` shapes on it. A PIL image in RGBA."""
        width, height = self.size
        box = (0.0, 0.0, picture.width, picture.height)
        shapes = "".join(picture.shapes[:count])
        return _paint(picture.definitions + shapes, box, width, "white").crop((0, 0, width, height))

    def _sprite(self, definitions: str, shape: str) -> Sprite | None:
        """The rasterised shape; None for a shape without visible pixels. Each shape is rasterised once."""
        key = definitions, shape
        if key not in self._sprites:
            self._sprites[key] = self._painted(definitions + shape)
        return self._sprites[key]

    def _painted(self, content: str) -> Sprite | None:
        columns = -(-self.size[0] // ROUGH)
        step = ROUGH / self.scale  # the size of a pixel of the rough picture, in units of the SVG
        rough = _paint(content, (0.0, 0.0, columns * step, -(-self.size[1] // ROUGH) * step), columns, None)
        box = rough.getchannel("A").getbbox()
        if box is None:
            return None
        left, top, right, bottom = max(box[0] - 1, 0), max(box[1] - 1, 0), box[2] + 1, box[3] + 1
        width, height = (right - left) * ROUGH, (bottom - top) * ROUGH
        fine = _paint(content, (left * step, top * step, (right - left) * step, (bottom - top) * step), width, None)
        image = fine.crop((0, 0, min(width, self.size[0] - left * ROUGH), min(height, self.size[1] - top * ROUGH)))
        return Sprite(image, left * ROUGH, top * ROUGH)


def _paint(content: str, box: tuple[float, float, float, float], width: int, background: str | None) -> Any:
    """The part of ``content`` within ``box`` (left, top, width, height), as a PIL image in RGBA, ``width`` wide."""
    import resvg_py
    from PIL import Image

    size = f'width="{box[2]}" height="{box[3]}" viewBox="{box[0]} {box[1]} {box[2]} {box[3]}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, background=background, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _first_in_common(parts: Sequence[Picture]) -> int:
    if any(part.definitions != parts[0].definitions for part in parts):
        return 0
    count = 0
    for shapes in zip(*(part.shapes for part in parts)):
        if len(set(shapes)) > 1:
            break
        count += 1
    return count


def frame_milliseconds(count: int) -> int:
    """How long each of ``count`` frames is shown: `USUAL`, less in a long game, so that it is over within `WHOLE`, but
    never less than `LEAST`. GIFs count in hundredths of a second."""
    return min(USUAL, max(LEAST, WHOLE // count // 10 * 10))


def write_animation(path: Path, pictures: Sequence[str], seconds: float | None = None) -> None:
    """Writes SVGs of one size as an animated GIF.

    ``seconds``: how long each is shown, the last one three times as long; None: see `frame_milliseconds`, and `PAUSE`
    for the last.
    """
    from PIL import Image

    parts = [take_apart(picture) for picture in pictures]
    common = _first_in_common(parts)
    painter = Painter(parts[0])
    ground = painter.ground(parts[0], common)
    frames = [painter.frame(part, ground, common).convert("RGB") for part in parts]
    palette = frames[-1].quantize(COLOURS)  # one palette, so that still parts keep their colours
    images = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    each, last = frame_milliseconds(len(images)), PAUSE
    if seconds is not None:
        each, last = int(1000 * seconds), int(3000 * seconds)
    milliseconds = [each] * (len(images) - 1) + [last]
    with replacing(path) as fresh:
        images[0].save(fresh, save_all=True, append_images=images[1:], duration=milliseconds, loop=0, optimize=True)
