"""Turns as people write them, in several notations."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from parlour.interfaces.moves import pieces_of

STYLES = ("names", "commas", "any order", "times", "with the throw", "ways")


def plies_of_a_turn(env: Any, rng: random.Random) -> list[int]:
    """A random turn of the seat to act: its plies, up to the end of the turn or a throw. ``env`` stays as it is."""
    twin, plies = env.clone(), []
    agent = twin.agent_selection
    thrown = tuple(twin.games.dice_rng[0].tolist())
    while not twin.is_over() and twin.agent_selection == agent and tuple(twin.games.dice_rng[0].tolist()) == thrown:
        plies.append(int(rng.choice(twin.observe(agent)["action_mask"].nonzero()[0])))
        twin.step(plies[-1])
        if twin.games.states["turn_over"][0]:
            break
    return plies


def names_of(env: Any, plies: list[int]) -> list[str]:
    """Their names."""
    twin, names = env.clone(), []
    for action in plies:
        names.append(twin.move_name(action))
        twin.step(action)
    return names


def after(env: Any, plies: list[int]) -> str:
    """The position after a turn, with the throw that follows it."""
    twin = env.clone()
    for action in plies:
        twin.step(action)
    return str(twin.position())


def written(
    names: list[str], ways: list[tuple[str, ...]], dice: tuple[int, ...], style: str, rng: random.Random
) -> str:
    """A turn in a notation of `STYLES`."""
    if style == "commas":
        return ", ".join(names)
    if style == "any order" and len(names) < 6:
        return " ".join(rng.sample(names, len(names)))
    if style == "times":
        return " ".join(name if count == 1 else f"{name}({count})" for name, count in Counter(names).items())
    if style == "with the throw" and len(dice) == 2:
        return f"{dice[0]}{dice[1]}: {' '.join(names)}"
    if style == "ways" and all(len(way) == 2 for way in ways):
        return " ".join("/".join(way) for way in chained(ways))
    return " ".join(names)


def chained(ways: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Ways of which each begins where an earlier one ends become one."""
    chains: list[tuple[str, ...]] = []
    for way in ways:
        k = next((k for k, chain in enumerate(chains) if chain[-1] == way[0]), None)
        if k is None:
            chains.append(way)
        else:
            chains[k] = (*chains[k], *way[1:])
    return chains


def ways_of(env: Any, plies: list[int]) -> list[tuple[str, ...]]:
    """From where to where the plies of a turn lead."""
    twin, ways = env.clone(), []
    for action in plies:
        way = getattr(twin.game.notation, "way", None)
        ways.append(pieces_of(twin.move_name(action)) if way is None else tuple(way(action, twin.games.states[0])))
        twin.step(action)
    return ways
