"""Pictures: drawn as shapes alone, the same for the same state, and showing what is to be seen of it."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.rendering import rasterise
from parlour.records.animation import ANIMATION_WIDTH, write_animation
from parlour.rulebook.svg_text import GAP, GLYPHS, GRID_HEIGHT, PEN, text_path, text_width
from parlour.testing.pictures import require_svg
from tests.support.cases import PRINTED_GAMES, VARIANTS

SWORDS = "swords_and_shields-v0"
START = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
Pixels = NDArray[np.uint8]
SMALL = 240
"""A width in pixels that is quickly drawn, and enough to see what differs."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are the first pixels outside."""

each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)


def at(position: str, variant: str | None = None, render_mode: str | None = None, **values: object) -> GameEnv:
    env = parlour.make(SWORDS, variant=variant, render_mode=render_mode, **values)
    env.reset(seed=0, options={"position": position})
    return env


@cache
def pixels_at(position: str, variant: str | None = None) -> Pixels:
    return rasterise(at(position, variant).svg())


def differing(first: Pixels, second: Pixels) -> NDArray[np.bool_]:
    assert first.shape == second.shape
    return (first != second).any(axis=2)


def bounds(where: NDArray[np.bool_]) -> Box:
    assert where.any()
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def text_of(pieces: dict[str, str], seat: str) -> str:
    """The position text of pieces by dot name."""
    rows = ["".join(pieces.get(file + rank, ".") for file in "abcdefghi") for rank in "987654321"]
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows)) + " " + seat


@cache
def cell(dot: str) -> Box:
    """Where a sword (on e5 the Chief) is drawn: what differs from two pictures where it stands elsewhere."""
    others = [other for other in ("b8", "h2", "b2") if other != dot]
    fixed, moving = ({"c7": "s"}, "c") if dot == "e5" else ({"d4": "c"}, "s")
    here, there, yonder = (pixels_at(text_of({**fixed, each: moving}, "s")) for each in (dot, *others[:2]))
    return bounds(differing(here, there) & differing(here, yonder))


def within(where: NDArray[np.bool_], box: Box) -> NDArray[np.bool_]:
    left, top, right, bottom = box
    return where[top:bottom, left:right]


def board() -> Box:
    """The hull of all dots."""
    left, top = cell("a9")[:2]
    right, bottom = cell("i1")[2:]
    return left, top, right, bottom


def off_board(where: NDArray[np.bool_], margin: int = 12) -> NDArray[np.bool_]:
    left, top, right, bottom = board()
    outside = where.copy()
    outside[top - margin : bottom + margin, left - margin : right + margin] = False
    return outside


ENDINGS = {
    "capture": "9/4s4/9/9/3s5/9/3s5/9/7o1 o plies=31 end=capture",
    "escape": "2s6/9/c8/9/3s5/9/9/3o5/9 s plies=30 end=escape",
    "no_move of the swords": "9/9/2o6/9/4c4/9/9/9/9 s plies=77 end=no_move",
    "no_move of the shields": "9/9/9/4s4/3scs3/4s4/9/9/9 o plies=88 end=no_move",
    "repetition": "9/4s4/9/2c6/5s3/9/9/3o5/9 s plies=50 end=repetition",
    "max_plies": "9/4s4/9/2c6/5s3/9/9/3o5/9 s plies=400 end=max_plies",
}
CORNER_ENDINGS = {**ENDINGS, "escape": "c1s6/9/9/9/5s3/9/9/3o5/9 s plies=30 end=escape"}
LAST_LINES = {
    "capture": "Swords win: the Chief is captured",
    "escape": "Shields win: the Chief has escaped",
    "no_move of the swords": "Shields win: the Swords have no move",
    "no_move of the shields": "Swords win: the Shields have no move",
    "repetition": "Nobody wins: the position has been repeated",
    "max_plies": "Nobody wins: the limit of 400 plies is reached",
}


# --- SVG ---


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("variant", ["milton_bradley", "tablut", "corner_escape"])
def test_svg_of_every_ending_is_whole(end: str, variant: str) -> None:
    require_svg(at((CORNER_ENDINGS if variant == "corner_escape" else ENDINGS)[end], variant).svg())


def test_the_printed_games_bring_ids_of_their_own() -> None:
    """A page may show several pictures: ids begin with letters of the game's own."""
    prefixes: dict[str, str] = {}
    for game in PRINTED_GAMES:
        env = parlour.make(game)
        env.reset(seed=0)
        own = {name.partition("-")[0] for name in re.findall(r'id="([^"]*)"', env.svg())}
        assert len(own) <= 1
        for prefix in own:
            assert prefixes.setdefault(prefix, game) == game


def test_a_notebook_shows_the_svg() -> None:
    env = parlour.make(SWORDS)
    assert env._repr_svg_() is None
    env.reset(seed=0)
    assert env._repr_svg_() == env.svg()
    before = env.svg()
    env.step(env.parse_move("e8-a8"))
    assert env._repr_svg_() == env.svg() != before


def test_a_notebook_shows_what_gymnasium_makes() -> None:
    env = gymnasium.make("parlour/SwordsAndShields-v0")
    assert env._repr_svg_() is None  # type: ignore[attr-defined]
    env.reset(seed=0)
    assert env._repr_svg_() == env.unwrapped.env.svg()  # type: ignore[attr-defined]


def test_pictures_want_a_reset_first() -> None:
    env = parlour.make(SWORDS, render_mode="rgb_array")
    for call in (env.svg, env.ansi, env.render):
        with pytest.raises(AssertionError, match="reset"):
            call()


# --- pixels ---


@each_variant
def test_rgb_array(game: str, variant: str) -> None:
    env = parlour.make(game, variant=variant, render_mode="rgb_array")
    env.reset(seed=1)
    root = ElementTree.fromstring(env.svg())
    shape = (int(root.attrib["height"]), int(root.attrib["width"]), 3)
    frames = []
    for _ in range(2):
        frame = env.render()
        assert isinstance(frame, np.ndarray)
        assert frame.shape == shape
        assert frame.dtype == np.uint8
        assert (frame != frame[10, 10]).any()
        frames.append(frame)
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert (frames[0] == rasterise(parlour_svg(game, variant))).all()


@pytest.mark.parametrize("mode", ["svg", "ansi"])
def test_texts_as_render_modes(mode: str) -> None:
    """From `make`, in a wrapper, and in a `gymnasium.Env`."""
    env = parlour.make(SWORDS, render_mode=mode)
    assert mode in env.metadata["render_modes"]
    env.reset(seed=1)
    assert env.render() == getattr(env.unwrapped, mode)()
    wrapped = parlour.wrappers.MaskInInfo(env)
    assert wrapped.render() == env.render()
    learner = gymnasium.make("parlour/SwordsAndShields-v0", opponent="random", render_mode=mode)
    learner.reset(seed=1)
    picture = learner.render()
    assert picture == getattr(learner.unwrapped.env.unwrapped, mode)()
    assert ("<svg" in picture) == (mode == "svg")


def parlour_svg(game: str, variant: str) -> str:
    env = parlour.make(game, variant=variant)
    env.reset(seed=1)
    return env.svg()


def test_pixels_belong_to_the_caller() -> None:
    env = at(f"{START} s", render_mode="rgb_array")
    frame = env.render()
    kept = frame.copy()
    frame[:] = 0
    assert (env.render() == kept).all()


def test_rasterise_to_a_width() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">{}</svg>'
    half = picture.format('<path d="M0 0H20V20H0Z" fill="#102030"/>')
    own = rasterise(half)
    assert own.shape == (20, 40, 3)
    assert (own[:, :20] == (16, 32, 48)).all()
    assert (own[:, 20:] == 255).all()  # white where nothing is drawn
    assert rasterise(half, 400).shape == (200, 400, 3)
    assert (rasterise(half, 400)[:, :200] == (16, 32, 48)).all()


def test_a_font_would_not_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same raster on every machine: system fonts are not looked at."""
    import resvg_py

    text = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><text x="5" y="30">abc</text></svg>'
    assert (rasterise(text) == 255).all()
    asked: list[dict[str, Any]] = []
    draw = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **kwargs: asked.append(kwargs) or draw(**kwargs))
    rasterise(text)
    assert asked[0]["skip_system_fonts"] is True  # a machine without fonts would not tell


def test_a_move_changes_the_pixels_where_it_is_played() -> None:
    env = at(f"{START} s", render_mode="rgb_array")
    before = env.render()
    env.step(env.parse_move("d9-d6"))
    changed = differing(before, env.render())
    for dot in ("d9", "d6"):
        assert within(changed, cell(dot)).mean() > 0.3
    for dot in ("a9", "e5", "c5", "e6", "i1", "f9", "b2"):
        assert not within(changed, cell(dot)).any()


def test_every_kind_of_piece_looks_its_own_way() -> None:
    boards = [{"e5": "c", "h7": "s"}, {"e5": "c", "h7": "o"}, {"h7": "c"}, {"e5": "c"}]
    pictures = [pixels_at(text_of({"b2": "s", **pieces}, "s")) for pieces in boards]
    for k, first in enumerate(pictures):
        for second in pictures[k + 1 :]:
            assert within(differing(first, second), cell("h7")).mean() > 0.2


def test_pieces_are_drawn_on_their_dots() -> None:
    """The cells lie in rows and columns, rank 9 on top, as far from each other as from their own sides."""
    lefts = [cell(file + "9")[0] for file in "acegi"]
    tops = [cell("a" + rank)[1] for rank in "97531"]
    for places in (lefts, tops):
        steps = {second - first for first, second in pairwise(places)}
        assert max(steps) - min(steps) <= 1
        assert min(steps) > 30
    for dot in ("e3", "g7", "c9"):
        left, top, _, _ = cell(dot)
        assert abs(left - lefts["acegi".index(dot[0])]) <= 1
        assert abs(top - tops["97531".index(dot[1])]) <= 1


def test_a_captured_piece_is_gone_from_the_count() -> None:
    """Beside the board it is shown how many pieces each seat has left."""
    more, less = (
        pixels_at(text_of({"e5": "c", "b2": "s", "c7": "o", "g2": "o", **extra}, "s"))
        for extra in ({"h7": "s"}, {})  # type: ignore[attr-defined]
    )
    assert off_board(differing(more, less)).any()
    fewer_shields = pixels_at(text_of({"e5": "c", "b2": "s", "g2": "o", "h7": "s"}, "s"))
    assert off_board(differing(more, fewer_shields)).any()
    assert bounds(off_board(differing(more, fewer_shields))) != bounds(off_board(differing(more, less)))


# --- the last move, and whose turn it is ---


@pytest.mark.parametrize("move", ["d9-d6", "d9-a9", "i4-g4", "e2-e1"])
def test_the_last_move_is_marked(move: str) -> None:
    """Pictures that differ in it alone: the same position reached by the move, and read from its text."""
    source, target = move.split("-")
    start = {"e5": "c", source: "s", "b3": "s", "g8": "o"}
    env = at(text_of(start, "s"))
    env.step(env.parse_move(move))
    again = at(env.position())
    assert again.position() == env.position()
    assert again.svg() != env.svg()
    marked = differing(rasterise(env.svg()), rasterise(again.svg()))
    for dot in (source, target):
        assert within(marked, cell(dot)).any()
    for dot in ("e5", "b3", "g8", "h6", "c5"):
        assert not within(marked, cell(dot)).any()
    assert not off_board(marked).any()


def test_the_last_move_is_marked_from_where_to_where() -> None:
    """Two moves to the same position, and a move and its opposite, are not marked alike."""
    rooks = {"e5": "c", "g8": "o"}
    pictures = []
    for source in ("d9", "a6", "d4"):
        env = at(text_of({**rooks, source: "s"}, "s"))
        env.step(env.parse_move(f"{source}-d6"))
        pictures.append(env)
    assert len({env.position() for env in pictures}) > 1  # by the counted positions, not by the pieces
    assert len({env.position().split(" ")[0] for env in pictures}) == 1
    shots = [rasterise(env.svg()) for env in pictures]
    for k, first in enumerate(shots):
        for second in shots[k + 1 :]:
            assert differing(first, second).any()


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_the_last_ply_is_marked_in_every_printed_game(game: str) -> None:
    env = parlour.make(game)
    env.reset(seed=3)
    fresh = parlour.make(game)
    rng = np.random.default_rng(3)
    for _ in range(3):
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        fresh.reset(seed=0, options={"position": env.position()})
        assert differing(rasterise(env.svg(), SMALL), rasterise(fresh.svg(), SMALL)).any()
        assert env.ansi() != fresh.ansi()


def test_the_seat_to_act_is_shown() -> None:
    """Pictures that differ in it alone differ beside the board, and on the plaques of both seats."""
    for board_text in (START, "9/4s4/9/2c6/5s3/9/9/3o5/9"):
        swords, shields = pixels_at(f"{board_text} s"), pixels_at(f"{board_text} o")
        changed = differing(swords, shields)
        assert changed.any()
        assert (changed == off_board(changed)).all()
        middle = changed.shape[1] // 2
        assert changed[:, : middle - 60].sum() > 500
        assert changed[:, middle + 60 :].sum() > 500


def test_the_ply_count_alone_does_not_change_the_pixels() -> None:
    assert (pixels_at(f"{START} s") == pixels_at(f"{START} s plies=12")).all()


# --- endings ---


def test_endings_on_the_same_board_are_told_apart() -> None:
    """Running, drawn and cut: beside the board alone."""
    texts = [ENDINGS["repetition"].partition(" plies")[0], ENDINGS["repetition"], ENDINGS["max_plies"]]
    shots = [pixels_at(text) for text in texts]
    for k, first in enumerate(shots):
        for second in shots[k + 1 :]:
            changed = differing(first, second)
            assert changed.sum() > 50
            assert (changed == off_board(changed)).all()


def test_the_winner_is_shown() -> None:
    """Against a running game on the same board."""
    empty = "9/9/2o6/9/4c4/9/9/9/9"
    won = pixels_at(f"{empty} s end=no_move")
    running = pixels_at(f"{empty[:-1]}8s s")
    assert off_board(differing(won, running)).any()
    shut = "9/9/9/4s4/3scs3/4s4/9/9/9"
    swords_win, drawn = pixels_at(f"{shut} o end=no_move"), pixels_at("9/9/8s/4s4/3sc4/4s4/9/9/9 o end=repetition")
    assert off_board(differing(swords_win, drawn)).sum() > 500
    middle = won.shape[1] // 2
    shields_win = off_board(differing(won, pixels_at(f"{shut} o end=no_move")))
    assert shields_win[:, :middle].any()
    assert shields_win[:, middle:].any()


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("variant", ["milton_bradley", "tablut", "corner_escape"])
def test_every_ending_has_a_picture_and_words(end: str, variant: str) -> None:
    env = at((CORNER_ENDINGS if variant == "corner_escape" else ENDINGS)[end], variant, "rgb_array")
    assert env.is_over()
    assert env.games.ending(0) == end.split(" ")[0]
    assert env.render().shape == pixels_at(f"{START} s").shape
    assert env.ansi().splitlines()[-1] == LAST_LINES[end]
    assert LAST_LINES[end] in (ElementTree.fromstring(env.svg()).findtext(f"{SVG}title") or "")


def test_endings_that_are_played_have_pictures() -> None:
    """By their last ply, which stays marked."""
    plays = {
        "capture": ("9/9/3s5/9/9/4c4/4o4/9/3s1s3 s", ["d1-d4", "e3-h3", "f1-f4"]),
        "escape": ("9/9/9/9/2c6/9/9/6s2/9 o", ["c5-a5"]),
        "repetition": ("9/9/9/9/2c6/9/9/6s2/9 o", ["c5-c6", "g2-g3", "c6-c5", "g3-g2"] * 2),
    }
    for end, (text, moves) in plays.items():
        env = at(text)
        for move in moves:
            env.step(env.parse_move(move))
        assert env.games.ending(0) == end
        require_svg(env.svg())
        assert differing(rasterise(env.svg()), pixels_at(env.position())).any()
        source, target = moves[-1].split("-")
        if end != "repetition":
            assert within(differing(rasterise(env.svg()), pixels_at(env.position())), cell(target)).any()
            assert within(differing(rasterise(env.svg()), pixels_at(env.position())), cell(source)).any()


# --- variants ---


def test_escape_corner_looks_its_own_way() -> None:
    """The corners are marked, and the ways out; the inner dots are as ever."""
    edge, corner = pixels_at(f"{START} s", "milton_bradley"), pixels_at(f"{START} s", "corner_escape")
    changed = differing(edge, corner)
    for dot in ("a1", "a9", "i1", "i9"):
        assert within(changed, cell(dot)).any()
    for dot in ("e5", "b2", "c7", "h8", "e4", "e9", "a4"):
        assert not within(changed, cell(dot)).any()
    assert off_board(changed, 0).any()  # arrowheads at the rim
    assert (edge == pixels_at(f"{START} s", "tablut")).all()


def test_ways_out_are_marked_on_all_four_sides() -> None:
    changed = off_board(differing(pixels_at(f"{START} s"), pixels_at(f"{START} s", "corner_escape")), 0)
    left, top, right, bottom = board()
    sides = changed[:, :left], changed[:top], changed[:, right:], changed[bottom:]
    assert all(side.any() for side in sides)


# --- text ---


@pytest.mark.parametrize("variant", ["milton_bradley", "tablut", "corner_escape"])
def test_ansi_shows_the_position(variant: str) -> None:
    """Ply by ply: the pieces of the position's text, the last ply in brackets, the seat to act."""
    env = parlour.make(SWORDS, variant=variant, render_mode="ansi")
    env.reset(seed=0)
    rng = np.random.default_rng(5)
    move = ""
    for ply in range(1, 80):
        text = env.render()
        assert text == env.ansi()
        assert text.isascii()
        above, *rows, files, status = text.splitlines()
        assert files.split() == above.split() == list("abcdefghi")
        assert [row[0] for row in rows] == [row[-1] for row in rows] == list("987654321")
        letters = [re.sub(r"[ ()\[\]]", "", row[1:-1]) for row in rows]
        special = {".": "1", "+": "1", "*": "1"}
        found = "/".join("".join(special.get(letter, letter) for letter in row) for row in letters)
        position = env.position().split(" ")[0]
        assert found == re.sub("[1-9]", lambda run: int(run[0]) * "1", position)
        corners = letters[0][0] + letters[0][8] + letters[8][0] + letters[8][8]
        assert ("*" in corners) == (variant == "corner_escape")
        assert "".join(letters).count("*") <= 4
        assert (letters[4][4] == "+") == (env.state()[:, 4, 4][:4].sum() == 0)
        if move:
            marks = {mark: "abcdefghi"[text_column(row, mark)] + row[0] for row in rows for mark in "([" if mark in row}
            assert f"{marks['(']}-{marks['[']}" == move
        else:
            assert not re.search(r"[()\[\]]", "".join(rows))
        if env.is_over():
            break
        seat = int(env.agent_selection[-1])
        assert status == f"{('Swords', 'Shields')[seat]} to act (player_{seat}), ply {ply}"
        move = str(rng.choice(env.legal_moves()))
        env.step(env.parse_move(move))


def text_column(row: str, mark: str) -> int:
    """The file (from 0) of the cell that begins with a bracket."""
    return (row.index(mark) - 2) // 3


# --- windows ---


def test_human_mode_shows_the_picture() -> None:
    import pygame

    env = parlour.make(SWORDS, render_mode="human")
    plain = parlour.make(SWORDS)
    env.metadata["render_fps"] = 1000
    for each in (env, plain):
        each.reset(seed=0)
    assert (screen() == rasterise(plain.svg())).all()  # reset and step show it by themselves
    for each in (env, plain):
        each.step(each.parse_move("e2-h2"))
    assert (screen() == rasterise(plain.svg())).all()
    assert env.render() is None
    assert pygame.display.get_caption()[0] == env.game.title
    twin = env.clone()  # a copy has no window until it shows something
    twin.close()
    assert pygame.display.get_surface() is not None
    env.close()
    assert not pygame.display.get_init()
    env.close()
    assert env.render() is None  # and opens it again
    assert (screen() == rasterise(plain.svg())).all()
    env.close()


def screen() -> Pixels:
    """What the window shows: (height, width, 3)."""
    import pygame

    surface = pygame.display.get_surface()
    assert surface is not None
    return np.asarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def test_human_mode_without_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = parlour.make(SWORDS, render_mode="human")
    with pytest.raises(ImportError, match=r"pygame.*pip install 'parlour\[human\]'"):
        env.reset(seed=0)
    env = parlour.make(SWORDS, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().dtype == np.uint8


def modules_after(code: str) -> set[str]:
    """What Python has imported after the code."""
    shown = "import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{shown}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_what_is_imported() -> None:
    """Neither pygame nor matplotlib without a window; no picture library, no game's drawing, without a picture."""
    imported = modules_after("import parlour")
    assert "parlour.interfaces.registry" in imported
    assert not imported & {"pygame", "matplotlib", "resvg_py", "PIL"}
    assert not {name for name in imported if name.endswith(".drawing")}
    drawn = modules_after(
        f"import parlour; env = parlour.make({SWORDS!r}, render_mode='rgb_array'); env.reset(seed=0); env.render()"
    )
    assert "resvg_py" in drawn
    assert not drawn & {"pygame", "matplotlib"}


# --- animations ---


def test_animation(tmp_path: Path) -> None:
    env = at(f"{START} s")
    pictures = [env.svg()]
    for move in ("d9-d6", "f5-f3", "e2-b2"):
        env.step(env.parse_move(move))
        pictures.append(env.svg())
    path = tmp_path / "game.gif"
    write_animation(path, pictures, seconds=0.25)
    rasters = [rasterise(picture, ANIMATION_WIDTH).astype(int) for picture in pictures]
    with Image.open(path) as film:
        assert film.format == "GIF"
        assert film.n_frames == 4  # type: ignore[attr-defined]
        assert film.info["loop"] == 0
        for frame in range(4):
            film.seek(frame)
            assert film.info["duration"] == (750 if frame == 3 else 250)
            expected = rasters[frame]
            shown = np.asarray(film.convert("RGB")).astype(int)
            assert shown.shape == expected.shape
            assert shown.shape[1] == ANIMATION_WIDTH
            assert np.abs(shown - expected).mean() < 6  # no more than the palette takes
            others = rasters[:frame] + rasters[frame + 1 :]
            assert all(np.abs(shown - expected).mean() < np.abs(shown - other).mean() for other in others)


def test_an_animation_shows_equal_pictures_as_long_as_they_last(tmp_path: Path) -> None:
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0H{}V20H0Z"/></svg>'
    pictures = [square.format(width) for width in (10, 10, 20, 30, 30, 30)]
    path = tmp_path / "game.gif"
    write_animation(path, pictures, seconds=0.5)
    with Image.open(path) as film:
        durations = []
        for frame in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(frame)
            durations.append(film.info["duration"])
    assert sum(durations) == 5 * 500 + 1500
    write_animation(path, pictures[:1])
    with Image.open(path) as film:
        assert film.size == (ANIMATION_WIDTH, ANIMATION_WIDTH // 2)


# --- letters ---


def ink(text: str, **arguments: Any) -> NDArray[np.bool_]:
    """Where a text is black: on the baseline y = 120, a unit of the grid being 10 pixels."""
    path = text_path(text, 200, 120, 10 * GRID_HEIGHT, "#000", **arguments)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="180" viewBox="0 0 400 180">{path}</svg>'
    return rasterise(picture)[:, :, 0] < 128


@pytest.mark.parametrize("character", [character for character in GLYPHS if character != " "])
def test_a_glyph_keeps_to_its_box(character: str) -> None:
    """Its width, and the lines that its kind of character has above and below."""
    left, top, right, bottom = bounds(ink(character, anchor="start"))
    pen = 10 * PEN
    assert left == pytest.approx(200 - pen / 2, abs=4)
    assert right == pytest.approx(200 + text_width(character, 10 * GRID_HEIGHT) + pen / 2, abs=6)
    highest = 3.6 if character == "-" else 6 if character in "acegmnopqrsuvwxyz" else 9
    lowest = 3.6 if character == "-" else -3 if character in "gjpqy" else 0
    slack = 6 if character in "ijt" else 2
    assert top == pytest.approx(120 - 10 * highest - pen / 2, abs=slack)
    assert bottom == pytest.approx(120 - 10 * lowest + pen / 2, abs=2)


def test_glyphs_are_told_apart() -> None:
    shapes = {character: ink(character, anchor="start") for character in GLYPHS}
    assert not shapes[" "].any()
    assert set("abcdefghijklmnopqrstuvwxyz0123456789- ") <= set(shapes)
    for first in shapes:
        for second in shapes:
            if first < second:
                assert (shapes[first] ^ shapes[second]).sum() > 150, first + second


def test_text_stands_where_it_is_anchored() -> None:
    width = text_width("ot", 10 * GRID_HEIGHT)
    places = {anchor: bounds(ink("ot", anchor=anchor)) for anchor in ("start", "middle", "end")}
    assert places["middle"][0] - places["start"][0] == pytest.approx(-width / 2, abs=1.5)
    assert places["end"][0] - places["start"][0] == pytest.approx(-width, abs=1.5)
    assert bounds(ink("ot")) == places["middle"]
    assert {place[1::2] for place in places.values()} == {places["start"][1::2]}


def test_text_width() -> None:
    assert text_width("", 9) == 0
    assert text_width("ab", 9) == pytest.approx(GLYPHS["a"].width + GAP + GLYPHS["b"].width)
    assert text_width("ab", 18) == pytest.approx(2 * text_width("ab", 9))
    assert bounds(ink("nn", anchor="start"))[2] - bounds(ink("n", anchor="start"))[2] == pytest.approx(
        10 * (GLYPHS["n"].width + GAP), abs=1
    )


@pytest.mark.parametrize("text", ["é", "A", "a_b", "½", "\n", "12%", "♕"])
def test_a_character_without_a_shape_is_named(text: str) -> None:
    strange = next(character for character in text if character not in GLYPHS)
    for call in (lambda: text_path(text, 0, 0, 9, "#000"), lambda: text_width(text, 9)):
        with pytest.raises(ValueError, match="has no shape") as caught:
            call()
        assert repr(strange) in str(caught.value)
        assert "".join(GLYPHS) in str(caught.value)


def test_a_capital_letter_is_told_its_small_one() -> None:
    with pytest.raises(ValueError, match=r"'Q' has no shape \(there are no capital letters: give 'q'\)"):
        text_path("Queen", 0, 0, 9, "#000")
    with pytest.raises(ValueError, match="'É' has no shape; shapes"):
        text_path("É", 0, 0, 9, "#000")


def test_an_anchor_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match=r"anchor 'left' is not valid; valid: start, middle, end"):
        text_path("a", 0, 0, 9, "#000", anchor="left")


def test_pictures_have_no_class_but_the_one_that_pages_know() -> None:
    """A page has styles for classes of its own, which would reach into the picture."""
    env = parlour.make("agon-v0").unwrapped
    env.reset(seed=0)
    drawn = env.svg()
    assert 'class="upright"' in drawn
    require_svg(drawn)
    with pytest.raises(AssertionError, match="an element has the class 'board'; the only one that pages know is"):
        require_svg(drawn.replace('class="upright"', 'class="board"'))
