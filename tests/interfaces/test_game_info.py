"""`parlour.info`: what a game is, as data, agrees with what its environments are."""

import pytest

import parlour
from parlour.interfaces.registry import find
from tests.toy_games import pig


@pytest.mark.parametrize("game", parlour.games())
def test_the_data_are_those_of_the_environment(game: str) -> None:
    for variant in parlour.variants(game):
        info, env = parlour.info(game, variant), parlour.make(game, variant=variant).unwrapped
        agent = env.possible_agents[0]
        assert (info.id, info.variant, info.variants) == (game, variant, tuple(parlour.variants(game)))
        assert info.seats == len(env.possible_agents) == len(info.seat_names)
        assert info.actions == env.action_space(agent).n
        assert info.shape == env.observation_space(agent)["observation"].shape
        assert info.planes == env.planes
        assert info.options == env.values
        assert info.chance == bool(env.game.rules.DICE)


def test_dice_are_told_with_their_weights() -> None:
    (die, *others) = parlour.info("royal_ur-v0").dice
    assert (die.faces, die.weights, len(others)) == ((0, 1), (1, 1), 3)
    assert parlour.info("checkers-v0").dice == ()


def test_ends_depend_on_the_options() -> None:
    assert "repetition" in parlour.info("agon-v0", repetition=3).ends
    assert "repetition" not in parlour.info("agon-v0", repetition=0).ends
    assert parlour.info("agon-v0", max_plies=9).ends[0] == "max_plies"
    assert "max_plies" not in parlour.info("agon-v0", max_plies=0).ends


def test_a_game_may_say_that_its_results_are_not_zero_sum() -> None:
    parlour.register(pig.__name__)
    assert not parlour.info("pig-v0").zero_sum
    assert parlour.info("agon-v0").zero_sum
    assert parlour.info("pig-v0", players=5).seat_names == tuple(map(find("pig-v0").seat_name, range(5)))


def test_the_number_of_seats_is_an_option() -> None:
    assert [parlour.info("crown_and_anchor-v0", players=count).seats for count in (2, 12)] == [2, 12]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("gomoku-v0",), "there is no game 'gomoku-v0'"), (("agon-v0", "bullet"), "bullet")],
)
def test_what_there_is_not_is_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parlour.info(*arguments)
