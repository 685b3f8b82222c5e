"""The variant `openspiel` beside that library's own game, at every ply of thousands of random games, without ever
setting one to the other's position: legal actions, seat, whether a jump goes on, board, rewards, draws."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.checkers.notation import MOVES, piece_letters
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import as_record
from tests.support.openspiel_moves import our_name, square_of

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

GAME = "checkers-v0"
GAMES = 2000 if COMPILED else 10
"""As many as take some fifteen seconds."""
SIDE_BY_SIDE = 250
BOARD_EVERY = 8
"""Plies between two comparisons of the whole board."""


def test_the_names_that_the_rules_give() -> None:
    assert our_name("g3h4") == "9-13"
    assert our_name("c3d4") == "11-15"


def action_table(game: Any) -> list[list[int]]:
    """[seat][their action]: ours; −1 for one that leads off the board."""
    state = game.new_initial_state()
    names = [state.action_to_string(0, action) for action in range(game.num_distinct_actions())]
    table: list[list[int]] = [[], []]
    for seat in (0, 1):
        for name in names:
            on_board = name[2:3] in tuple("abcdefgh") and name[3:] in tuple("12345678")
            table[seat].append(MOVES[seat].get(our_name(name), -1) if on_board else -1)
    return table


def their_letters(state: Any) -> list[str]:
    """Their board in our squares and letters."""
    rows = str(state).splitlines()[:8]
    letters = ["."] * 32
    for row in rows:
        for column, letter in enumerate(row[1:]):
            if letter != ".":
                letters[square_of("abcdefgh"[column] + row[0]) - 1] = {"o": "b", "8": "B", "+": "w", "*": "W"}[letter]
    return letters


def play_side_by_side(table: list[list[int]], game: Any, seed: int, counts: Counter[str]) -> None:
    """`SIDE_BY_SIDE` games, all of them one ply at a time."""
    batch = parlour.make_batch(GAME, SIDE_BY_SIDE, variant="openspiel", seed=seed, autoreset="disabled")
    seen, infos = batch.reset()
    theirs = [game.new_initial_state() for _ in range(SIDE_BY_SIDE)]
    rng = random.Random(seed)
    actions = np.full(SIDE_BY_SIDE, -1, np.int64)
    running = set(range(SIDE_BY_SIDE))
    ply = 0
    while running:
        ply += 1
        before = infos["to_act"].copy()
        masks = seen["action_mask"]
        for i in running:
            seat, legal = theirs[i].current_player(), theirs[i].legal_actions()
            assert before[i] == seat
            ours = {table[seat][action]: action for action in legal}
            assert sorted(ours) == masks[i].nonzero()[0].tolist(), str(theirs[i])
            action = rng.choice(legal)
            actions[i] = table[seat][action]
            theirs[i].apply_action(action)
        counts["plies"] += len(running)
        seen, rewards, terminated, truncated, infos = batch.step(actions)
        assert not truncated.any()
        for i in list(running):
            over = theirs[i].is_terminal()
            assert terminated[i] == over, str(theirs[i])
            if ply % BOARD_EVERY == 0 or over:
                assert piece_letters(as_record(batch.games.states, i)) == their_letters(theirs[i])
            if over:
                assert rewards[i].tolist() == theirs[i].returns()
                counts[f"{batch.games.ending(i)} {theirs[i].returns()}"] += 1
                running.remove(i)
                actions[i] = -1
            elif theirs[i].current_player() == before[i]:
                counts["jumps that go on"] += 1


def test_side_by_side_with_openspiel(counts: Counter[str]) -> None:
    game = pyspiel.load_game("checkers")
    table = action_table(game)
    for seed in range(-(-GAMES // SIDE_BY_SIDE)):
        play_side_by_side(table, game, seed, counts)
    for event in ("jumps that go on", "no_move [1.0, -1.0]", "no_move [-1.0, 1.0]", "no_progress [0.0, 0.0]"):
        assert counts[event], f"{event} never occurred"
