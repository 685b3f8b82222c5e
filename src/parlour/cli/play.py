"""``play``: a person plays at the terminal against a player."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from itertools import islice

import click
import numpy as np
from rich.console import Console
from rich.markdown import Markdown

from parlour.arena.setting.ladder import EASY, NAMES, grades
from parlour.cli.boards import coloured, legend, turned
from parlour.cli.common import a_seed, complete_opponents, console, parse_values, ruleset_options
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.moves import Reading, read_move
from parlour.players import Player, parse_player
from parlour.players.champion import NAME as CHAMPION
from parlour.players.people.advice import SCALE, advise, adviser, standing
from parlour.players.people.board import for_people, has_thrown, instruction, outcomes, sees_turned, thrown, verdict
from parlour.players.people.rule_texts import goal
from parlour.records.replaying import replay
from parlour.records.standing import Standing
from parlour.support.signed import signed

COMMANDS = {
    "?": "all moves",
    "hint": "what the strongest player would play, and why",
    "undo": "take your move back",
    "goal": "the goal, and what the signs mean",
    "rules": "all rules, with their sources",
    "eval": "how you stand, as the champion sees it",
    "record": "the moves so far",
    "back": "the board before the last ply; back 3: three plies ago",
    "flip": "the board from the other side",
    "position": "the position as text",
    "resign": "give up",
    "quit": "leave; prints how to continue",
}
HELP = "Type a move, or its beginning to list the moves, or: " + " | ".join(
    f"{word} ({meaning})" for word, meaning in COMMANDS.items()
)

QUIT = ("quit", "exit", "q", None)
"""What ends the game; None is the end of the input."""
AFTER = "Type: rematch, swap (a rematch with the seats exchanged), undo, back, flip, record, quit."
SHORT_HELP = "Or type: ? (all moves), hint, eval, undo, goal (and the signs), rules, quit, help."


@click.command()
@ruleset_options
@click.option(
    "--against", default=EASY, shell_complete=complete_opponents,
    help=f"Player in the other seats: {', '.join(NAMES)}, or any player by name.",
)  # fmt: skip
@click.option("--seat", type=click.IntRange(0), default=0, help="Your seat: 0 is player_0.")
@click.option("--position", help="Text of a position to begin from.")
@click.option(
    "--seed", type=a_seed, metavar="INTEGER", default=lambda: secrets.randbelow(2**31), show_default=False,
    help="Random seed; a new one each time by default.",
)  # fmt: skip
def play(
    game: Game, against: str, variant: str | None, overrides: Sequence[str], seat: int, position: str | None, seed: int
) -> None:
    """Plays GAME with you at the terminal, and explains the goal, the signs and what to do.

    At the prompt type a move, or: ?, hint, eval, undo, back, flip, goal, rules, record, position,
    resign, quit, help.
    """
    env = GameEnv(game, variant, parse_values(game, overrides), None, "raise")
    graded = {grade.name: grade.player for grade in grades(game, env.variant)[0]}
    opponent = parse_player(against if against == CHAMPION else graded.get(against, against), game)
    if seat >= len(env.possible_agents):
        raise ValueError(f"--seat {seat} is not valid; {game.id} has the seats 0 to {len(env.possible_agents) - 1}")
    env.reset(seed=seed, options={"position": position})
    complete_moves(env)
    TerminalGame(env, seat, opponent, against, console()).play()


class TerminalGame:
    """A game between a person at the terminal and a player, and its rematches."""

    def __init__(self, env: GameEnv, seat: int, opponent: Player, against: str, screen: Console) -> None:
        """``seat``: the person's; ``against``: what the opponent is called."""
        self.env, self.seat, self.opponent, self.against, self.screen = env, seat, opponent, against, screen
        self.before: list[GameEnv] = []  # copies of the game at each of the person's plies, for undo
        self.begun = ""  # the beginning of a move that was typed last; the next word may complete it
        self.turned = sees_turned(env.game, seat)

    @property
    def name(self) -> str:
        """The name of the person's seat."""
        return self.env.game.seat_name(self.seat)

    def say(self, text: str) -> None:
        """Prints plain text, wrapped between words."""
        self.screen.print(text)

    def say_unwrapped(self, text: str) -> None:
        """Prints plain text without line breaks, so that it can be copied."""
        self.screen.print(text, soft_wrap=True)

    def play(self) -> None:
        """Plays until the person quits."""
        self.greet()
        while self.play_on() and self.before and self.again():
            pass

    def play_on(self) -> bool:
        """Plays until the game is over or given up, and says who has won. Returns False if the person quits before."""
        while not self.env.is_over():
            self.env.games.require_legal(np.zeros(1, np.int64))
            if self.env.agent_selection != self.env.possible_agents[self.seat]:
                self.answer()
            elif left := self.turn():
                return left == "resign"
        self.show(self.env)
        if result := verdict(self.env, self.seat):
            self.say(result)
        return True

    def again(self) -> bool:
        """Asks what follows the end. Returns whether a game goes on: a new one, or from the person's last ply."""
        self.say(AFTER)
        while (word := self.ask()) not in QUIT:
            if word == "undo":
                if self.undo():
                    return True
            elif word in ("rematch", "swap"):
                self.seat = (self.seat + (word == "swap")) % len(self.env.possible_agents)
                self.turned = sees_turned(self.env.game, self.seat)
                self.before.clear()
                self.env.reset()
                self.say(f"You are {self.name}.")
                return True
            elif word.partition(" ")[0] not in ("back", "flip", "record", "position") or not self.run_command(word):
                self.say(AFTER)
        return False

    def greet(self) -> None:
        """Prints who plays, what it is all about in one sentence, and what can be typed."""
        game = self.env.game
        self.say(f"{game.title}. You are {self.name}, against {self.against}.")
        self.say((goal(game, self.env.values) or game.summary).partition(". ")[0].rstrip(".") + ".")
        self.say(f"Moves look like {game.notation.MOVE_FORM}. {SHORT_HELP}")

    def explain_game(self) -> None:
        """Prints the goal and the signs."""
        game = self.env.game
        self.say(f"{game.title}: {goal(game, self.env.values) or game.summary}")
        for line in legend(game.guide.LEGEND):
            self.screen.print(line)

    def show(self, env: GameEnv) -> None:
        """Prints a position of the game as the person sees it, in colours if the terminal supports them."""
        text = for_people(env.ansi())
        board = turned(text) if self.turned else text
        self.screen.print(coloured(board, env.game.guide.LEGEND), soft_wrap=True)

    def answer(self) -> None:
        """Plays the opponent's ply."""
        action = self.env.ask(self.opponent)
        self.say(f"{self.against} plays {self.env.move_name(action)}")
        self.step(action)

    def step(self, action: int) -> None:
        """Plays a ply, and prints what was thrown after it and what it has brought."""
        before = self.env.clone()
        self.env.step(action)
        if has_thrown(before, self.env):
            self.say(f"Thrown: {thrown(self.env)}")
        for line in outcomes(before, self.env, self.seat):
            self.say(f"- {line}")

    def turn(self) -> str:
        """Asks the person until a ply is played or taken back. Returns ``quit`` or ``resign`` if the person does that,
        otherwise an empty text."""
        self.show(self.env)
        self.say(instruction(self.env))
        while True:
            word = self.ask()
            if word in QUIT:
                self.say_unwrapped(f"You have left. To continue: --position {self.env.position()!r}")
                return "quit"
            if word == "resign":
                self.say("You give up" + (f"; {self.against} wins." if len(self.env.possible_agents) == 2 else "."))
                return "resign"
            if word == "undo":
                if self.undo():
                    return ""
            elif not self.run_command(word) and self.move(word):
                return ""

    def ask(self) -> str | None:
        """The line that the person types; None at the end of the input."""
        try:
            return input(f"{self.name}> ").strip()
        except EOFError:
            self.say("")
            return None

    def run_command(self, word: str) -> bool:
        """Runs a command that is not a move. Returns whether the word is such a command."""
        if word == "position":
            self.say_unwrapped(self.env.position())
        elif word in ("?", "", "moves"):
            self.say(" ".join(self.env.legal_moves()))
        elif word.partition(" ")[0] == "back":
            self.look_back(word.partition(" ")[2].strip() or "1")
        elif word == "eval":
            self.evaluate()
        elif word == "flip":
            self.turned = not self.turned
            self.show(self.env)
        elif word == "record":
            self.say(numbered(self.env.record().moves))
        elif word == "help":
            self.say(HELP)
        elif word in ("goal", "letters", "signs"):
            self.explain_game()
        elif word == "hint":
            self.hint()
        elif word == "rules":
            with self.screen.pager(styles=True):
                self.screen.print(Markdown(self.env.game.readme))
        else:
            return False
        return True

    def look_back(self, plies: str) -> None:
        """Shows the board of some plies ago, and what has been played since."""
        record = self.env.record()
        most = len(record.moves)
        if not plies.isdecimal() or not 1 <= int(plies) <= most:
            self.say(f"back {plies}: give a number of plies, 1 to {most}." if most else "Nothing has been played yet.")
            return
        at = most - int(plies)
        env = next(islice(replay(record, "this game"), at, None))
        self.show(env)
        self.say(f"Then: {numbered(record.moves, at)}")

    def evaluate(self) -> None:
        """Prints how the person stands."""
        judge = Standing(self.env)
        value, _ = judge.value(self.env)
        if value is None:
            two = len(self.env.possible_agents) == 2
            self.say(f"No player values positions {'of this variant' if two else 'of more than two seats'}.")
            return
        for_person = -value if self.seat else value
        self.say(f"{standing(for_person)}, by {judge.by}: {signed(for_person, 2)} for you ({SCALE}).")

    def hint(self) -> None:
        """Prints what the player that gives hints would play."""
        player = adviser(self.env, [self.opponent])
        thought = advise(self.env, player)
        if thought is None:
            return
        if thought.forced:
            self.say(thought.why)
            return
        values = [thought.value_of(k) for k in range(len(thought.moves))]
        moves = ", ".join(
            f"{move} ({share:.0%})" if value is None else f"{move} ({signed(value, 2)})"
            for (move, share), value in zip(thought.moves, values)
        )
        self.say(f"{player.name} would play {moves}. {thought.why}")

    def move(self, word: str) -> bool:
        """Plays a move as it was typed. If it is not a legal move, prints why and returns False."""
        completed = read_move(self.env.games, 0, f"{self.begun} {word}") if self.begun else Reading()
        reading = completed if completed.actions else read_move(self.env.games, 0, word)
        self.begun = word if reading.matches else ""
        if reading.actions:
            self.before.append(self.env.clone())
            for action in reading.actions:
                self.step(action)
            if reading.note:
                self.say(f"Note: {_sentence(reading.note)}")
            return True
        self.say(" ".join(reading.matches) or f"{_sentence(reading.problem)} Type ? for all moves, or help.")
        return False

    def undo(self) -> bool:
        """Goes back to the person's previous ply. Returns whether there was one."""
        self.begun = ""
        if not self.before:
            self.say("There is no move to take back.")
            return False
        self.env = self.before.pop()
        complete_moves(self.env)
        return True


def numbered(moves: Sequence[str], begin: int = 0) -> str:
    """The moves from the index ``begin`` on, each with its number in the game."""
    return " ".join(f"{number}. {move}" for number, move in enumerate(moves[begin:], begin + 1))


def _sentence(text: str) -> str:
    """A text with a full stop, unless it ends as a question."""
    return text if text.endswith("?") else f"{text}."


def complete_moves(env: GameEnv) -> None:
    """Makes the tab key complete legal moves, if the terminal supports it."""
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
