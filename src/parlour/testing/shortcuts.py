"""Checks of the optional kernels that make searches faster: they must agree with `legal`."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.chance import STREAM
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.state_records import records
from parlour.testing.comparing import require_same
from parlour.testing.subject import Subject

PLIES, DRAWS = 40, 4


def check_shortcuts(subject: Subject) -> None:
    """If the rules have them: ``moves`` lists the actions that ``legal`` allows, and ``draw_legal`` draws the same
    action as a draw from the mask."""
    for seed in range(subject.games):
        for env in subject.play(seed, PLIES):
            if env.is_over():
                break
            games, rules = env.games, env.game.rules
            state, variant = games.states[0], games.variants[0]
            games.observe()
            if hasattr(rules, "moves"):
                actions = np.full(games.layout.actions, -1, np.int32)
                count = rules.moves(state, variant, actions)
                legal = np.flatnonzero(games.action_mask[0]).tolist()
                require_same("the actions that moves() lists", sorted(actions[:count].tolist()), legal)
            if hasattr(rules, "draw_legal"):
                stream, other = records(1, STREAM), records(1, STREAM)
                for draw in range(DRAWS):
                    stream["counter"] = other["counter"] = DRAWS * int(state["plies"]) + draw
                    words = games.words[0]
                    expected = random_legal(words, count_legal(words), other[0])
                    require_same(
                        "the action that draw_legal() draws", rules.draw_legal(state, variant, stream[0]), expected
                    )
                    require_same("the stream after draw_legal()", int(stream["counter"][0]), int(other["counter"][0]))
