"""Which edge a simulation takes, and the result of a search: Gumbel AlphaZero and PUCT.

*Gumbel*: Danihelka, Guez, Schrittwieser and Silver, *Policy Improvement by Planning with Gumbel* (ICLR 2022), "full"
Gumbel MuZero. At the root, sequential halving among a few actions that have the highest sums of Gumbel noise and
logits; below it, the action whose share of the visits is furthest below its probability in the improved policy, which
is softmax(logits + σ(q)). An action that has not been visited takes the node's mixed value in place of q (appendix D).

*PUCT*: Silver and others, *A General Reinforcement Learning Algorithm that Masters Chess, Shogi, and Go through
Self-Play* (Science 362, 2018), with the formulas of MuZero (Schrittwieser and others, Nature 588, 2020, appendix B):
values are rescaled to 0 to 1 by the lowest and highest at the node, and noise with a Dirichlet distribution is mixed
into the priors of the root.

Both have the formulas and defaults of mctx (``gumbel_muzero_policy`` and ``muzero_policy``). Where there are more than
two seats, the seat to act goes by its own value (max^n). What is added to them here:

* Wins that are proved are taken, and losses avoided: an edge after which the other seat wins by force is left alone
  while there is another.
* Several leaves of one tree can wait for their evaluation together. Each pending visit counts as a visit; for PUCT also
  as one that lost (virtual loss), so that simulations part ways. Gumbel's selection parts them by visits alone.
* What an earlier search found below the root can be kept: at the root, sequential halving counts new visits alone.

A node has its opened edges first, and right after them the one of the highest prior among the others
(`nodes.bring_forward`): neither formula can prefer another of those, so a simulation looks at no more edges than
that. The root's edges are all looked at, since its noise changes their order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.trees.nodes import MIN_PRIOR, NONE, Tree
from parlour.engine.trees.root_noise import gumbel, word_of
from parlour.rulebook.chance import draw
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS

MIN_RANGE = 1e-8
"""Values that are no further apart are not rescaled any further."""
LOST, OPEN, WON = -1, 0, 1


class Settings(NamedTuple):
    """How to search: see `parlour.search.Gumbel` and `parlour.search.Puct` for what most of it means."""

    gumbel: bool
    """Gumbel, or else PUCT"""
    prove: bool
    """whether forced wins are proved"""
    simulations: int
    leaves: int
    """how many leaves of a tree may wait for their evaluation together"""
    considered: int
    noise: float
    """the scale of the Gumbel noise, or the share of the Dirichlet noise"""
    alpha: float
    value_scale: float
    max_visit_init: float
    rescale_values: bool
    c_init: float
    c_base: float
    temperature: float
    virtual_loss: float


class Roots(NamedTuple):
    """What the roots of N trees have besides."""

    noise: Any
    """float64 (N, A), by the place of the edge at the root: Gumbel noise plus the logarithm of the prior; or, for PUCT,
    the prior with Dirichlet noise mixed in"""
    before: Any
    """int32 (N, A): the visits that the edge had before this search"""
    started: Any
    """int64 (N,): simulations that this search has begun"""
    winner: Any
    """int8 (N,): the seat that wins by force, NONE while that is not proved"""


# --- what both need ---


@kernel
def standing(edge: Any, seat: int) -> int:
    """WON for an edge after which ``seat`` wins by force, LOST where another does, else OPEN."""
    if edge.winner == NONE:
        return OPEN
    return WON if edge.winner == seat else LOST


@kernel
def best_standing(n: int, tree: Tree) -> int:
    """The best standing of any of node n's edges for its seat to act."""
    node = tree.nodes[n]
    best = LOST
    for e in range(node.first, node.first + node.count):
        best = max(best, standing(tree.edges[e], node.to_act))
    return best


@kernel
def forced_winner(n: int, tree: Tree) -> int:
    """The seat (of two) that wins by force from node n: the one to act by any winning edge, the other if all edges
    lose; NONE while neither is proved."""
    seat = tree.nodes[n].to_act
    best = best_standing(n, tree)
    if best == OPEN:
        return NONE
    return seat if best == WON else 1 - seat


# --- Gumbel ---


@kernel
def completed_values(
    n: int, edges: int, seat: int, settings: Settings, tree: Tree
) -> tuple[float, float, float, float, int]:
    """What is needed to turn the values of node n's first ``edges`` edges for ``seat`` into bonuses on their logits:
    the node's mixed value, which unvisited edges have, the value that gets no bonus, the bonus per unit of value, and
    the highest of all values; and how many visits they have, pending ones included."""
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
            value, prior = np.float64(edge.means[seat]), np.float64(edge.prior)
            mass += prior
            weighted += prior * value
            low = value if value < low else low
            high = value if value > high else high
    mixed = np.float64(node.values[seat])
    if done > 0:
        mixed = (mixed + done * (weighted / mass)) / (done + 1)
    low = mixed if mixed < low else low
    high = mixed if mixed > high else high
    factor = (settings.max_visit_init + most) * settings.value_scale
    if not settings.rescale_values:
        return mixed, 0.0, factor, high, taken
    spread = high - low
    return mixed, low, factor / (spread if spread > MIN_RANGE else MIN_RANGE), high, taken


@kernel
def completed_value(edge: Any, seat: int, mixed: float) -> float:
    """The mean of what an edge's visits found for ``seat``, or the node's ``mixed`` value before the first."""
    return np.float64(edge.means[seat]) if edge.visits else mixed


@kernel
def gumbel_edge(n: int, settings: Settings, tree: Tree, weights: Any, low: int) -> int:
    """The edge of node n, not the root, whose share of the visits is furthest below its probability in the improved
    policy. Row ``low`` of ``weights`` (float64 (N, A)) is scratch."""
    node = tree.nodes[n]
    first, opened, seat = node.first, node.opened, node.to_act
    if opened == 0:
        return first
    mixed, _, factor, high, taken = completed_values(n, opened, seat, settings, tree)
    total, unopened = 0.0, 1.0
    for k in range(opened):
        edge = tree.edges[first + k]
        weights[low, k] = edge.prior * math.exp(factor * (completed_value(edge, seat, mixed) - high))
        total += weights[low, k]
        unopened -= edge.prior
    best, highest = NONE, -math.inf
    if opened < node.count:
        bonus = math.exp(factor * (mixed - high))
        total += max(unopened, 0.0) * bonus
        best, highest = first + opened, tree.edges[first + opened].prior * bonus / total
    for k in range(opened):
        edge = tree.edges[first + k]
        score = weights[low, k] / total - (edge.visits + edge.pending) / (1 + taken)
        if standing(edge, seat) == LOST:
            continue
        if best == NONE or score > highest or (score == highest and edge.action < tree.edges[best].action):
            best, highest = first + k, score
    return best


@kernel
def gumbel_root_edge(i: int, wanted: int, liked: int, settings: Settings, tree: Tree, roots: Roots) -> int:
    """The root's edge of the highest score among those that this search has visited ``wanted`` times; where none of
    these can be taken, among all. Edges that stand worse than ``liked`` are not taken."""
    root = tree.nodes[0]
    seat = root.to_act
    mixed, base, factor, _, _ = completed_values(0, root.count, seat, settings, tree)
    best, best_fits, highest = NONE, False, -math.inf
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        if standing(edge, seat) < liked:
            continue
        fits = edge.visits + edge.pending - roots.before[i, k] == wanted
        score = roots.noise[i, k] + factor * (completed_value(edge, seat, mixed) - base)
        better = score > highest or (score == highest and edge.action < tree.edges[best].action)
        if best == NONE or (fits and not best_fits) or (fits == best_fits and better):
            best, best_fits, highest = root.first + k, fits, score
    return best


@kernel
def gumbel_result(i: int, settings: Settings, tree: Tree, roots: Roots, policies: Any) -> int:
    """Writes the improved policy of root i into row i of ``policies`` (float64 (N, A)), and returns the edge to play:
    of those that this search visited most, the one of the highest score."""
    root = tree.nodes[0]
    seat, liked = root.to_act, best_standing(0, tree)
    mixed, _, factor, high, _ = completed_values(0, root.count, seat, settings, tree)
    most, total = 0, 0.0
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        if standing(edge, seat) == liked:
            most = max(most, edge.visits - roots.before[i, k])
            bonus = math.exp(factor * (completed_value(edge, seat, mixed) - high))
            policies[i, edge.action] = edge.prior * max(bonus, MIN_PRIOR)
            total += policies[i, edge.action]
    for k in range(root.count):
        policies[i, tree.edges[root.first + k].action] /= total
    return gumbel_root_edge(i, most, liked, settings, tree, roots)


# --- PUCT ---


@kernel
def virtual_value(edge: Any, seat: int, settings: Settings) -> float:
    """The mean value for ``seat`` of an edge that has visits, each pending one counting as a loss."""
    lost = settings.virtual_loss * edge.pending
    return (edge.visits * np.float64(edge.means[seat]) - lost) / (edge.visits + edge.pending)


@kernel
def puct_edge(i: int, n: int, settings: Settings, tree: Tree, roots: Roots) -> int:
    """The edge of node n, which is not proved, with the highest sum of its value, rescaled, and what is left to explore
    of it. Lost edges are not taken."""
    node = tree.nodes[n]
    seat, seen = node.to_act, node.count if n == 0 else node.opened
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
    breadth = math.sqrt(visits) * (settings.c_init + math.log((visits + settings.c_base + 1) / settings.c_base))
    best, highest = NONE, -math.inf
    for k in range(seen + 1 if seen < node.count else seen):
        edge = tree.edges[node.first + k]
        if standing(edge, seat) == LOST:
            continue
        taken = edge.visits + edge.pending
        score = breadth * (roots.noise[i, k] if n == 0 else np.float64(edge.prior)) / (1 + taken)
        if taken > 0:
            score += (virtual_value(edge, seat, settings) - low) * scale
        if best == NONE or score > highest or (score == highest and edge.action < tree.edges[best].action):
            best, highest = node.first + k, score
    return best


@kernel
def puct_result(i: int, settings: Settings, tree: Tree, player_rng: Any, policies: Any) -> int:
    """Writes each action's share of the root's visits into row i of ``policies`` (float64 (N, A)), and returns the edge
    to play: drawn in proportion to visits^(1/temperature), or for temperature 0 the one that was visited most (of
    several, that of the highest value)."""
    root = tree.nodes[0]
    seat, liked, visits = root.to_act, best_standing(0, tree), 0
    for e in range(root.first, root.first + root.count):
        if standing(tree.edges[e], seat) == liked:
            visits += tree.edges[e].visits
    drawing = settings.temperature > 0 and visits > 0
    base = draw(player_rng) if drawing else NO_WORDS
    best, highest, most = NONE, -math.inf, 0
    for e in range(root.first, root.first + root.count):
        edge = tree.edges[e]
        if standing(edge, seat) < liked or (drawing and edge.visits == 0):
            continue
        # Where everything that was visited is lost, the network's priors are all that is known of the rest.
        policies[i, edge.action] = edge.visits / visits if visits else edge.prior
        if drawing:  # the highest of log-weights with Gumbel noise: drawn in proportion to the weights
            score = math.log(edge.visits) / settings.temperature + gumbel(word_of(base, edge.action))
        else:
            score = completed_value(edge, seat, np.float64(edge.prior))
        better = score > highest or (score == highest and edge.action < tree.edges[best].action)
        if best == NONE or (not drawing and edge.visits > most) or ((drawing or edge.visits == most) and better):
            best, highest, most = e, score, edge.visits
    return best


# --- what a root is worth ---


@kernel
def root_value(i: int, seat: int, settings: Settings, tree: Tree, policies: Any) -> float:
    """What ``seat`` can expect: the result, where it is proved; the mixed value (Gumbel); the mean of what the network
    said of the root and all its visits found (PUCT)."""
    root = tree.nodes[0]
    if best_standing(0, tree) != OPEN:
        value = 0.0
        for e in range(root.first, root.first + root.count):
            edge = tree.edges[e]
            value += policies[i, edge.action] * edge.means[seat]
        return value
    if settings.gumbel:
        return completed_values(0, root.count, seat, settings, tree)[0]
    value, visits = np.float64(root.values[seat]), 1
    for e in range(root.first, root.first + root.count):
        edge = tree.edges[e]
        value += edge.visits * np.float64(edge.means[seat])
        visits += edge.visits
    return value / visits
