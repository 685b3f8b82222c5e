"""Windows of human mode, and what pictures import."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import parlour
from parlour.interfaces.rendering import rasterise
from tests.support.games import begun
from tests.support.pictures import SWORDS, Pixels
from tests.support.processes import ROOT, run_python


def test_human_mode_shows_the_picture() -> None:
    import pygame

    env = parlour.make(SWORDS, render_mode="human")
    plain = parlour.make(SWORDS)
    env.metadata["render_fps"] = 1000
    for each in (env, plain):
        each.reset(seed=0)
    assert (screen() == rasterise(plain.svg())).all()  # reset and step show it by themselves
    for each in (env, plain):
        each.step(each.parse_move("e2-h2"))
    assert (screen() == rasterise(plain.svg())).all()
    assert env.render() is None
    assert pygame.display.get_caption()[0] == env.game.title
    twin = env.clone()  # a copy has no window until it shows something
    twin.close()
    assert pygame.display.get_surface() is not None
    env.close()
    assert not pygame.display.get_init()
    env.close()
    assert env.render() is None  # and opens it again
    assert (screen() == rasterise(plain.svg())).all()
    env.close()


def screen() -> Pixels:
    """What the window shows: (height, width, 3)."""
    import pygame

    surface = pygame.display.get_surface()
    assert surface is not None
    return np.asarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def test_human_mode_without_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = parlour.make(SWORDS, render_mode="human")
    with pytest.raises(ImportError, match=r"pygame.*pip install 'parlour\[human\]'"):
        env.reset(seed=0)
    env = begun(SWORDS, render_mode="rgb_array")
    assert env.render().dtype == np.uint8


def test_a_picture_needs_no_library_of_windows() -> None:
    code = f"import sys, parlour; env = parlour.make({SWORDS!r}, render_mode='rgb_array'); env.reset(); env.render()"
    done = run_python(f"{code}; print(*sys.modules)", ROOT)
    imported = set(done.stdout.split())
    assert "resvg_py" in imported, done.stderr
    assert not imported & {"pygame", "matplotlib"}
