"""How a tree search round a network chooses its actions: see `parlour.engine.trees.policies` for the formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from parlour.rulebook.protocol import MAX_ACTIONS
from parlour.support.arguments import real_number, whole_number


@dataclass(frozen=True)
class Gumbel:
    """Gumbel AlphaZero (Danihelka and others, *Policy Improvement by Planning with Gumbel*, ICLR 2022): its policy is
    better than the network's with as few as two simulations. Names are those of mctx.

    Attributes:
        max_num_considered_actions: how many actions of the root sequential halving begins with, from 1 up.
        gumbel_scale: the scale of the Gumbel noise, from 0 up: 1 for self-play, 0 for the best play.
        value_scale: how strongly values found change the policy, above 0.
        maxvisit_init: what is added to the most visits in this, from 0 up.
        rescale_values: whether values are rescaled to 0 to 1 by the lowest and highest at each node. Without it they
            count as they are.
    """

    max_num_considered_actions: int = 16
    gumbel_scale: float = 1.0
    value_scale: float = 0.1
    maxvisit_init: float = 50.0
    rescale_values: bool = True

    def __post_init__(self) -> None:
        whole_number("max_num_considered_actions", self.max_num_considered_actions, 1, MAX_ACTIONS)
        real_number("gumbel_scale", self.gumbel_scale, 0)
        real_number("value_scale", self.value_scale, 0, above=True)
        real_number("maxvisit_init", self.maxvisit_init, 0)


@dataclass(frozen=True)
class Puct:
    """PUCT as in AlphaZero and MuZero (Silver and others, Science 362, 2018; Schrittwieser and others, Nature 588,
    2020): its policy is each action's share of the visits. Names are those of mctx.

    Attributes:
        dirichlet_fraction: how much of the root's priors is Dirichlet noise, from 0 to 1: 0.25 for self-play, 0 for the
            best play.
        dirichlet_alpha: the concentration of that noise, above 0.
        temperature: actions are drawn in proportion to visits^(1/temperature); 0: the most visited is played.
        pb_c_init: how much is explored, from 0 up.
        pb_c_base: after about how many visits that grows, above 0.
        virtual_loss: what a visit costs the seat to act while its leaf waits for evaluation, from 0 up; it matters with
            several leaves a tree alone.
    """

    dirichlet_fraction: float = 0.25
    dirichlet_alpha: float = 0.3
    temperature: float = 1.0
    pb_c_init: float = 1.25
    pb_c_base: float = 19652.0
    virtual_loss: float = 1.0

    def __post_init__(self) -> None:
        real_number("dirichlet_fraction", self.dirichlet_fraction, 0, 1)
        real_number("dirichlet_alpha", self.dirichlet_alpha, 0, above=True)
        real_number("temperature", self.temperature, 0)
        real_number("pb_c_init", self.pb_c_init, 0)
        real_number("pb_c_base", self.pb_c_base, 0, above=True)
        real_number("virtual_loss", self.virtual_loss, 0)


def typed_numbers(method: Gumbel | Puct) -> dict[str, Any]:
    """The numbers of a method, each of the type of its default, as compiled code needs them."""
    defaults: list[tuple[str, Any]] = [(field.name, field.default) for field in fields(method)]
    return {name: type(default)(getattr(method, name)) for name, default in defaults}


def sequential_halving(considered: int, simulations: int) -> list[int]:
    """For each simulation in turn, how often the action that it takes at the root must have been taken before: so that
    of ``considered`` actions all are taken equally often, then the better half of them twice as often again, and so on.

    Karnin, Koren and Somekh, *Almost Optimal Exploration in Multi-Armed Bandits* (ICML 2013), as mctx shares it out.
    """
    if considered <= 1:
        return list(range(simulations))
    halvings = math.ceil(math.log2(considered))
    order: list[int] = []
    taken, left = 0, considered
    while len(order) < simulations:
        for _ in range(max(simulations // (halvings * left), 1)):
            order += [taken] * left
            taken += 1
        left = max(left // 2, 2)
    return order[:simulations]
