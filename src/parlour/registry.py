"""What games there are, and how to get one: ids to environments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

import parlour.envs
from parlour.engine.game import Game, RecordForm, load_game
from parlour.errors import listing
from parlour.rulebook.options import option_line

if TYPE_CHECKING:
    from parlour.aec import GameEnv
    from parlour.batch import Batch
    from parlour.engine.variant_mix import Choice

_GAMES: dict[str, Game] = {}


def register(package: str) -> Game:
    """Makes the game in a package known: to `make`, `make_batch`, ``pettingzoo.make``, ``gymnasium.make`` (its
    single-seat face, `parlour.wrappers.self_play`) and the command line.

    ``package`` is the full name of a package laid out as CONTRIBUTING.md says ("Adding a game"), such as
    ``parlour.envs.agon``. Returns the game. Raises ValueError if another package has that id already.
    """
    game = load_game(package)
    known = _GAMES.setdefault(game.id, game)
    if known != game:
        raise ValueError(f"the id {game.id!r} of {package} belongs to {known.package} already")
    entry_point = partial(make, game.id)
    if hasattr(pettingzoo, "register") and f"parlour/{game.id}" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", f"parlour/{game.id}", entry_point=entry_point)
    single_seat = f"parlour/{gymnasium_name(game)}"
    if single_seat not in gymnasium.registry:
        gymnasium.register(
            single_seat,
            entry_point="parlour.wrappers.self_play:make_self_play",
            vector_entry_point="parlour.wrappers.self_play_vector:SelfPlayVectorEnv",
            kwargs={"game": game.id},
        )
    return game


def gymnasium_name(game: Game) -> str:
    """``SwordsAndShields-v0``: ids in the form that Gymnasium's own have."""
    name, _, number = game.id.rpartition("-")
    return "".join(word.capitalize() for word in name.split("_")) + f"-{number}"


def find(game: object) -> Game:
    """The game with an id such as ``agon-v0``, or with a name such as ``agon``. ValueError for an unknown one."""
    for candidate in _GAMES.values():
        if game in (candidate.id, candidate.name):
            return candidate
    raise ValueError(f"there is no game {game!r}; games: {listing(list(_GAMES))}")


def record_form(suffix: str) -> RecordForm | None:
    """The form of record that a file's name stands for by its ending, such as ``.pdn``; None for lines of JSON."""
    for game in _GAMES.values():
        if suffix.lower() in game.record_forms:
            return game.record_form(suffix.lower())
    return None


def games() -> dict[str, str]:
    """The id of every game, with one line on it."""
    return {game.id: game.summary for game in _GAMES.values()}


def variants(game: str) -> dict[str, str]:
    """The name of every variant of a game, the default first, with one line on it. ValueError for an unknown game."""
    return {variant.name: variant.meaning for variant in find(game).variants}


def options(game: str) -> dict[str, str]:
    """The name of every option of a game, with one line: values, default, meaning. ValueError for an unknown game."""
    return {option.name: option_line(option) for option in find(game).options}


def make(
    game: str,
    *,
    variant: str | None = None,
    render_mode: str | None = None,
    illegal_move: str = "terminate",
    **values: object,
) -> GameEnv:
    """A PettingZoo AEC environment.

    Args:
        game: an id such as ``"agon-v0"``.
        variant: a name from `variants`; None for the game's first.
        render_mode: ``"rgb_array"``, ``"human"``, ``"ansi"`` or None.
        illegal_move: ``"terminate"`` does what PettingZoo's usual wrappers do (−1 and the end, with a warning);
            ``"raise"`` raises `parlour.IllegalMove` and leaves the state unchanged.
        **values: any option from `options`, on top of the variant.

    Raises:
        ValueError: for a game, variant, option or value that there is not, naming it and what is valid.
    """
    from parlour.aec import GameEnv

    return GameEnv(find(game), variant, values, render_mode, illegal_move)


def make_batch(
    game: str,
    num_games: int,
    *,
    variant: Choice | Sequence[Choice] = None,
    weights: Sequence[float] | None = None,
    variant_planes: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    autoreset: Any = "same_step",
    copy: bool = False,
    **values: object,
) -> Batch:
    """Many games of one kind, stepped in one compiled call: see `parlour.batch.Batch`.

    Args:
        game: an id such as ``"agon-v0"``.
        num_games: N, at least 1.
        variant: a name from `variants`; None for the game's first. Or a list, among which every new game of every row
            chooses, of names and of mappings of option values (``{"variant": "ring", "touch_move": True}``).
        weights: one number a variant, in proportion to which games take them; None: all alike.
        variant_planes: ``"variant"`` adds to the observation a plane for each variant, all 1 where it is played;
            ``"options"`` one for each option that differs among them, holding the place of its value.
        seed: what all randomness comes from; `Batch.seed_of` names each game's own. None for a fresh one.
        threads: how many threads share the rows, at least 1; the games do not depend on it.
        autoreset: ``"same_step"``, ``"next_step"`` or ``"disabled"``, or a `gymnasium.vector.AutoresetMode`.
        copy: whether `Batch.step` returns copies instead of views of its buffers.
        **values: any option from `options`, on top of the variant.

    Raises:
        ValueError: for anything that there is not or that is out of range, naming it and what is valid.
    """
    from parlour.batch import Batch
    from parlour.engine.variant_mix import read_menu

    known = find(game)
    menu = read_menu(known, variant, values, weights, variant_planes)
    return Batch(known, num_games, menu, seed, threads, autoreset, copy)


def _module_convention(game: Game) -> None:
    """PettingZoo's classic convention: the module ``parlour.envs.agon_v0`` with ``env`` and ``raw_env``."""
    name = game.id.replace("-", "_")
    module = ModuleType(f"parlour.envs.{name}", game.summary)
    functions: dict[str, Callable[..., Any]] = {
        "env": partial(make, game.id),
        "raw_env": partial(make, game.id, illegal_move="raise"),
    }
    for attribute, function in functions.items():
        function.__doc__ = make.__doc__
        setattr(module, attribute, function)
    sys.modules[module.__name__] = module
    setattr(parlour.envs, name, module)


for _name in parlour.envs.GAMES:
    _module_convention(register(f"parlour.envs.{_name}"))
