"""What all tests share: the toy game is registered, and no test opens a window or a sound device."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import parlour

parlour.register("tests.toy_games.pig")
