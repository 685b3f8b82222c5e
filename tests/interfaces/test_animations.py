"""Animated pictures of games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from parlour.interfaces.rendering import rasterise
from parlour.records.animation import ANIMATION_WIDTH, write_animation
from tests.support.pictures import START, at


def test_animation(tmp_path: Path) -> None:
    env = at(f"{START} s")
    pictures = [env.svg()]
    for move in ("d9-d6", "f5-f3", "e2-b2"):
        env.step(env.parse_move(move))
        pictures.append(env.svg())
    path = tmp_path / "game.gif"
    write_animation(path, pictures, seconds=0.25)
    rasters = [rasterise(picture, ANIMATION_WIDTH).astype(int) for picture in pictures]
    with Image.open(path) as film:
        assert film.format == "GIF"
        assert film.n_frames == 4  # type: ignore[attr-defined]
        assert film.info["loop"] == 0
        for frame in range(4):
            film.seek(frame)
            assert film.info["duration"] == (750 if frame == 3 else 250)
            expected = rasters[frame]
            shown = np.asarray(film.convert("RGB")).astype(int)
            assert shown.shape == expected.shape
            assert shown.shape[1] == ANIMATION_WIDTH
            assert np.abs(shown - expected).mean() < 6  # no more than the palette takes
            others = rasters[:frame] + rasters[frame + 1 :]
            assert all(np.abs(shown - expected).mean() < np.abs(shown - other).mean() for other in others)


def test_an_animation_shows_equal_pictures_as_long_as_they_last(tmp_path: Path) -> None:
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0H{}V20H0Z"/></svg>'
    pictures = [square.format(width) for width in (10, 10, 20, 30, 30, 30)]
    path = tmp_path / "game.gif"
    write_animation(path, pictures, seconds=0.5)
    with Image.open(path) as film:
        durations = []
        for frame in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(frame)
            durations.append(film.info["duration"])
    assert sum(durations) == 5 * 500 + 1500
    write_animation(path, pictures[:1])
    with Image.open(path) as film:
        assert film.size == (ANIMATION_WIDTH, ANIMATION_WIDTH // 2)
