"""A plain, slow tree search round a network, to hold `parlour.players.search.NetworkSearch` against.

Written from the papers and from what mctx computes, one game at a time, with a Python object for each node and NumPy
arrays over all legal actions. It shares nothing with the compiled search but the rules and the random numbers: throws
and noise are made from the same stream, so that both see the same.

Axis letters: P seats, B legal actions.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine import repetition
from parlour.engine.games import Games
from parlour.engine.kernels import repeats, stepwise
from parlour.engine.trees.root_noise import gamma, gumbel, word_of
from parlour.players.search import Gumbel, Puct
from parlour.rulebook.compiling import plain
from parlour.rulebook.protocol import MAX_PLIES, RUNNING
from parlour.rulebook.state_records import as_words
from tests.support.kernels import call

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
Evaluate = Callable[[NDArray[np.int8], NDArray[np.int8]], tuple[Any, Any]]


def mix(word: int) -> int:
    """SplitMix64's, in plain integers."""
    word %= WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


class Stream:
    """SplitMix64, and Lemire's numbers below a bound."""

    def __init__(self, counter: int) -> None:
        self.counter = counter

    def draw(self) -> int:
        """The next word."""
        self.counter = (self.counter + GOLDEN) % WORD
        return mix(self.counter)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` − 1."""
        while True:
            product = (self.draw() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32


@dataclass
class Position:
    """A game that can be played on from here as often as wanted."""

    games: Games
    variant: Any
    """one record, in an array (1,)"""
    state: Any
    """one record, in an array (1,)"""
    seen: list[int]
    """the keys of earlier positions"""

    def after(self, action: int, stream: Stream) -> tuple[Position, NDArray[np.float64], bool]:
        """The position after an action and the throws that follow it, what each seat got, and whether dice were
        thrown."""
        rules = self.games.game.rules
        state, rewards = copied(self.state), np.zeros(self.games.layout.seats)
        history = self.history()
        words = np.zeros(-(-self.games.layout.actions // 8), np.uint64)
        arrays = as_words(state), as_words(self.variant), history, words.view(np.int8), words, rewards
        due, _, _ = call(self.games, stepwise.act_alone, action, *arrays)
        thrown = due > 0
        while due > 0:
            faces = np.zeros(len(rules.DICE), np.int8)
            faces[:due] = [np.repeat(die.faces, die.weights)[stream.below(die.sides)] for die in rules.DICE[:due]]
            due, _, _ = call(self.games, stepwise.throw_alone, faces, *arrays)
        seen = repetition.keys_of(history[0])[: state["seen"][0]].tolist()
        return Position(self.games, self.variant, state, seen), rewards, thrown

    def history(self) -> NDArray[np.uint64]:
        """The row of earlier positions, as the engine keeps it, with room for two more: (1, K)."""
        history = np.zeros((1, repetition.FILTER_WORDS + len(self.seen) + 2), np.uint64)
        for count, key in enumerate(self.seen):
            repetition.note(history[0], count, np.uint64(key))
        return history

    def shown(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """What the seat to act sees, and its mask."""
        actions, shape = self.games.layout.actions, self.games.layout.shape
        words, planes = np.zeros(-(-actions // 8), np.uint64), np.zeros(math.prod(shape), np.int8)
        mask, arrays = words.view(np.int8), (as_words(self.state), as_words(self.variant))
        call(self.games, stepwise.observe_alone, self.to_act, *arrays, planes)
        call(self.games, repeats.legal, self.state[0], self.variant[0], self.history()[0], mask, words)
        return planes.reshape(shape), mask[:actions]

    @property
    def to_act(self) -> int:
        """The seat to act."""
        return int(self.state["to_act"][0])

    @property
    def end(self) -> int:
        """How the game has ended."""
        return int(self.state["end"][0])

    def same(self, other: Position) -> bool:
        """Whether both will go on alike."""
        return self.state.tobytes() == other.state.tobytes() and self.seen == other.seen


@dataclass
class Node:
    """A position, what the network says of it, and what is known of its actions."""

    position: Position
    gains: NDArray[np.float64]
    """what each seat got on the way from the node above"""
    seat: int
    legal: list[int] = field(default_factory=list)
    prior: NDArray[np.float32] | None = None
    """(B,); None until the network has been asked"""
    value: NDArray[np.float32] | None = None
    """(P,), by seat"""
    visits: NDArray[np.int64] | None = None
    pending: NDArray[np.int64] | None = None
    means: NDArray[np.float32] | None = None
    """(B, P): the mean of what the visits of each action found for each seat"""
    winner: list[int | None] = field(default_factory=list)
    """for each action, the seat that wins by force after it"""
    children: list[list[Node]] = field(default_factory=list)
    chance: list[bool] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the game has ended there."""
        return self.position.end != RUNNING

    def forced_winner(self) -> int | None:
        """The seat that wins by force from here."""
        if self.seat in self.winner:
            return self.seat
        return 1 - self.seat if all(winner == 1 - self.seat for winner in self.winner) else None


Path = list[tuple[Node, int, Node]]
"""Node, action's place among the legal ones, and the node after it."""


class ReferenceSearch:
    """One game's search."""

    def __init__(
        self,
        evaluate: Evaluate,
        games: Games,
        row: int,
        simulations: int,
        method: Gumbel | Puct,
        leaves: int = 1,
        prove_wins: bool = True,
    ) -> None:
        self.evaluate, self.games, self.row = evaluate, games, row
        self.simulations, self.method, self.leaves = simulations, method, leaves
        self.prove = prove_wins and games.layout.seats == 2 and not games.game.rules.DICE
        self.root: Node | None = None

    def run(self) -> tuple[int, NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Action, policy (A,), values (P,) and visits (A,) of the row's present position."""
        games, row = self.games, self.row
        self.stream = Stream(int(games.player_rng["counter"][row]))
        state, variant = copied(games.states[row : row + 1]), copied(games.variants[row : row + 1])
        count = int(state["seen"][0]) if variant["repetition"][0] else 0
        position = Position(games, variant, state, repetition.keys_of(games.history[row])[:count].tolist())
        self.root = self._kept(position)
        if self.root is None:
            self.root = Node(position, np.zeros(games.layout.seats), position.to_act)
            self._ask([self.root])
        self._begin(self.root)
        while self.started < self.simulations and self._unproved():
            self._round(self.root)
        return self._result(self.root)

    def _unproved(self) -> bool:
        return not self.prove or self.root.forced_winner() is None

    def _kept(self, position: Position) -> Node | None:
        """The node of the last search that is this position, anywhere below its root."""
        found, nodes = None, [self.root] if self.root is not None else []
        while nodes and found is None:
            node = nodes.pop(0)
            if node.prior is not None and node.position.same(position):
                found = node
            nodes += [child for children in node.children for child in children]
        return found

    def _ask(self, nodes: list[Node]) -> None:
        """Has nodes evaluated."""
        shown = [node.position.shown() for node in nodes]
        logits, values = self.evaluate(np.stack([planes for planes, _ in shown]), np.stack([mask for _, mask in shown]))
        for node, (_, mask), own_logits, own_values in zip(nodes, shown, logits, values):
            seats = len(node.gains)
            node.legal = np.flatnonzero(mask).tolist()
            weights = np.exp(own_logits[node.legal].astype(np.float64) - own_logits[node.legal].max())
            node.prior = (weights / weights.sum()).astype(np.float32)
            if np.ndim(own_values) == 0:
                own_values = np.array([own_values, -own_values])
            node.value = np.roll(own_values, node.seat).astype(np.float32)
            node.visits, node.pending = np.zeros(len(node.legal), np.int64), np.zeros(len(node.legal), np.int64)
            node.means = np.zeros((len(node.legal), seats), np.float32)
            node.winner = [None] * len(node.legal)
            node.children, node.chance = [[] for _ in node.legal], [False] * len(node.legal)

    def _begin(self, root: Node) -> None:
        """The noise of the root."""
        self.before, self.started = root.visits.copy(), 0
        method = self.method
        scale = method.gumbel_scale if isinstance(method, Gumbel) else method.dirichlet_fraction
        base = np.uint64(self.stream.draw()) if scale > 0 else None
        with np.errstate(over="ignore"):
            words = [plain(word_of)(base, action) if base is not None else None for action in root.legal]
            if isinstance(method, Gumbel):
                numbers = [gumbel(word) if base is not None else 0.0 for word in words]
                self.noise = scale * np.array(numbers) + np.log(root.prior.astype(np.float64))
            else:
                self.noise = root.prior.astype(np.float64)
                if base is not None:
                    numbers = np.array([gamma(word, method.dirichlet_alpha) for word in words])
                    self.noise = (1 - scale) * self.noise + scale * numbers / numbers.sum()

    def _round(self, root: Node) -> None:
        """So many simulations as may wait for the network together."""
        waiting: list[Path] = []
        while len(waiting) < self.leaves and self.started < self.simulations and self._unproved():
            path: Path = []
            node, stream = root, copy.copy(self.stream)
            while node.prior is not None:
                k = self._choose(node)
                node.pending[k] += 1
                child, new = self._play(node, k)
                path.append((node, k, child))
                node = child
                if new:
                    break
            if node.over:
                self.started += 1
                self._back_up(path, np.zeros(len(node.gains)))
            elif any(node is other[-1][2] for other in waiting):
                for above, k, _ in path:
                    above.pending[k] -= 1
                self.stream = stream
                break
            else:
                self.started += 1
                waiting.append(path)
        if waiting:
            self._ask([path[-1][2] for path in waiting])
        for path in waiting:
            self._back_up(path, path[-1][2].value.astype(np.float64))

    def _play(self, node: Node, k: int) -> tuple[Node, bool]:
        """The node after an action, and whether it has just been made."""
        if node.children[k] and not node.chance[k]:
            return node.children[k][0], False
        position, gains, node.chance[k] = node.position.after(node.legal[k], self.stream)
        for child in node.children[k]:
            if child.position.state.tobytes() == position.state.tobytes() and (child.gains == gains).all():
                return child, False
        child = Node(position, gains, position.to_act)
        node.children[k].append(child)
        return child, True

    def _back_up(self, path: Path, returns: NDArray[np.float64]) -> None:
        """What was found at the end of a path, to all actions on it."""
        leaf = path[-1][2]
        winner = None
        if self.prove and leaf.over and leaf.position.end > MAX_PLIES and leaf.gains[0] != leaf.gains[1]:
            winner = 0 if leaf.gains[0] > leaf.gains[1] else 1
        for node, k, child in reversed(path):
            returns = returns + child.gains
            node.pending[k] -= 1
            node.visits[k] += 1
            if node.winner[k] is not None:
                returns = node.means[k].astype(np.float64)
            elif winner is not None:
                node.winner[k] = winner
                node.means[k] = returns
            else:
                node.means[k] = node.means[k] + (returns - node.means[k]) / node.visits[k]
            if winner is not None:
                winner = node.forced_winner()

    # --- which action ---

    def _choose(self, node: Node) -> int:
        taken = node.visits + node.pending
        lost = np.array([winner not in (None, node.seat) for winner in node.winner])
        if isinstance(self.method, Puct):
            scores = self._puct_scores(node, taken)
        elif node is self.root:
            considered = min(self.method.max_num_considered_actions, len(node.legal))
            wanted = considered_visits(considered, self.simulations)[self.started]
            scores = self.noise + self._bonuses(node, taken)
            fits = ~lost & (taken - self.before == wanted)
            lost = lost if not fits.any() else ~fits
        else:
            improved = softmax(np.log(node.prior.astype(np.float64)) + self._bonuses(node, taken))
            scores = improved - taken / (1 + taken.sum())
        return int(np.where(lost, -np.inf, scores).argmax())

    def _mixed_value(self, node: Node, seat: int) -> float:
        """Appendix D of the Gumbel paper."""
        done = node.visits > 0
        value = float(node.value[seat])
        if not done.any():
            return value
        prior = node.prior[done].astype(np.float64)
        found = float((prior * node.means[done, seat]).sum() / prior.sum())
        return (value + node.visits.sum() * found) / (1 + node.visits.sum())

    def _bonuses(self, node: Node, taken: NDArray[np.int64]) -> NDArray[np.float64]:
        """σ of the completed values."""
        method, mixed = self.method, self._mixed_value(node, node.seat)
        assert isinstance(method, Gumbel)
        values = np.where(node.visits > 0, node.means[:, node.seat].astype(np.float64), mixed)
        if method.rescale_values:
            low, high = min(values.min(), mixed), max(values.max(), mixed)
            values = (values - low) / max(high - low, 1e-8)
        return (method.maxvisit_init + taken.max()) * method.value_scale * values

    def _puct_scores(self, node: Node, taken: NDArray[np.int64]) -> NDArray[np.float64]:
        method = self.method
        assert isinstance(method, Puct)
        sums = node.visits * node.means[:, node.seat].astype(np.float64) - method.virtual_loss * node.pending
        values = sums / np.maximum(taken, 1)
        mean = (float(node.value[node.seat]) + sums.sum()) / (1 + taken.sum())
        known = [mean, *values[taken > 0]]
        low, high = min(known), max(known)
        rescaled = np.where(taken > 0, (values - low) / max(high - low, 1e-8), 0.0)
        prior = self.noise if node is self.root else node.prior.astype(np.float64)
        visits = 1 + taken.sum()
        explore = method.pb_c_init + math.log((visits + method.pb_c_base + 1) / method.pb_c_base)
        return rescaled + math.sqrt(visits) * explore * prior / (1 + taken)

    # --- what it has come to ---

    def _result(self, root: Node) -> tuple[int, NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        standing = np.array([0 if winner is None else 1 if winner == root.seat else -1 for winner in root.winner])
        liked = standing == standing.max()
        if isinstance(self.method, Gumbel):
            bonuses = self._bonuses(root, root.visits)
            policy = softmax(np.where(liked, np.log(root.prior.astype(np.float64)) + bonuses, -np.inf))
            new = np.where(liked, root.visits - self.before, -1)
            best = int(np.where(new == new.max(), self.noise + bonuses, -np.inf).argmax())
            values = [self._mixed_value(root, seat) for seat in range(len(root.value))]
        else:
            shares = np.where(liked, root.visits, 0)
            policy = shares / shares.sum() if shares.any() else np.where(liked, root.prior, 0)
            best = self._puct_action(root, liked)
            sums = root.visits[:, None] * root.means.astype(np.float64)
            values = (root.value + sums.sum(axis=0)) / (1 + root.visits.sum())
        if standing.max() != 0:
            values = policy @ root.means.astype(np.float64)
        actions = self.games.layout.actions
        policies, visits = np.zeros(actions), np.zeros(actions, np.int64)
        policies[root.legal], visits[root.legal] = policy, root.visits
        return root.legal[best], policies, np.array(values), visits

    def _puct_action(self, root: Node, liked: NDArray[np.bool_]) -> int:
        assert isinstance(self.method, Puct)
        visits = np.where(liked, root.visits, 0)
        if self.method.temperature == 0 or not visits.any():
            best = liked & (root.visits == np.where(liked, root.visits, -1).max())
            scores = root.means[:, root.seat] if visits.any() else root.prior
            return int(np.where(best, scores, -np.inf).argmax())
        base = np.uint64(self.stream.draw())
        with np.errstate(over="ignore", divide="ignore"):
            noise = np.array([gumbel(plain(word_of)(base, action)) for action in root.legal])
            return int((np.log(visits) / self.method.temperature + noise).argmax())


def copied(records: NDArray[Any]) -> NDArray[Any]:
    """A copy, bytes between the fields included (NumPy's own leaves them out)."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to the exponentials."""
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def considered_visits(considered: int, simulations: int) -> list[int]:
    """Sequential halving, by keeping count of every action: in each phase all that are left are taken equally often."""
    if considered == 1:
        return list(range(simulations))
    phases, visits, order = math.ceil(math.log2(considered)), [0] * considered, []
    left = considered
    while len(order) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            for k in range(left):
                order.append(visits[k])
                visits[k] += 1
        left = max(2, left // 2)
    return order[:simulations]
