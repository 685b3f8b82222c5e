"""Selection of edges in simulations, and the result of a search: Gumbel AlphaZero, PUCT and UCT.

*Gumbel*: Danihelka, Guez, Schrittwieser and Silver, *Policy Improvement by Planning with Gumbel* (ICLR 2022), "full"
Gumbel MuZero. At the root: sequential halving among a few actions, those with the highest sums of Gumbel noise and
logit. Below the root: the action whose share of the visits is furthest below its probability in the improved policy,
softmax(logits + σ(q)). For an action without visits, the node's mixed value takes the place of q (appendix D).

*PUCT*: Silver and others, *A General Reinforcement Learning Algorithm that Masters Chess, Shogi, and Go through
Self-Play* (Science 362, 2018), with the formulas of MuZero (Schrittwieser and others, Nature 588, 2020, appendix B):
values are rescaled to the range 0 to 1 by the lowest and the highest value at the node, and Dirichlet noise is mixed
into the priors of the root.

Both use the formulas and defaults of mctx (``gumbel_muzero_policy`` and ``muzero_policy``). With more than two seats,
the seat to act maximises its own value (max^n). Additions:

* Proved wins are taken and proved losses avoided: an edge after which the other seat wins by force is not taken while
  there is any other edge.
* Several leaves of a tree can wait for evaluation at the same time. Each pending visit counts as a visit; for PUCT it
  also counts as a loss (virtual loss), so that simulations take different paths. Gumbel's selection needs no virtual
  loss for that.
* The subtree of an earlier search can be reused. Sequential halving at the root then counts only new visits.

The edges of a node are sorted: first the tried ones, then the one with the highest prior among the others
(`nodes.bring_forward`). Neither formula can prefer any of the rest, so a simulation does not look at them. At the root
it looks at all edges, since the noise changes their order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle
from parlour.engine.trees.nodes import MIN_PRIOR, NONE, Tree
from parlour.engine.trees.root_noise import gumbel, word_of
from parlour.rulebook.chance import below, draw
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS

MIN_RANGE = 1e-8
"""The smallest range of values that is used for rescaling."""
LOST, OPEN, WON = -1, 0, 1
"""What is proved of an edge for a seat: a loss, nothing, a win."""


@bundle
class TreeSettings(NamedTuple):
    """Settings of a search. Fields without a description are described in `parlour.players.search.Gumbel` and
    `parlour.players.search.Puct`."""

    gumbel: bool
    """True: Gumbel; False: PUCT"""
    prove: bool
    """whether forced wins are proved"""
    simulations: int
    leaves: int
    """L: the most leaves of a tree that wait for evaluation at the same time"""
    max_num_considered_actions: int
    gumbel_scale: float
    value_scale: float
    maxvisit_init: float
    rescale_values: bool
    dirichlet_fraction: float
    dirichlet_alpha: float
    temperature: float
    pb_c_init: float
    pb_c_base: float
    virtual_loss: float


@bundle
class Roots(NamedTuple):
    """Extra arrays for the roots of N trees. Edges are numbered from 0 at each root."""

    noise: Any
    """float64 (N, A), by edge. Gumbel: noise plus the logarithm of the prior; PUCT: the prior mixed with Dirichlet
    noise"""
    before: Any
    """int32 (N, A), by edge: its visits before this search"""
    started: Any
    """int64 (N,): simulations that this search has begun"""
    winner: Any
    """int8 (N,): the seat that wins by force, NONE if none is proved"""


# --- for both ---


@kernel
def proved_result(edge: Any, seat: int) -> int:
    """WON if ``seat`` wins by force after this edge, LOST if another seat does, else OPEN."""
    if edge.winner == NONE:
        return OPEN
    return WON if edge.winner == seat else LOST


@kernel
def best_proved_result(n: int, tree: Tree) -> int:
    """The best `proved_result` of any edge of node n, for the seat to act there."""
    node = tree.nodes[n]
    best = LOST
    for e in range(node.first, node.first + node.count):
        best = max(best, proved_result(tree.edges[e], node.to_act))
    return best


@kernel
def forced_winner(n: int, tree: Tree) -> int:
    """The seat (of two) that wins by force from node n: the seat to act if any edge wins, the other seat if all edges
    lose; NONE if neither is proved."""
    seat = tree.nodes[n].to_act
    best = best_proved_result(n, tree)
    if best == OPEN:
        return NONE
    return seat if best == WON else 1 - seat


# --- Gumbel ---


@kernel
def completed_values(
    n: int, edges: int, seat: int, settings: TreeSettings, tree: Tree
) -> tuple[float, float, float, float, int]:
    """The numbers that turn values, for ``seat``, of the first ``edges`` edges of node n into bonuses on logits.

    Returns the node's mixed value, which is also the value of unvisited edges; the value whose bonus is 0; the bonus
    per unit of value; the highest value; and the number of visits to these edges, pending ones included.
    """
    node = tree.nodes[n]
    mass, weighted, done, taken, most = 0.0, 0.0, 0, 0, 0
    low, high = math.inf, -math.inf
    for e in range(node.first, node.first + edges):
        edge = tree.edges[e]
        visits = edge.visits + edge.pending
        taken += visits
        most = visits if visits > most else most
        if edge.visits > 0:
            done += edge.visits
            value, prior = np.float64(edge.q_values[seat]), np.float64(edge.prior)
            mass += prior
            weighted += prior * value
            low = value if value < low else low
            high = value if value > high else high
    mixed = np.float64(node.values[seat])
    if done > 0:
        mixed = (mixed + done * (weighted / mass)) / (done + 1)
    low = mixed if mixed < low else low
    high = mixed if mixed > high else high
    factor = (settings.maxvisit_init + most) * settings.value_scale
    if not settings.rescale_values:
        return mixed, 0.0, factor, high, taken
    spread = high - low
    return mixed, low, factor / (spread if spread > MIN_RANGE else MIN_RANGE), high, taken


@kernel
def completed_value(edge: Any, seat: int, mixed: float) -> float:
    """The mean value of an edge for ``seat``, or the node's ``mixed`` value if the edge has no visits."""
    return np.float64(edge.q_values[seat]) if edge.visits else mixed


@kernel
def gumbel_edge(n: int, settings: TreeSettings, tree: Tree, weights: Any, low: int) -> int:
    """The edge of node n, which is not the root, whose share of the visits is furthest below its probability in the
    improved policy. Row ``low`` of ``weights`` (float64 (N, A)) is scratch."""
    node = tree.nodes[n]
    first, tried, seat = node.first, node.tried, node.to_act
    if tried == 0:
        return first
    mixed, _, factor, high, taken = completed_values(n, tried, seat, settings, tree)
    total, untried = 0.0, 1.0
    for k in range(tried):
        edge = tree.edges[first + k]
        weights[low, k] = edge.prior * math.exp(factor * (completed_value(edge, seat, mixed) - high))
        total += weights[low, k]
        untried -= edge.prior
    best, highest = NONE, -math.inf
    if tried < node.count:
        bonus = math.exp(factor * (mixed - high))
        total += max(untried, 0.0) * bonus
        best, highest = first + tried, tree.edges[first + tried].prior * bonus / total
    for k in range(tried):
        edge = tree.edges[first + k]
        score = weights[low, k] / total - (edge.visits + edge.pending) / (1 + taken)
        if proved_result(edge, seat) == LOST:
            continue
        if best == NONE or score > highest or (score == highest and edge.action < tree.edges[best].action):
            best, highest = first + k, score
    return best


@kernel
def gumbel_root_edge(
    i: int, considered_visits: int, least_result: int, settings: TreeSettings, tree: Tree, roots: Roots
) -> int:
    """The root's edge with the highest score among those that this search has visited ``considered_visits`` times; if
    there is none, among all. Edges whose `proved_result` is below ``least_result`` are not taken."""
    root = tree.nodes[0]
    seat = root.to_act
    mixed, base, factor, _, _ = completed_values(0, root.count, seat, settings, tree)
    best, best_fits, highest = NONE, False, -math.inf
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        if proved_result(edge, seat) < least_result:
            continue
        fits = edge.visits + edge.pending - roots.before[i, k] == considered_visits
        score = roots.noise[i, k] + factor * (completed_value(edge, seat, mixed) - base)
        better = score > highest or (score == highest and edge.action < tree.edges[best].action)
        if best == NONE or (fits and not best_fits) or (fits == best_fits and better):
            best, best_fits, highest = root.first + k, fits, score
    return best


@kernel
def gumbel_result(i: int, settings: TreeSettings, tree: Tree, roots: Roots, policies: Any) -> int:
    """Writes the improved policy of root i into row i of ``policies`` (float64 (N, A)). Returns the edge to play: the
    one with the highest score among those that this search visited most."""
    root = tree.nodes[0]
    seat, least_result = root.to_act, best_proved_result(0, tree)
    mixed, _, factor, high, _ = completed_values(0, root.count, seat, settings, tree)
    most, total = 0, 0.0
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        if proved_result(edge, seat) == least_result:
            most = max(most, edge.visits - roots.before[i, k])
            bonus = math.exp(factor * (completed_value(edge, seat, mixed) - high))
            policies[i, edge.action] = edge.prior * max(bonus, MIN_PRIOR)
            total += policies[i, edge.action]
    for k in range(root.count):
        policies[i, tree.edges[root.first + k].action] /= total
    return gumbel_root_edge(i, most, least_result, settings, tree, roots)


# --- PUCT ---


@kernel
def virtual_value(edge: Any, seat: int, settings: TreeSettings) -> float:
    """The mean value of an edge for ``seat``, with each pending visit counted as a loss. It needs at least one visit,
    pending or not."""
    lost = settings.virtual_loss * edge.pending
    return (edge.visits * np.float64(edge.q_values[seat]) - lost) / (edge.visits + edge.pending)


@kernel
def puct_edge(i: int, n: int, settings: TreeSettings, tree: Tree, roots: Roots) -> int:
    """The edge of node n with the highest PUCT score: its rescaled value plus its exploration bonus. Edges that are
    proved to lose are not taken; node n itself must not be proved."""
    node = tree.nodes[n]
    seat, seen = node.to_act, node.count if n == 0 else node.tried
    total, visits = np.float64(node.values[seat]), 1
    low, high = math.inf, -math.inf
    for e in range(node.first, node.first + seen):
        edge = tree.edges[e]
        if edge.visits + edge.pending > 0:
            value = virtual_value(edge, seat, settings)
            total += value * (edge.visits + edge.pending)
            visits += edge.visits + edge.pending
            low = value if value < low else low
            high = value if value > high else high
    mean = total / visits
    low = mean if mean < low else low
    high = mean if mean > high else high
    scale = 1 / (high - low if high - low > MIN_RANGE else MIN_RANGE)
    growth = math.log((visits + settings.pb_c_base + 1) / settings.pb_c_base)
    breadth = math.sqrt(visits) * (settings.pb_c_init + growth)
    best, highest = NONE, -math.inf
    for k in range(seen + 1 if seen < node.count else seen):
        edge = tree.edges[node.first + k]
        if proved_result(edge, seat) == LOST:
            continue
        taken = edge.visits + edge.pending
        score = breadth * (roots.noise[i, k] if n == 0 else np.float64(edge.prior)) / (1 + taken)
        if taken > 0:
            score += (virtual_value(edge, seat, settings) - low) * scale
        if best == NONE or score > highest or (score == highest and edge.action < tree.edges[best].action):
            best, highest = node.first + k, score
    return best


@kernel
def puct_result(i: int, settings: TreeSettings, tree: Tree, player_rng: Any, policies: Any) -> int:
    """Writes each action's share of the root's visits into row i of ``policies`` (float64 (N, A)). Returns the edge to
    play: drawn in proportion to visits^(1/temperature); with temperature 0 the one with the most visits (of several,
    the one with the highest value)."""
    root = tree.nodes[0]
    seat, least_result, visits = root.to_act, best_proved_result(0, tree), 0
    for e in range(root.first, root.first + root.count):
        if proved_result(tree.edges[e], seat) == least_result:
            visits += tree.edges[e].visits
    drawing = settings.temperature > 0 and visits > 0
    base = draw(player_rng) if drawing else NO_WORDS
    best, highest, most = NONE, -math.inf, 0
    for e in range(root.first, root.first + root.count):
        edge = tree.edges[e]
        if proved_result(edge, seat) < least_result or (drawing and edge.visits == 0):
            continue
        # If all visited edges are proved to lose, only the network's priors are known of the others.
        policies[i, edge.action] = edge.visits / visits if visits else edge.prior
        if drawing:  # Gumbel-max trick: the highest log-weight plus noise is a draw in proportion to the weights
            score = math.log(edge.visits) / settings.temperature + gumbel(word_of(base, edge.action))
        else:
            score = completed_value(edge, seat, np.float64(edge.prior))
        better = score > highest or (score == highest and edge.action < tree.edges[best].action)
        if best == NONE or (not drawing and edge.visits > most) or ((drawing or edge.visits == most) and better):
            best, highest, most = e, score, edge.visits
    return best


# --- UCT ---


@kernel
def uct_edge(n: int, exploration: float, tree: Tree, player_rng: Any) -> int:
    """The edge of node n to take: each once, in random order; then, among those with the best `proved_result`, the one
    with the highest upper confidence bound of its value (UCB1)."""
    node = tree.nodes[n]
    seat, visits = node.to_act, 0
    if node.tried < node.count:
        head = node.first + node.tried
        drawn = head + below(player_rng, np.int64(node.count - node.tried))
        tree.edges[head].action, tree.edges[drawn].action = tree.edges[drawn].action, tree.edges[head].action
        node.tried += 1
        return head
    for e in range(node.first, node.first + node.count):
        visits += tree.edges[e].visits
    breadth = exploration * exploration * math.log(visits) if visits else 0.0
    best, best_result, highest = NONE, LOST - 1, -math.inf
    for e in range(node.first, node.first + node.count):
        edge = tree.edges[e]
        if edge.visits == 0:  # the simulation that tried it was interrupted
            return e
        result = proved_result(edge, seat)
        bound = edge.q_values[seat] + math.sqrt(breadth / edge.visits)
        if result > best_result or (result == best_result and bound > highest):
            best, best_result, highest = e, result, bound
    return best


@kernel
def uct_result(tree: Tree) -> int:
    """The action of the most visited edge of the root, among those with the best `proved_result`; of several, the one
    with the highest value."""
    root = tree.nodes[0]
    best, best_result, most, highest = root.first, LOST - 1, 0, -math.inf
    for e in range(root.first, root.first + root.count):
        edge = tree.edges[e]
        if edge.visits == 0:
            continue
        result, value = proved_result(edge, root.to_act), np.float64(edge.q_values[root.to_act])
        if (result, edge.visits, value) > (best_result, most, highest):
            best, best_result, most, highest = e, result, edge.visits, value
    return tree.edges[best].action


# --- the value of a root ---


@kernel
def root_value(i: int, seat: int, settings: TreeSettings, tree: Tree, policies: Any) -> float:
    """The expected return of ``seat``: the result, if it is proved; else the mixed value (Gumbel), or the mean of the
    root's own evaluation and all its visits (PUCT)."""
    root = tree.nodes[0]
    if best_proved_result(0, tree) != OPEN:
        value = 0.0
        for e in range(root.first, root.first + root.count):
            edge = tree.edges[e]
            value += policies[i, edge.action] * edge.q_values[seat]
        return value
    if settings.gumbel:
        return completed_values(0, root.count, seat, settings, tree)[0]
    value, visits = np.float64(root.values[seat]), 1
    for e in range(root.first, root.first + root.count):
        edge = tree.edges[e]
        value += edge.visits * np.float64(edge.q_values[seat])
        visits += edge.visits
    return value / visits
