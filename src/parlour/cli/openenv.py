"""``openenv``: a game in words as an OpenEnv server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import click

from parlour.cli.common import complete_players, console, game_argument, parse_values, variant_option
from parlour.cli.serve import address_of, host_option, listening
from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag
from parlour.text import TextGame

THREADS = 2
"""Games are played in so many threads: more of them would only take turns, and hold up the event loop."""

PAGE_POLICY = "frame-ancestors 'none'"
"""OpenEnv's pages bring scripts and styles of their own, which a policy of ours would stop."""

IN_WORDS = (
    Choice("illegal", ("retry:2",), "what an illegal reply brings: retry:K, penalty:X, forfeit or random"),
    Choice("view", ("board",), "how messages show the position: board, list or text"),
    Flag("legal_moves", "whether they list the legal moves: true or false", True),
    Choice("seat", ("random",), "the model's: a number, a name or random"),
)
"""Arguments of `TextGame`, which checks them."""


@click.command()
@game_argument
@variant_option
@click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE",
    help="Option value that replaces that of the variant, or how the game is put in words: "
    f"{'; '.join(f'{option.name}, {option.meaning}' for option in IN_WORDS)}. Repeatable.",
)  # fmt: skip
@click.option("--opponent", default="greedy", shell_complete=complete_players, help="The other seats' player.")
@click.option("--judge", help="A player that values positions, for value_lost and --reward shaped.")
@click.option("--reward", default="result", help="result or shaped.")
@host_option
@click.option("--port", type=click.IntRange(1, 65535), default=8000, help="Port to listen on.")
@click.option("--sessions", type=click.IntRange(1, 10_000), default=256, help="Sessions at once.")
@click.option(
    "--share", type=click.IntRange(1, 10_000),
    help="Sessions that one client address may hold; three quarters of --sessions by default.",
)  # fmt: skip
@click.option(
    "--idle", type=click.FloatRange(0, min_open=True), default=5.0,
    help="Minutes without a request after which a session without a web socket ends.",
)  # fmt: skip
@click.option("--web", is_flag=True, help="Also OpenEnv's own page, at /web.")
def openenv(
    game: Game, overrides: Sequence[str], host: str, port: int, sessions: int, share: int | None, idle: float,
    web: bool, **settings: object,
) -> None:  # fmt: skip
    """Serves GAME in words to clients of OpenEnv: each session plays a game of its own.

    By default only this machine can connect (see --host).
    """
    try:
        from parlour.serve.running import run
        from parlour.serve.security import HEADERS, Guarded
        from parlour.text.adapters.openenv import make_app
        from parlour.text.adapters.shares import SessionShares
    except ImportError as error:
        needs = f"parlour openenv needs {error.name}: python -m pip install 'parlour[openenv]'"
        raise click.ClickException(needs) from None
    from parlour.serve.settings import Settings

    make_game = game_maker(game, overrides, **settings)
    served = Settings(Path(), host, port)
    app = make_app(make_game, sessions, ThreadPoolExecutor(THREADS, "parlour-openenv"), web, 60 * idle)
    ended = 60 * idle + max(15 * idle, 5.0)  # seconds: OpenEnv ends idle sessions each quarter of that time
    shared = SessionShares(app, share or sessions - sessions // 4, ended)
    guarded = Guarded(shared, served, programs=True, headers={**HEADERS, "Content-Security-Policy": PAGE_POLICY})
    sockets = listening(host, port)
    screen = console()
    if not served.is_local:
        screen.print(
            f"Warning: other machines can connect to {host}, and use this machine's processor.", soft_wrap=True
        )
    screen.print(f"{address_of(host, port)}  (Ctrl-C stops the server)", soft_wrap=True)
    run(guarded, sockets)


def game_maker(game: Game, overrides: Sequence[str], **settings: object) -> Callable[[], TextGame]:
    """A function that makes games in words. A first one is begun at once, which compiles the rules. ValueError for
    settings that are not valid."""
    values = parse_values(game, overrides, IN_WORDS)
    seat = str(values.get("seat"))
    if seat.isdecimal():
        values["seat"] = int(seat)
    make = partial(TextGame, game.id, **settings, **values)
    first = make()
    first.reset(seed=0)
    first.step(first.legal_moves()[0])
    return make
