"""Checks with players: every built-in player and search can play the game, and recorded games can be verified."""

from __future__ import annotations

from parlour.players import parse_player
from parlour.players.simulate import Results, game_seeds, play_games
from parlour.records.replaying import record_game, replay
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject

SEARCHES = ("mcts:8", "expectimax:1")
GAMES, LIMIT = 6, 30
RESULTS = ("returns", "truncated", "plies", "choices", "forced", "ends", "lead_changes", "events")


def check_players(subject: Subject) -> None:
    """Every built-in player, those of this game alone too, and two searches play legal games to the end, and the same
    games for any number of rows and threads."""
    seeds = game_seeds(21, GAMES)
    for name in ("random", "greedy", *subject.game.own_players, *SEARCHES):
        reference = _play(subject, name, seeds, 1)
        require(reference.plies.min() > 0, f"a game of {name} has no plies")
        for threads, rows in ((3, seeds), (1, seeds[:1])):
            results = _play(subject, name, rows, threads)
            for field in RESULTS:
                what = f"{field} of {len(rows)} games of {name} on {threads} threads"
                require_same(what, getattr(results, field).tolist(), getattr(reference, field)[: len(rows)].tolist())


def _play(subject: Subject, name: str, seeds: list[int], threads: int) -> Results:
    game = subject.game
    values = game.resolve(subject.variant, {"max_plies": LIMIT})[1]
    players = [parse_player(name, game)] * game.layout(values).seats
    return play_games(game, values, players, seeds, threads, scored=True)


def check_records(subject: Subject) -> None:
    """Games of `greedy` against `random` can be recorded, and verified by a replay."""
    env = subject.make(max_plies=150)
    seats = len(env.possible_agents)
    players = [parse_player(("greedy", "random")[seat % 2], subject.game) for seat in range(seats)]
    for seed in game_seeds(9, min(subject.games, 4)):
        subject.watch(env, seed)
        record = record_game(env, players, seed)
        positions = sum(1 for _ in replay(record, "the recorded game"))
        require_same("the number of positions of a replayed game", positions, len(record.moves) + 1)
