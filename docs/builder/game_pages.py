"""The page of a game, made from its code and its README, and the list of all games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np

import parlour
from docs.builder.links import site_links
from parlour.arena.setting.ladder import rungs
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find, gymnasium_name
from parlour.players import parse_player
from parlour.players.people.rule_texts import lessons
from parlour.players.simulate import game_seeds, play_games
from parlour.records import record_game, replay, replay_page, write_animation
from parlour.rulebook.protocol import COMMON_ENDS, Plane

FRAMES = 40
"""Plies of the animated picture at most."""
PLAYER = "mcts:50"
"""Who plays the game that is shown."""
RANDOM_GAMES = 1000
"""Games of random play behind the figures of each variant."""
OF_THE_RULES = ("Sources", "The rules", "Variants", "Options", "Versions")
OF_PLAYERS = ("player", "expectimax", "Other programs")
"""What sections of a README are about, by their headings, or words in them; all others are about the environment."""
NAMED_ACTIONS = 12
"""Actions of the start that are listed with their names."""


def write_game_pages(docs: Path) -> None:
    """Writes ``games/<game>.md`` with its pictures for every game, and ``games/index.md``."""
    folder = docs / "games"
    for game in map(find, parlour.games()):
        pictures = folder / game.name
        pictures.mkdir(parents=True, exist_ok=True)
        write_pictures(game, pictures)
        write_if_new(folder / f"{game.name}.md", game_page(game))
    write_if_new(folder / "index.md", index_page())


def write_if_new(path: Path, text: str) -> None:
    """Writes a file, but leaves it as it is if it says the same, so that its page is not built again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_pictures(game: Game, folder: Path) -> None:
    """The start of every variant, and the lessons of the first, as SVG; and a game of `PLAYER` against itself: its
    first plies as a GIF, all of it as a page to step through."""
    for variant in game.variants:
        env = started(game, variant.name)
        (folder / f"{variant.name}.svg").write_text(env.svg(), encoding="utf-8")
    for number, (_, shown) in enumerate(lessons(game, None), 1):
        (folder / f"how-{number}.svg").write_text(shown.svg(), encoding="utf-8")
    env = started(game)
    record = record_game(env, [parse_player(PLAYER, game)] * len(env.possible_agents), seed=1)
    frames = [shown.svg() for _, shown in zip(range(FRAMES), replay(record, game.id))]
    write_animation(folder / "play.gif", frames)
    (folder / "replay.html").write_text(replay_page([record]), encoding="utf-8")


def started(game: Game, variant: str | None = None) -> GameEnv:
    """A game that has begun with seed 0."""
    env = parlour.make(game.id, variant=variant, illegal_move="raise")
    env.reset(seed=0)
    return env


def game_page(game: Game) -> str:
    """The page of a game: its README, with what the code knows put in its place."""
    introduction, *sections = re.split(r"^(?=## )", game.readme, flags=re.MULTILINE)
    introduction = re.sub(r"^(# .*\n|!\[.*\n|```python\n[^`]*```\n)", "", introduction, flags=re.MULTILINE)
    made = {
        "Variants": boards(game),
        "Actions": f"{action_names(game)}\n### Rewards and ends\n\n{ends(game)}",
        "Known numbers": f"### Random play\n\n{random_play(game)}",
    }
    parts: dict[str, list[str]] = {
        "Play": [introduction.strip() + "\n", play(game)],
        "Rules and sources": [],
        "Environment": [f"### Specification\n\n{specification(game)}"],
        "Champion and ladder": [],
    }
    for section in sections:
        heading = section.splitlines()[0].removeprefix("## ")
        if heading == "Options":
            section = with_defaults(game, section)
        parts[part_of(heading)] += [lowered(section).strip() + "\n", made.get(heading, "")]
    parts["Champion and ladder"][:0] = [champion(game), ladder(game)]
    jumps = " · ".join(f"[{name}](#{name.lower().replace(' ', '-')})" for name in parts)
    text = "".join(f"\n## {name}\n\n" + "\n".join(filter(None, texts)) for name, texts in parts.items())
    return site_links(f"# {game.title}\n\n{jumps}\n{text}", f"envs/{game.name}", f"docs/games/{game.name}.md")


def part_of(heading: str) -> str:
    """The part of a game's page to which a section of its README belongs."""
    if heading in OF_THE_RULES:
        return "Rules and sources"
    return "Champion and ladder" if any(word in heading for word in OF_PLAYERS) else "Environment"


def lowered(section: str) -> str:
    """A section with its headings one level down."""
    return re.sub(r"^(#+ )", r"#\1", section, flags=re.MULTILINE)


def play(game: Game) -> str:
    """How to play in a few pictures, and a whole game."""
    figures = [
        f":::{{figure}} {game.name}/how-{number}.svg\n:alt: Picture {number} of how to play\n\n{text}\n:::\n"
        for number, (text, _) in enumerate(lessons(game, None), 1)
    ]
    return (
        f"    parlour play {game.name}     # in the terminal\n"
        f"    parlour serve{' ' * len(game.name)}     # in the browser\n"
        f"    parlour rules {game.name}    # how to play, in the terminal\n\n"
        f"::::{{container}} boards\n{''.join(figures)}::::\n\n"
        f"![The first plies of a game of {PLAYER} against itself](../../docs/games/{game.name}/play.gif)\n\n"
        f"[Step through the whole game](../../docs/games/{game.name}/replay.html), which `parlour replay` wrote.\n"
    )


def ladder(game: Game) -> str:
    """The rungs of the game's ladders, from the weakest to the strongest; empty without one."""
    rows = [
        f"| {variant.name} | `{rung.player}` | {rung.elo:+.0f} | {rung.low:+.0f} to {rung.high:+.0f} |"
        for variant in game.variants
        for rung in rungs(game, variant.name)
    ]
    if not rows:
        return ""
    told = "### The ladder\n\nHow strong each rung is: see [How strong is my policy?](../../docs/strength.md).\n\n"
    return told + "| variant | rung | Elo | 95 % |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"


def champion(game: Game) -> str:
    """The card of the game's champion, if it has one, its headings one level down."""
    card = resources.files(game.package) / "CHAMPION.md"
    if not card.is_file():
        return ""
    _, _, text = card.read_text(encoding="utf-8").partition("\n")
    return "### The champion\n" + re.sub(r"^#(#+ )", r"###\1", text, flags=re.MULTILINE)


def table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def specification(game: Game) -> str:
    """What Farama's pages say of an environment, in a table."""
    env = started(game)
    layout = env.games.layout
    seats = ", ".join(f"`player_{p}` ({game.seat_name(p)})" for p in range(layout.seats))
    low, high = (pick(getattr(plane, end) for plane in layout.planes) for pick, end in ((min, "low"), (max, "high")))
    module = game.id.replace("-", "_")
    rows = [
        ("Import", f"`from parlour.envs import {module}`"),
        ("One game", f'`parlour.make("{game.id}")`, `{module}.env()`, `pettingzoo.make("aec", "parlour/{game.id}")`'),
        ("Many games", f'`parlour.make_batch("{game.id}", num_games=1024)`'),
        ("One learning seat", f'`gymnasium.make("parlour/{gymnasium_name(game)}", opponent="greedy")`'),
        ("Agents", seats),
        ("Number of agents", layout.seats),
        ("Action shape", f"`Discrete({layout.actions})`"),
        ("Action values", f"0 to {layout.actions - 1}, legal where the mask is 1"),
        ("Observation", '`Dict` of `"observation"` and `"action_mask"`'),
        ("Observation shape", f"`int8 {layout.shape}`: planes, rows, columns"),
        ("Observation values", f"{low} to {high}"),
        ("Steps of counts", steps_of(layout.planes)),
        ("Mask shape", f"`int8 ({layout.actions},)`"),
        ("Dice", f"{len(game.rules.DICE)}, with {len(env.chance_outcomes())} outcomes" if game.rules.DICE else "none"),
        ("Default variant", f"`{game.variants[0].name}`"),
        ("Size of a state", f"{game.rules.STATE.itemsize} bytes"),
    ]
    return table(("", ""), rows)


def steps_of(planes: Sequence[Plane]) -> str:
    """Which planes have which steps, for the wrapper `Thermometer`."""
    found: dict[tuple[int, ...], list[str]] = {}
    for c, plane in enumerate(planes):
        if plane.steps:
            found.setdefault(plane.steps, []).append(str(c))
    each = (f"planes {', '.join(numbers)}: {', '.join(map(str, steps))}" for steps, numbers in found.items())
    return "; ".join(each) or "none"


def boards(game: Game) -> str:
    """The starts of all variants, as figures."""
    figures = [
        f":::{{figure}} {game.name}/{variant.name}.svg\n:alt: The start of {variant.name}\n\n"
        f"`{variant.name}`: {variant.meaning}\n:::\n"
        for variant in game.variants
    ]
    dice = ", after the opening throws of seed 0" if game.rules.DICE else ""
    return f"How each begins{dice}:\n\n::::{{container}} boards\n{''.join(figures)}::::\n"


def with_defaults(game: Game, section: str) -> str:
    """The README's table of options with a further column: the default."""
    default = {f"`{option.name}`": f"`{option.default}`" for option in game.options}
    lines = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if line.startswith("| option |"):
            line = "| option | values | default | in words | meaning |"
        elif line.startswith("|---"):
            line = "|---|---|---|---|---|"
        elif line.startswith("|") and cells[0] in default:
            name, values, *rest = cells
            line = f"| {name} | {values} | {default[name]} | {' | '.join(rest)} |"
        lines.append(line)
    return "\n".join(lines)


def action_names(game: Game) -> str:
    """Numbers and names of some actions that are legal at the start."""
    env = started(game)
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    few = legal[np.linspace(0, len(legal) - 1, min(NAMED_ACTIONS, len(legal))).astype(int)]
    rows = [("action", *(str(action) for action in few)), ("name", *(f"`{env.move_name(int(a))}`" for a in few))]
    which = "The legal actions" if len(few) == len(legal) else f"{len(few)} of the {len(legal)} legal actions"
    return f"{which} at the start of `{game.variants[0].name}`:\n\n{table(rows[0], rows[1:])}"


def ends(game: Game) -> str:
    """The words for how a game ends, and what is paid."""
    own = ", ".join(f"`{word}`" for word in game.rules.ENDS[len(COMMON_ENDS) :])
    shared = [word for word in COMMON_ENDS[1:] if word in {option.name for option in game.options}]
    return (
        f"A game ends by {own}; or, as in all games, by {' or '.join(f'`{word}`' for word in shared)}. Its position "
        "then has the word as `end=`. [Rules that all games share](../../docs/common_rules.md) has the order of ends "
        "and the usual rewards: +1 for a win, −1 for a loss, 0 for a draw, at the last ply.\n"
    )


def random_play(game: Game) -> str:
    """How random games of each variant end, and how long they are."""
    words = [word for word in game.rules.ENDS[1:] if word != "repetition" or not game.rules.DICE]
    rows = []
    for variant in game.variants:
        env = started(game, variant.name)
        seats = len(env.possible_agents)
        results = play_games(game, env.values, [parse_player("random", game)] * seats, game_seeds(0, RANDOM_GAMES))
        shares = [np.mean(results.ends == game.rules.ENDS.index(word)) for word in words]
        rows.append([
            f"`{variant.name}`", *(f"{100 * np.mean(results.winners == p):.1f}" for p in range(seats)),
            f"{results.plies.mean():.0f}", f"{results.choices.sum() / results.plies.sum():.1f}",
            *(f"{100 * share:.1f}" for share in shares),
        ])  # fmt: skip
    heading = [
        "variant", *(f"{game.seat_name(p)} wins, %" for p in range(seats)), "plies", "legal actions",
        *(f"ends by `{word}`, %" for word in words),
    ]  # fmt: skip
    return (
        f"{RANDOM_GAMES:,} games of each variant in which every seat plays random legal actions, seed 0 "
        f"(`parlour simulate {game.name} --games {RANDOM_GAMES}`):\n\n{table(heading, rows)}"
    )


def index_page() -> str:
    """All games in one table, and the pages in order."""
    rows = []
    for game in map(find, parlour.games()):
        layout = started(game).games.layout
        picture = f"[![{game.title}](../pictures/{game.name}.png)]({game.name}.md)"
        sizes = f"{layout.seats} seats, {layout.actions} actions, observation {layout.shape}"
        rows.append((picture, f"[**{game.title}**]({game.name}.md) `{game.id}`<br>{game.summary}<br>{sizes}"))
    pages = "\n".join(game.name for game in map(find, parlour.games()))
    return (
        "# Games\n\nEach page has the specification of the environment, the rules clause by clause with source and "
        "ruling, the variants with their boards, planes, actions and texts, and numbers that are known of the game. "
        "[Rules that all games share](../common_rules.md) has what holds in every one of them.\n\n"
        f"{table(('', ''), rows)}\n"
        f"```{{toctree}}\n:hidden:\n\n{pages}\n../common_rules\n```\n"
    )
