"""The games that are known, by their ids, and how to make environments of them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

import parlour.envs
from parlour.engine.game import Game, load_game
from parlour.engine.game_files import check_layout
from parlour.interfaces.game_info import GameInfo, info_of
from parlour.rulebook.options import option_line
from parlour.rulebook.protocol import Layout
from parlour.support.arguments import one_of, shown
from parlour.support.errors import listing, near_miss

if TYPE_CHECKING:
    from parlour.engine.variant_mix import VariantLike
    from parlour.interfaces.aec import GameEnv
    from parlour.interfaces.batch import Batch

ENTRY_POINTS = "parlour.games"
"""The entry-point group in which an installed distribution names its games, a package each, so that they are known
without being imported first: ``[project.entry-points."parlour.games"]``, ``my_game = "my.package"``."""
GAME_NAMES: dict[str, type | tuple[type, ...]] = {"TITLE": str, "VERSION": int, "SEAT_NAMES": (tuple, list)}
"""What the package of a game must define, and of which type."""

_GAMES: dict[str, Game] = {}
_installed: dict[str, bool] = {}
"""The modules of `ENTRY_POINTS`: whether they have been looked at."""


def register(package: str) -> Game:
    """Makes the game in a package known: to `make`, `make_batch`, ``pettingzoo.make``, ``gymnasium.make`` (its
    single-seat face, `parlour.wrappers.self_play`) and the command line.

    ``package`` is the full name of a package laid out as CONTRIBUTING.md says ("Adding a game"), such as
    ``parlour.envs.agon``. Returns the game. Raises ValueError for a package that is not a game, for one that lacks a
    file or variants, for names of options, variants and seats that are not valid, for values that an option does not
    take, for sizes that no game can have under a variant, if another package has that id already, or if its rules were
    reloaded after they were used; ImportError for one that cannot be imported.
    """
    game = _game_in(package)
    if game.is_reloaded:
        raise ValueError(f"{package}: its rules were reloaded after they were used; start a new process to play them")
    _check(game)
    return _add(game)


def _game_in(package: str) -> Game:
    root = import_module(package)
    missing = [name for name in GAME_NAMES if not hasattr(root, name)]
    if missing:
        raise ValueError(f"{package} is not the package of a game: it does not define {listing(missing)}")
    for name, kind in {**GAME_NAMES, "RECORD_FORMS": Mapping}.items():
        if not isinstance(getattr(root, name, {}), kind):
            raise ValueError(f"{package}: its {name} can't be {shown(getattr(root, name))}")
    if root.VERSION < 0:
        raise ValueError(f"{package}: its VERSION can't be {root.VERSION}; valid: whole numbers from 0 up")
    seats = root.SEAT_NAMES
    if not all(isinstance(name, str) and name for name in seats) or len(set(seats)) < len(seats):
        raise ValueError(f"{package}: its SEAT_NAMES can't be {shown(seats)}; valid: texts that are all different")
    return load_game(package)


def _check(game: Game) -> None:
    """ValueError for files that are missing or not as `parlour.engine.game_files` says, for a variant that the game's
    own code refuses, and for one of sizes that no game can have; for other option values, `Game.layout` raises it."""
    layouts: list[Layout] = []
    try:
        variants, rules = game.variants, game.rules
        for variant in variants:
            try:
                layouts.append(rules.layout(game.resolve(variant.name, {})[1]))
            except ValueError as error:
                raise ValueError(f"{game.id}: variant {variant.name!r}: {error}") from error
        _ = game.evaluation, game.notation, game.drawing, game.guide, game.has_endings and game.endings
    except ValueError:
        raise
    except Exception:  # what else may be wrong with the game's own code is told where it is used
        return
    for layout in layouts:
        check_layout(game.id, layout)


def _add(game: Game) -> Game:
    """Makes a game known; ValueError if another package has its id already."""
    known = _GAMES.setdefault(game.id, game)
    if known != game:
        raise ValueError(f"the id {game.id!r} of {game.package} belongs to {known.package} already")
    if hasattr(pettingzoo, "register") and f"parlour/{game.id}" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", f"parlour/{game.id}", entry_point=partial(make, game.id))
        pettingzoo.register("parallel", f"parlour/{game.id}", entry_point=partial(_make_parallel, game.id))
    single_seat = f"parlour/{gymnasium_name(game)}"
    if single_seat not in gymnasium.registry:
        gymnasium.register(
            single_seat,
            entry_point="parlour.wrappers.self_play:make_self_play",
            vector_entry_point="parlour.wrappers.self_play_vector:SelfPlayVectorEnv",
            kwargs={"game": game.id},
            order_enforce=False,  # it checks that itself; in wrappers it would not be drawn in notebooks
            disable_env_checker=True,
        )
    return game


def _make_parallel(game: str, **options: Any) -> pettingzoo.ParallelEnv[str, Any, Any]:
    """The game for libraries that know agents in parallel alone: each step takes an action of every agent, and plays
    that of the agent whose turn it is."""
    from pettingzoo.utils import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(make(game, **options))


def gymnasium_name(game: Game) -> str:
    """``SwordsAndShields-v0``: the id in Gymnasium's style."""
    name, _, number = game.id.rpartition("-")
    return "".join(word.capitalize() for word in name.split("_")) + f"-{number}"


def register_from(module: str) -> None:
    """Imports a module that registers games, or is the package of one. Raises what the import raises."""
    imported = import_module(module)
    if all(hasattr(imported, name) for name in GAME_NAMES):
        register(module)


def register_installed() -> None:
    """Registers the games that installed distributions name (see `ENTRY_POINTS`), as ``import parlour`` does. A game
    that cannot be loaded gives a warning; one whose own import is still under way, since it imports parlour itself,
    comes later, when a game is looked up."""
    for entry in entry_points(group=ENTRY_POINTS):
        if _installed.get(entry.module):
            continue
        half_imported = getattr(getattr(sys.modules.get(entry.module), "__spec__", None), "_initializing", False)
        _installed[entry.module] = not half_imported  # first, since what is imported now may look up a game
        if half_imported:
            continue
        try:
            _add(_game_in(entry.module))
        except Exception as error:  # whatever other people's code raises
            owner = entry.dist.name if entry.dist else "?"
            warnings.warn(
                f"the game {entry.value!r} of the distribution {owner!r} can't be used: {error!r}",
                RuntimeWarning,
                stacklevel=3,
            )


def _register_waiting() -> None:
    """Registers the installed games that could not be before."""
    if not all(_installed.values()):
        register_installed()


def find(game: object) -> Game:
    """The game with an id such as ``agon-v0``, or with a name such as ``agon``. ValueError for an unknown one."""
    match = _known(game)
    if match is None:
        _register_waiting()
        match = _known(game)
    if match is None:
        names = [name for known in _GAMES.values() for name in (known.name, known.id)]
        raise ValueError(
            f"there is no game {game!r:.80}; games: {listing(list(_GAMES))}{near_miss(game, names)} (a game of your "
            "own: parlour.register('my.package'); on the command line the package's name is enough, such as parlour "
            "compare my.package)"
        )
    return match


def _known(game: object) -> Game | None:
    return next((known for known in _GAMES.values() if game in (known.id, known.name)), None)


def game_with_form(suffix: str) -> Game | None:
    """The game that has a form of record of its own with this ending of file names, such as ``.pdn``; None for JSON."""
    return next((game for game in _games() if suffix.lower() in game.record_forms), None)


def record_endings() -> list[str]:
    """The file name endings of a game's own forms of record."""
    return [ending for game in _games() for ending in game.record_forms]


def games() -> dict[str, str]:
    """The id of every game, with one line on it."""
    return {game.id: game.summary for game in _games()}


def _games() -> list[Game]:
    _register_waiting()
    return list(_GAMES.values())


def variants(game: str) -> dict[str, str]:
    """The name of every variant of a game, the default first, with one line on it. ValueError for an unknown game."""
    return {variant.name: variant.meaning for variant in find(game).variants}


def options(game: str) -> dict[str, str]:
    """The name of every option of a game, with one line: values, default, meaning. ValueError for an unknown game."""
    return {option.name: option_line(option) for option in find(game).options}


def info(game: str, variant: str | None = None, **values: object) -> GameInfo:
    """What a game is under given options, as data: seats, actions, planes, dice, ends and more.

    ``variant``, ``values``: as in `make`. ValueError for an unknown game, variant or option, or an invalid value.
    """
    return info_of(find(game), variant, values)


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
        render_mode: ``"rgb_array"``, ``"human"``, ``"ansi"``, ``"svg"`` or None.
        illegal_move: ``"terminate"`` does what PettingZoo's usual wrappers do (−1 and the end, with a warning);
            ``"raise"`` raises `parlour.IllegalMove` and leaves the state unchanged.
        **values: any option from `options`, on top of the variant.

    Raises:
        ValueError: for an unknown game, variant or option or an invalid value, naming it and what is valid.
    """
    from parlour.interfaces.aec import GameEnv

    return GameEnv(find(game), variant, values, render_mode, illegal_move)


def make_batch(
    game: str,
    num_games: int,
    *,
    variant: VariantLike | Sequence[VariantLike] = None,
    weights: Sequence[float] | None = None,
    variant_planes: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    autoreset: Any = "same_step",
    copy: bool = False,
    device: str = "cpu",
    **values: object,
) -> Batch:
    """Many games of one kind, stepped in one compiled call: see `parlour.Batch`.

    Args:
        game: an id such as ``"agon-v0"``.
        num_games: N, at least 1.
        variant: a name from `variants`; None for the game's first. Or a list, among which every new game of every row
            chooses, of names and of mappings of option values (``{"variant": "ring", "touch_move": True}``).
        weights: one number a variant, in proportion to which games take them; None: all alike.
        variant_planes: ``"variant"`` adds to the observation a plane for each variant, all 1 where it is played;
            ``"options"`` one for each option that differs among them, holding the place of its value.
        seed: the random seed; `Batch.seed_of` gives each game's own. None: a fresh one.
        threads: how many threads share the rows, at least 1; the games do not depend on it.
        autoreset: ``"same_step"``, ``"next_step"`` or ``"disabled"``, or a `gymnasium.vector.AutoresetMode`.
        copy: whether `Batch.step` returns copies instead of views of its buffers.
        device: ``"cpu"``; or ``"cuda"`` for a `parlour.interfaces.cuda_batch.CudaBatch`, whose arrays are on a GPU. It
            needs ``parlour[cuda]``.
        **values: any option from `options`, on top of the variant.

    Raises:
        ValueError: for anything unknown or out of range, naming it and what is valid.
    """
    from parlour.engine.variant_mix import read_variants
    from parlour.interfaces.batch import Batch

    known = find(game)
    variant_mix = read_variants(known, variant, values, weights, variant_planes)
    batch = Batch(known, num_games, variant_mix, seed, threads, autoreset, copy)
    if one_of("device", device, ("cpu", "cuda")) == "cpu":
        return batch
    from parlour.interfaces.cuda_batch import CudaBatch

    return CudaBatch(batch)  # type: ignore[return-value]  # it has the same calls


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
    _module_convention(_add(_game_in(f"parlour.envs.{_name}")))
