"""Whether somebody wins who always plays the first move of the hint.

    python benchmarks/hints.py --game checkers-v0 --rung beginner --rung easy --games 40
    python benchmarks/hints.py --game crown_and_anchor-v0 -o rounds=10 --games 40  # a short game: a hint takes seconds

The hints are those of `parlour serve` and `parlour play`. The opponents are the six for people, such as ``beginner``,
or any player by name. The two take the seats by turns. For each opponent the command prints the share of games that the
follower of hints wins, with its 95 % interval, and how many are drawn or cut off. Games of more than two seats have
the opponent in all others, and a win is to have got the most alone.
"""

from __future__ import annotations

import click
import numpy as np
from peers import show, table
from rich.progress import track

from parlour.arena.setting.ladder import grades
from parlour.arena.statistics import share
from parlour.cli.common import parse_values, values_option
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player
from parlour.players.people.advice import advise, adviser


def play(env: GameEnv, opponent: Player, seat: int, seed: int) -> int:
    """Plays a game with hints in ``seat``: 1 if that seat wins alone, −1 if another does, 0 if nobody does."""
    env.reset(seed=seed)
    returns = np.zeros(len(env.possible_agents))
    hints = adviser(env, [opponent])
    while not env.is_over():
        if env.possible_agents.index(env.agent_selection) == seat:
            thought = advise(env, hints)
            assert thought is not None
            action = env.parse_move(thought.moves[0][0])
        else:
            action = env.ask(opponent)
        env.step(action)
        returns += list(env.rewards.values())
    best = np.flatnonzero(returns == returns.max())
    return 0 if len(best) > 1 else 1 if best[0] == seat else -1


@click.command()
@click.option("--game", "name", default="checkers-v0", show_default=True)
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: the game's first.")
@click.option("--rung", "rungs", multiple=True, default=("beginner", "easy"), show_default=True, help="Repeatable.")
@click.option("--games", default=40, show_default=True, help="Games against each opponent.")
@click.option("--seed", default=1, show_default=True)
@values_option
def main(
    name: str, variants: tuple[str, ...], rungs: tuple[str, ...], games: int, seed: int, overrides: tuple[str, ...]
) -> None:
    """Prints how often somebody wins who plays what the hints say."""
    game = find(name)
    values = parse_values(game, overrides)
    title = f"{game.title}: every hint taken"
    grid = table(title, "variant", "opponent", "hints by", "games", "won", "95 %", "nobody")
    for variant in variants or (game.variants[0].name,):
        named = {grade.name: grade.player for grade in grades(game, variant)[0]}
        for rung in rungs:
            opponent = parse_player(named.get(rung, rung), game)
            env = GameEnv(game, variant, values, None, "raise")
            hints = adviser(env, [opponent]).name
            seats = len(env.possible_agents)
            results = [
                play(env, opponent, k % seats, seed + k // seats)
                for k in track(range(games), f"{variant}, {rung}", transient=True)
            ]
            won = share([result > 0 for result in results])
            ends = f"{won.low:.2f} to {won.high:.2f}"
            words = f"{rung} ({opponent.name})" if rung in named else rung
            grid.add_row(variant, words, hints, str(games), f"{won.value:.2f}", ends, str(results.count(0)))
    show(grid)


if __name__ == "__main__":
    main()
