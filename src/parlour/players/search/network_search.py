"""Tree search with any network: compiled code grows the trees of many games, and one call of the user's function
evaluates all their leaves.

    def evaluate(observation, action_mask):  # int8 (M, C, H, W) and int8 (M, A)
        with torch.inference_mode():
            logits, values = network(torch.from_numpy(observation).float())
        return logits.numpy(), values.numpy()  # (M, A) and (M,)

    search = NetworkSearch(evaluate, simulations=64)
    result = search.run(batch)
    batch.step(result.actions)

Axis letters: N games, M leaves, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.engine.trees.nodes import NONE
from parlour.engine.trees.policies import TreeSettings
from parlour.engine.view import games_of
from parlour.players.search.forest import Forest, SearchResult
from parlour.players.search.tree_methods import Gumbel, Puct, typed_numbers
from parlour.players.search.value_guide import LeafAnswers, ValueGuide
from parlour.players.value.network import ValueNetwork
from parlour.support.arguments import whole_number

Evaluate: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8]], "tuple[Any, Any]"]
"""``(observation, action_mask) -> (logits, values)`` of the M positions that wait, each seen by its seat to act:
int8 (M, C, H, W) and int8 (M, A) to arrays of finite numbers (anything that NumPy can read).

* logits (M, A): those of illegal actions are ignored.
* values: the sum of the rewards that are expected from the position on. Either (M,) or (M, 1), for the seat to act (in
  a game of one seat, or of two whose rewards are opposite); or (M, P): for the seat to act first, then for the seats
  after it in their order, since a network sees the game from the view of the seat to act.

The two arrays that are given are overwritten by the next call. M differs from call to call.
"""

MAX_SIMULATIONS = 1_000_000
MAX_LEAVES = 1024
MAX_KEPT = 1 << 30
GUMBEL = Gumbel()
KEPT = 4
"""By default at most this many nodes per simulation are kept from one search to the next."""


class NetworkSearch:
    """Searches many games at once with the help of a network's policies and values.

    Every simulation adds a leaf to a tree; the leaves of all games are evaluated in one call of ``evaluate``. Throws
    are chance nodes, sampled with their exact probabilities; every seat has its own value; in games of two seats
    without dice forced wins are proved, and then played. What was found below the positions that came about is kept
    for the next search (``keep_tree``).

    Randomness comes from the rows' streams for players (those of `Batch.sample_actions`), so that the same seeds give
    the same results on any number of threads, if ``evaluate`` gives a row the same answer whatever rows are beside it.
    Memory: for each game and simulation about the game's state, 150 bytes, and 50 bytes for each legal action.
    """

    def __init__(
        self,
        evaluate: Evaluate | ValueGuide,
        simulations: int = 64,
        *,
        method: Gumbel | Puct = GUMBEL,
        leaves: int = 1,
        keep_tree: bool = True,
        prove_wins: bool = True,
        max_kept: int | None = None,
    ) -> None:
        """
        Args:
            evaluate: see `Evaluate`; or `ValueGuide`, for a network of `parlour.players.value`.
            simulations: for each game and search, from 1 to 1,000,000.
            method: how actions are chosen, in the tree and at last.
            leaves: how many leaves of one tree are evaluated together at most, from 1 to 1024. With few games more of
                them keep a network busy; each is then chosen without knowing the values of the others.
            keep_tree: whether what was found below a position that is searched next is kept. It was found with the
                network as it was then: see `forget`.
            max_kept: how many nodes of a tree are kept at most; a tree that would keep more is dropped. None: four
                times the number of simulations.
            prove_wins: whether forced wins are proved, in games of two seats without dice.

        Raises:
            ValueError: for numbers that are out of range.
        """
        if not callable(evaluate) and not isinstance(evaluate, ValueGuide):
            hint = "; a ValueNetwork guides it by ValueGuide(network)" if isinstance(evaluate, ValueNetwork) else ""
            raise ValueError(
                "evaluate must be a function (observation, action_mask) -> (logits, values), not "
                f"{type(evaluate).__name__ if hint else repr(evaluate)}{hint}"
            )
        if not isinstance(method, (Gumbel, Puct)):
            raise ValueError(
                f"method must be parlour.players.search.Gumbel(…) or parlour.players.search.Puct(…), not {method!r}"
            )
        self.evaluate = evaluate
        self.simulations = whole_number("simulations", simulations, 1, MAX_SIMULATIONS)
        self.method = method
        self.leaves = whole_number("leaves", leaves, 1, MAX_LEAVES)
        self.keep_tree, self.prove_wins = bool(keep_tree), bool(prove_wins)
        self.max_kept = KEPT * self.simulations if max_kept is None else whole_number("max_kept", max_kept, 1, MAX_KEPT)
        self._forest: Forest | None = None
        self._answers: LeafAnswers | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_forest": None, "_answers": None}

    def forget(self) -> None:
        """Drops all trees, for example after the network has changed much."""
        self._forest = None

    def run(self, games: Any, row_mask: NDArray[np.bool_] | None = None) -> SearchResult:
        """Searches the present positions, which are left as they are.

        Args:
            games: a batch (`parlour.make_batch`), an environment (`parlour.make`: N is 1), or the view that a
                `parlour.players.Player` is given.
            row_mask: bool (N,), the games to search; None: all that are not over.

        Raises:
            ValueError: for invalid games or rows, a `ValueGuide` that is not for the game and its variants, or if
                ``evaluate`` gives arrays of other shapes or numbers that are not finite. All trees are dropped then,
                and after any other error.
        """
        games = games_of(games)
        running = games.states["end"] == 0
        if row_mask is not None:
            if not isinstance(row_mask, np.ndarray) or row_mask.dtype != np.bool_ or row_mask.shape != running.shape:
                raise ValueError(f"row_mask must be a bool array of shape {running.shape}, not {row_mask!r}")
            running &= row_mask
        if self._forest is None or self._forest.games is not games:
            if isinstance(self.evaluate, ValueGuide):
                self._answers = LeafAnswers(self.evaluate, games)
            self._forest = Forest(games, self._settings(games), self.max_kept)
        forest = self._forest
        try:
            forest.set_root(running, self.keep_tree)
            while True:  # as many rounds as all simulations need
                waiting = np.flatnonzero(forest.leaves.nodes != NONE)
                forest.grow(running, waiting, *self._ask(forest, waiting))
                if not forest.leaves.counts.any():
                    return forest.result(running)
        except BaseException:  # Ctrl-C, too: simulations are under way that no one will finish
            self._forest = None
            raise

    def _ask(self, forest: Forest, waiting: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What ``evaluate`` gives for the leaves in the rows ``waiting`` (M,): logits (M, A) and values (M, P)."""
        observation, mask = forest.seen(waiting)
        if not len(waiting):  # all roots are known from the search before
            return np.zeros(mask.shape, np.float32), np.zeros((0, forest.games.layout.seats), np.float32)
        if isinstance(self.evaluate, ValueGuide):
            assert self._answers is not None
            return self._answers.of(forest, waiting)
        shape, count, seats = mask.shape, len(mask), forest.games.layout.seats
        answer = self.evaluate(observation, mask)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise ValueError(f"evaluate must give two arrays, logits and values, not {type(answer).__name__}")
        logits, values = _as_floats("logits", answer[0]), _as_floats("values", answer[1])
        if logits.shape != shape:
            raise ValueError(f"evaluate must give logits of shape {shape}, not {logits.shape}")
        if values.shape in ((count,), (count, 1)) and seats <= 2:
            columns = values.reshape(count, 1)
            return logits, columns if seats == 1 else np.hstack([columns, -columns])
        if values.shape != (count, seats):
            shapes = f"({count},) or ({count}, {seats})" if seats <= 2 else f"({count}, {seats}), one value per seat"
            raise ValueError(f"evaluate must give values of shape {shapes}, not {values.shape}")
        return logits, values

    def _settings(self, games: Games) -> TreeSettings:
        method = self.method
        return TreeSettings(
            gumbel=isinstance(method, Gumbel),
            prove=self.prove_wins and games.layout.seats == 2 and not games.game.rules.DICE,
            simulations=self.simulations,
            leaves=self.leaves,
            **typed_numbers(method if isinstance(method, Gumbel) else Gumbel()),
            **typed_numbers(method if isinstance(method, Puct) else Puct()),
        )


def _as_floats(name: str, array: Any) -> NDArray[np.float32]:
    try:
        numbers = np.asarray(array)
        if numbers.dtype.kind == "c":
            raise ValueError(f"{numbers.dtype} has imaginary parts")
        return np.ascontiguousarray(numbers, np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"evaluate must give {name} that NumPy reads as an array of real numbers ({error})") from None
