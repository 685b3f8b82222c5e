"""Games in words as environments of Kaggle (package ``kaggle_environments``), with a harness for language models.

kaggle_environments.register("checkers", environment("checkers-v0"))
env = kaggle_environments.make("checkers")
env.run([core_harness.create_agent_fn(Harness()), "random"])
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from kaggle_environments.core_harness import ParseResult

from parlour.players.people.rule_texts import sheet
from parlour.text.game import TextGame
from parlour.text.reading import Names

MAX_GAMES = 1000
"""The games that were played last are kept in memory."""
NO_SEAT = -1


class Harness:
    """How a language model plays: the three functions of Kaggle's ``core_harness.GameHarness``."""

    def get_legal_moves(self, observation: Mapping[str, Any]) -> dict[int, str]:
        """The names of the legal moves, by their numbers."""
        return dict(enumerate(observation["legalMoves"]))

    def make_prompt(
        self,
        observation: Mapping[str, Any],
        move_history: list[str],
        previous_response: str | None = None,
        previous_action: str | None = None,
    ) -> str:
        """Rules, position, what to do; after an illegal reply also that."""
        again = "" if previous_response is None else f"\nYour last answer named no legal move: {previous_action}."
        return f"{observation['rules']}\n{observation['text']}{again}"

    def parse_response(
        self, response: str, legal_action_strings: Sequence[str] | None, *, observation: Mapping[str, Any]
    ) -> ParseResult:
        """The last thing in a response that can be a move."""
        legal = dict(enumerate(legal_action_strings or ()))
        found = Names(legal, lambda text: False).find(response)
        if found is None or len(found.actions) != 1:
            return ParseResult(raw_action=found and found.text)
        return ParseResult(legal_action=legal[found.actions[0]], raw_action=found.text)


def environment(game: str, **settings: Any) -> dict[str, Any]:
    """What ``kaggle_environments.register`` takes. An action is a move's number in ``legalMoves``, a reply in words, or
    an object that has one of these as ``submission``. An illegal one forfeits the game.

    ``settings``: those of `parlour.text.TextBatch`, except ``seat``, ``rules`` and ``illegal``.
    """
    played: OrderedDict[str, tuple[TextGame, list[float]]] = OrderedDict()
    model = TextGame(game, seat="all", rules="none", illegal="forfeit", **settings)
    known, values = model.batch.batch.game, model.batch.batch.games.variant_mix.entries[0].values
    told = sheet(known, values, False)

    def tell(state: Any, text: str, match: TextGame) -> None:
        for seat, one in enumerate(state):
            acts = not match.done and match.to_act == seat
            one.observation.playerId, one.observation.isTerminal = seat, match.done
            one.observation.currentPlayer = NO_SEAT if match.done else match.to_act
            one.observation.rules, one.observation.text = told, text if acts or match.done else ""
            one.observation.legalMoves = match.legal_moves() if acts else []
            one.status = "DONE" if match.done else "ACTIVE" if acts else "INACTIVE"

    def interpreter(state: Any, env: Any) -> Any:
        if env.done:
            match = TextGame(game, seat="all", rules="none", illegal="forfeit", **settings)
            seed = env.configuration.get("seed")
            played[env.id] = match, [0.0] * len(state)
            tell(state, match.reset(seed=random.getrandbits(31) if seed is None else seed), match)
            while len(played) > MAX_GAMES:
                played.popitem(last=False)
            return state
        match, returns = played[env.id]
        seat = match.to_act
        action: Any = state[seat].action
        action = action.get("submission") if isinstance(action, dict) else action
        if isinstance(action, int):
            action = dict(enumerate(match.legal_moves())).get(action)
        reply = match.step(action if isinstance(action, str) else "")
        returns[:] = [sum(pair) for pair in zip(returns, reply.info["rewards"])]
        tell(state, reply.text, match)
        for one, result in zip(state, returns):
            one.reward = result
        if reply.info["result"] == "forfeited":
            state[seat].status = "INVALID"
        return state

    def choose_any(observation: Any) -> int:
        return random.randrange(len(observation.legalMoves)) if observation.legalMoves else 0

    seats = model.batch.batch.num_seats
    specification = {
        "name": known.name, "title": known.title, "description": known.summary, "version": "1.0.0", "agents": [seats],
        "configuration": {
            "episodeSteps": {"type": "integer", "minimum": 1, "default": 10_000},
            "actTimeout": {"type": "number", "minimum": 0, "default": 600},
            "seed": {"type": ["integer", "null"], "default": None},
        },
        "reward": {"type": "number", "default": 0},
        "observation": {
            "playerId": {"type": "integer", "default": NO_SEAT},
            "currentPlayer": {"type": "integer", "default": NO_SEAT},
            "isTerminal": {"type": "boolean", "default": False},
            "rules": {"type": "string", "default": ""},
            "text": {"type": "string", "default": ""},
            "legalMoves": {"type": "array", "default": []},
            "remainingOverageTime": 600,
        },
        "action": {"type": ["integer", "string", "object", "null"], "default": None},
    }  # fmt: skip
    return {
        "specification": specification, "interpreter": interpreter, "agents": {"random": choose_any},
        "renderer": lambda state, env: played[env.id][0].position(), "html_renderer": lambda env: "",
    }  # fmt: skip
