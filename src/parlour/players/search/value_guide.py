"""A small value network as the guide of `parlour.players.search.NetworkSearch`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.engine.kernels.network_policy import evaluate_leaves
from parlour.players.search.forest import Forest
from parlour.players.value.evaluator import Evaluator
from parlour.players.value.network import ValueNetwork
from parlour.rulebook.state_records import as_words
from parlour.support.arguments import real_number


@dataclass(frozen=True)
class ValueGuide:
    """What `NetworkSearch` takes in place of a function, so that a `parlour.players.value.ValueNetwork` guides it:
    ``NetworkSearch(ValueGuide(network))``.

    Values are the network's. Logits of actions are those of the values of the positions right after them (what the
    action pays included), divided by ``temperature``. All of it is compiled. Networks are taught positions at the ends
    of turns, so in games with turns of several plies the logits are less certain.

    Attributes:
        network: which network, such as `parlour.players.value.load` reads it.
        temperature: above 0; the lower, the more the search prefers what the network thinks best.
    """

    network: ValueNetwork
    temperature: float = 0.5

    def __post_init__(self) -> None:
        """ValueError for anything else than a network, and for a number that is out of range."""
        if not isinstance(self.network, ValueNetwork):
            raise ValueError(f"network must be a parlour.players.value.ValueNetwork, not {self.network!r}")
        real_number("temperature", self.temperature, 0, above=True)


class LeafAnswers:
    """What a guide says of the leaves that wait in the trees of ``games``."""

    def __init__(self, guide: ValueGuide, games: Games) -> None:
        """ValueError if the network is not for this game and all its variants."""
        self._temperature = float(guide.temperature)
        self._evaluator = Evaluator(guide.network, games)

    def of(self, forest: Forest, waiting: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits (M, A) and values (M, P), the seat to act first, of the leaves in the rows ``waiting`` (M,)."""
        games, leaves, count = forest.games, forest.leaves, len(waiting)
        logits = np.zeros((count, games.layout.actions), np.float32)
        values = np.zeros((count, games.layout.seats), np.float32)
        ranks = np.full(len(leaves.nodes), -1)
        ranks[waiting] = np.arange(count)
        games.run_rules(
            evaluate_leaves, forest.settings.leaves, ranks, leaves, forest.trees.states, as_words(forest.variants),
            self._temperature, self._evaluator.refresh(), logits, values,
        )  # fmt: skip
        return logits, values
