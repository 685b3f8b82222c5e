"""PettingZoo's own tests."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout

from pettingzoo.test import api_test, render_test, seed_test

from parlour.interfaces.aec import ILLEGAL_MOVE, GameEnv
from parlour.interfaces.registry import make
from parlour.testing.subject import Subject

CYCLES = 200


def _environment(subject: Subject, illegal_move: str, render_mode: str | None = None) -> GameEnv:
    env = make(subject.game.id, variant=subject.variant, illegal_move=illegal_move, render_mode=render_mode)
    env.metadata["render_modes"] = ["rgb_array", "ansi", "svg"]  # no window
    return env


def check_pettingzoo_api(subject: Subject) -> None:
    """PettingZoo's api_test."""
    for illegal_move in ILLEGAL_MOVE:
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Observation")  # warnings about unusual kinds of observation spaces
            api_test(_environment(subject, illegal_move), num_cycles=CYCLES)


def check_pettingzoo_seed(subject: Subject) -> None:
    """PettingZoo's seed_test: the same seed gives the same game."""
    for illegal_move in ILLEGAL_MOVE:
        with redirect_stdout(io.StringIO()):
            seed_test(lambda mode=illegal_move: _environment(subject, mode), num_cycles=CYCLES)


def check_pettingzoo_render(subject: Subject) -> None:
    """PettingZoo's render_test."""
    with redirect_stdout(io.StringIO()):
        render_test(lambda render_mode: _environment(subject, "raise", render_mode))
