"""What `gnubg_program.py` runs inside GNU Backgammon, by its own Python: answers requests until there are no more.

Requests are a line of JSON, a list. Each has a board (of the opponent and of the player on roll, each the men on its
points 1 to 24 and on the bar), dice, and the plies to look ahead. GNU Backgammon's Python explains its functions by
``help``.
"""

import json
import os

import gnubg  # type: ignore[import-not-found]  # there only

PREPARATION = (
    "set confirm new off", "set display off", "set player 0 human", "set player 1 human", "set automatic roll off",
    "set automatic game off", "set jacoby off", "set cube use off", "set evaluation chequerplay evaluation plies 0",
    "new session", "set turn 1",
)  # fmt: skip


def best(board, dice, plies):
    """The best move: from, to, from, to …; 25 is the bar, 0 is off."""
    gnubg.command("set dice {} {}".format(*dice))
    return gnubg.findbestmove(board, gnubg.cubeinfo(), context(plies))


def equity(board, dice, plies):
    """What the player on roll wins on average, without cube and before a throw, gammons and backgammons counted."""
    win, gammon, backgammon, lost, lost_far = gnubg.evaluate(board, gnubg.cubeinfo(), context(plies))[:5]
    return 2 * win - 1 + gammon + backgammon - lost - lost_far


def moves(board, dice, plies):
    """All legal moves, as texts such as ``8/5* 6/5(2)``."""
    gnubg.command("set board " + gnubg.positionid(board))
    gnubg.command("set dice {} {}".format(*dice))
    return [hint["move"] for hint in gnubg.hint(99999)["hint"]]


def context(plies):
    """How deep it looks, without cube and noise."""
    return gnubg.evalcontext(0, plies, 1, 1, 0.0)


ANSWERS = {"best": best, "equity": equity, "moves": moves}

for line in PREPARATION:
    gnubg.command(line)
requests, answers = (
    os.fdopen(int(os.environ[name]), mode) for name, mode in (("GNUBG_ASKS", "r"), ("GNUBG_SAYS", "w"))
)
for line in requests:
    results = []
    for asked in json.loads(line):
        board = tuple(tuple(men) for men in asked["board"])
        results.append(ANSWERS[asked["ask"]](board, asked["dice"], asked["plies"]))
    answers.write(json.dumps(results) + "\n")
    answers.flush()
