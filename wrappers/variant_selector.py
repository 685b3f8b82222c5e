"""`VariantSelector`: a variant for each episode."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.seeds import check_seed, seed_words
from parlour.engine.variant_mix import VariantLike, read_cumulative, read_variants, single
from parlour.interfaces.spaces import observation_space
from parlour.rulebook.chance import FOR_VARIANTS, STREAM, pick, start
from parlour.rulebook.protocol import Plane
from parlour.rulebook.state_records import records
from parlour.support.arguments import is_whole, reset_options, shown
from parlour.support.errors import listing
from parlour.wrappers.base import ObservationWrapper, bottom_of, parts_of, planes_of, wrappers_of

Weights = Sequence[float]


def read_schedule(schedule: Mapping[int, Any], count: int) -> dict[int, NDArray[np.float64]]:
    """A curriculum's cumulative probabilities by the first episode of each stage; ValueError for an invalid one."""
    stages = list(schedule) if isinstance(schedule, Mapping) else []
    if 0 not in stages or not all(is_whole(first) and first >= 0 for first in stages):
        raise ValueError(
            f"a schedule maps first episodes, whole numbers with 0 among them, to weights; not {shown(schedule)}"
        )
    return {int(first): read_cumulative(weights, count) for first, weights in schedule.items()}


class VariantSelector(ObservationWrapper):
    """Chooses a variant at each reset; the spaces stay the same.

    * observation: unchanged, or with ``planes`` (C + E, H, W): the planes beneath, then E constant ones of their type
      that tell the variant, so that one agent can learn all variants.
    * action, reward: unchanged.
    * info: ``"variant"``, the number of the variant played, in the order of `labels`.

    ``reset(options={"variant": …})`` forces one, by its label or number. With the same seed and weights the variants,
    and the games, are those of ``make_batch(…, variant=[…], weights=…)``. (``choose`` has a generator of its own.)

    Attributes:
        labels: the names of the variants, in the order of their numbers.
        episode: the number of the current episode, from 0; −1 before the first.
    """

    def __init__(
        self,
        env: AECEnv[str, Any, Any],
        variants: Sequence[VariantLike] | None = None,
        *,
        weights: Weights | None = None,
        schedule: Mapping[int, Weights] | None = None,
        choose: Callable[[int, np.random.Generator], str | int] | None = None,
        planes: str | None = None,
    ) -> None:
        """
        Args:
            env: an environment of `parlour.make`; options that were given to it stay on top of each variant.
            variants: names, or mappings of option values (``{"variant": "ring", "touch_move": True}``); None: all the
                game's named variants.
            weights: one number per variant; a variant's probability is proportional to it. None: all the same.
            schedule: a curriculum: weights by the episode (from 0) from which they count; 0 must be there.
            choose: a function of the number of the episode and a random generator to the label or number of a variant.
            planes: ``"variant"``: a plane a variant, 1 where it is played; ``"options"``: a plane for each option that
                differs among them, holding the place of its value among those that occur; None: no planes.

        Raises:
            ValueError: for variants, weights, a schedule or planes that are not valid, for more than one of
                ``weights``, ``schedule`` and ``choose``, and for an ``env`` that a `VariantSelector` is around already.
        """
        ways = {"weights": weights, "schedule": schedule, "choose": choose}
        named = [name for name, value in ways.items() if value is not None]
        if len(named) > 1:
            raise ValueError(f"{named[0]} and {named[1]} can't be given together")
        if choose is not None and not callable(choose):
            raise ValueError(f"choose is a function of (episode, generator), or None, not {shown(choose)}")
        if variants is not None and not isinstance(variants, (list, tuple)):
            raise ValueError(f"variants is a list of names or mappings, or None, not {shown(variants)}")
        game_env = bottom_of(env)
        if any(isinstance(wrapper, VariantSelector) for wrapper in wrappers_of(env)):
            raise ValueError(f"a VariantSelector beneath chooses the variants already: {env!r}; take one of the two")
        named = [variant.name for variant in game_env.game.variants]
        choices = named if variants is None else list(variants)
        self._variant_mix = read_variants(game_env.game, choices, game_env.overrides, None, planes)
        self._alone = [
            single(game_env.game, entry.values, entry.label, entry.variant) for entry in self._variant_mix.entries
        ]
        if self._alone[0].layout != game_env.games.layout:
            raise ValueError(f"variant {self._variant_mix.labels[0]!r} has other spaces than {env!r}")
        self._schedule = read_schedule({0: weights} if schedule is None else schedule, len(choices))
        self._choose = choose
        self.labels = self._variant_mix.labels
        self.episode, self._played, self._infos = -1, 0, {agent: {"variant": 0} for agent in env.possible_agents}
        self._selector: NDArray[Any] | None = None
        self._generator = np.random.default_rng(0)
        if planes is None:
            self.made = frozenset()
        super().__init__(env)
        self._templates = [self._template(badge) for badge in self._variant_mix.variant_planes] if planes else []

    def _template(self, badge: NDArray[np.int8]) -> NDArray[Any]:
        """What is seen of a variant, except for the planes beneath, which are 0."""
        space = planes_of(self.observation_space(self.possible_agents[0]))
        template = np.zeros(space.shape, space.dtype)
        template[len(template) - len(badge) :] = badge[:, None, None]
        return template

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """With the planes that tell the variant."""
        if self._variant_mix.planes_kind is None:
            return space
        shown, added = planes_of(space), planes_of(observation_space(self._variant_mix.layout))
        count = self._variant_mix.variant_planes.shape[1]
        low, high = (np.concatenate([getattr(shown, end), getattr(added, end)[-count:]]) for end in ("low", "high"))
        planes = spaces.Box(low.astype(shown.dtype), high.astype(shown.dtype), dtype=shown.dtype.type)
        return spaces.Dict({**parts_of(space), "observation": planes})

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those beneath, and those that tell the variant."""
        count = self._variant_mix.variant_planes.shape[1]
        return (*super().planes, *self._variant_mix.layout.planes[len(self._variant_mix.layout.planes) - count :])

    def see(self, observation: Any, agent: str) -> Any:
        """With the planes that tell the variant."""
        if self._templates:
            planes = observation["observation"]
            seen = observation["observation"] = self._templates[self._played].copy()
            seen[: len(planes)] = planes
        return observation

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """Those beneath, and the number of the variant."""
        return {agent: self._info(agent) for agent in self.env.infos}

    def _info(self, agent: str) -> dict[str, Any]:
        """An info from beneath with the number of the variant; where there is nothing else, the same all the time."""
        info = self.env.infos[agent]
        return {**info, **self._infos[agent]} if info else self._infos[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game of the next variant: see `GameEnv.reset`. A position needs its variant beside it."""
        options = reset_options(options)
        if options.get("position") is not None and options.get("variant") is None and len(self.labels) > 1:
            raise ValueError(f"a position needs its variant beside it; variants: {listing(self.labels)}")
        if seed is not None or self._selector is None:
            seed = check_seed(seed)
        dice_rng = self._streams(seed)
        number = (
            self._next(*dice_rng) if options.get("variant") is None else self._variant_mix.number(options["variant"])
        )
        self.env.reset(seed, {**options, "variant": self._alone[number]})
        self._selector, self._generator = dice_rng
        self.episode, self._played = self.episode + 1, number
        self._infos = {agent: {"variant": number} for agent in self.possible_agents}

    def _streams(self, seed: int | None) -> tuple[NDArray[Any], np.random.Generator]:
        """The stream for weights and the generator for ``choose``: new ones for a seed, else copies of the present."""
        if seed is None:
            assert self._selector is not None
            generator = self._generator if self._choose is None else copy.deepcopy(self._generator)
            return self._selector.copy(), generator  # copies: a reset that fails draws nothing
        variant_rng = records(1, STREAM)
        variant_rng["counter"] = start(seed_words([seed]), FOR_VARIANTS)
        return variant_rng, np.random.default_rng([seed, int(FOR_VARIANTS)])

    def _next(self, variant_rng: NDArray[Any], generator: np.random.Generator) -> int:
        episode = self.episode + 1
        if self._choose is not None:
            return self._variant_mix.number(self._choose(episode, generator))
        if len(self.labels) == 1:
            return 0
        cumulative = self._schedule[max(first for first in self._schedule if first <= episode)]
        return int(pick(variant_rng[0], cumulative))
