"""The players of a comparison for which no players are named."""

from __future__ import annotations

import pytest

from parlour.arena.setting.rulesets import read_rulesets
from parlour.arena.study.plans import WITHOUT_CHAMPION, default_player, plan_comparison
from parlour.interfaces.registry import find


@pytest.mark.parametrize(
    ("game", "variant", "player"),
    [
        ("checkers-v0", {}, "champion:2"),
        ("checkers-v0", {"repetition": 4, "max_plies": 90}, "champion:2"),  # which no network looks at
        ("acey_ducey-v0", {}, "champion"),  # dice
        ("swords_and_shields-v0", {"throne_hostile": "all"}, WITHOUT_CHAMPION),  # rules that it has not learnt
        ("pig-v0", {}, WITHOUT_CHAMPION),  # a game without a champion
    ],
)
def test_the_champion_plays_by_default_where_it_can(game: str, variant: dict[str, object], player: str) -> None:
    found = find(game)
    assert default_player(found, read_rulesets(found, [variant], {})) == player
    assert plan_comparison(game, [variant], None, None, 4, 0, {}).players == (player,)
