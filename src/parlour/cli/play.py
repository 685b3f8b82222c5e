"""``play``: a person at the terminal against a built-in player."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich.console import Console

from parlour.aec import GameEnv
from parlour.cli.common import console, game_argument, parse_values, seed_option, values_option
from parlour.engine.game import Game
from parlour.players import Player, parse_player

HELP = "a move's name | ? all moves | part of a name: the moves that begin so | undo | position | resign | quit"


@click.command()
@game_argument
@click.option("--against", default="greedy", show_default=True, help="The player in the other seats.")
@click.option("--variant", help="A variant's name; the game's first by default.")
@values_option
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat: 0 is player_0.")
@click.option("--position", help="The text of a position to begin from.")
@seed_option
def play(
    game: Game, against: str, variant: str | None, overrides: Sequence[str], seat: int, position: str | None, seed: int
) -> None:
    """Play GAME at the terminal. At the prompt: a move, ?, undo, position, resign or quit."""
    opponent = parse_player(against, game)
    env = GameEnv(game, variant, parse_values(game, overrides), None, "raise")
    if seat >= len(env.possible_agents):
        raise ValueError(f"--seat {seat} is not valid; {game.id} has the seats 0 to {len(env.possible_agents) - 1}")
    env.reset(seed=seed, options={"position": position})
    complete_moves(env)
    Sitting(env, f"player_{seat}", opponent, console()).play()


class Sitting:
    """One game between a person and a player."""

    def __init__(self, env: GameEnv, person: str, opponent: Player, screen: Console) -> None:
        """``person``: the agent that the person plays."""
        self.env, self.person, self.opponent, self.screen = env, person, opponent, screen
        self.before: list[GameEnv] = []  # the game as it stood at each of the person's turns

    def say(self, text: str) -> None:
        """Prints plain text."""
        self.screen.print(text, soft_wrap=True)

    def play(self) -> None:
        """Plays to the end, or until the person leaves."""
        self.say(HELP)
        while not self.env.is_over():
            if self.env.agent_selection != self.person:
                self.answer()
            elif not self.turn():
                return
        self.say(self.env.ansi())

    def answer(self) -> None:
        """The opponent's ply."""
        action = self.env.ask(self.opponent)
        self.say(f"{self.opponent.name} plays {self.env.move_name(action)}")
        self.env.step(action)

    def turn(self) -> bool:
        """Asks the person until a ply is played or taken back; False when the person has left."""
        self.say(self.env.ansi())
        while True:
            word = self.ask()
            if word in ("quit", None):
                self.say(f"Left. To go on: --position {self.env.position()!r}")
                return False
            if word == "resign":
                self.say(f"{self.person} resigns; {self.opponent.name} wins.")
                return False
            if word == "position":
                self.say(self.env.position())
            elif word == "undo":
                if self.undo():
                    return True
            elif word in self.env.legal_moves():
                self.before.append(self.env.clone())
                self.env.step(self.env.parse_move(word))
                return True
            else:
                self.explain(word)

    def ask(self) -> str | None:
        """The person's next word; None at the end of the input."""
        try:
            return input(f"{self.env.game.seat_name(self.env.possible_agents.index(self.person))}> ").strip()
        except EOFError:
            self.say("")
            return None

    def undo(self) -> bool:
        """Goes back to the person's turn before; whether there was one."""
        if not self.before:
            self.say("There is nothing to take back.")
            return False
        self.env = self.before.pop()
        complete_moves(self.env)
        return True

    def explain(self, word: str) -> None:
        """What a word that is no command and no legal move could have been."""
        legal = self.env.legal_moves()
        matching = [name for name in legal if name.startswith(word)] if word not in ("?", "help", "") else legal
        if word == "help":
            self.say(HELP)
        elif matching:
            self.say(" ".join(matching))
        else:
            try:
                self.env.parse_move(word)
                self.say(f"{word} is not legal here; ? lists the legal moves.")
            except ValueError:
                form = self.env.game.notation.MOVE_FORM
                self.say(f"{word!r} is neither a command nor a move (moves look like {form}); {HELP}")


def complete_moves(env: GameEnv) -> None:
    """Makes the tab key complete legal moves, where the terminal can."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        names = [name for name in env.legal_moves() if name.startswith(text)]
        return names[state] if state < len(names) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
