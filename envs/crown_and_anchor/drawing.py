"""The picture of a position: the cloth with its designs, stakes, dice, and the seats with their chips; and as text."""

from __future__ import annotations

from math import ceil

from parlour.rulebook.protocol import MAX_PLIES, RUNNING, HitArea, Record
from parlour.rulebook.svg_shapes import box, circle, die, gradient, picture, ring, table_top, use
from parlour.rulebook.svg_text import text_path

from . import TITLE, notation, rules

# --- measures, in pixels of the picture's own size ---

WIDTH = 840
SIDE = 30  # from the frame to the cloth
HEAD = 124  # above the cloth: title, status, dice
FIELD_WIDTH, FIELD_HEIGHT, FIELD_GAP = 250, 168, 15
CLOTH_BOTTOM = HEAD + 2 * FIELD_HEIGHT + FIELD_GAP
PLAQUE_HEIGHT, PLAQUE_GAP, MAX_IN_ROW = 84, 10, 6
DIE, DIE_STEP = 76, 92

CHIP = 19  # a stake's radius
SLOT_X, SLOT_Y = (62, 101), (34, 84, 134)  # of a stake: away from the field's middle, and from its top
STACK_WIDTH, STACK_STEP, STACK_MOST = 24, 5, 9

# --- colours ---

FRAME, FRAME_DARK, BAIZE, BAIZE_DARK, BAIZE_LINE = "#4a2c17", "#27160a", "#14524a", "#0e3d37", "#1d665c"
PAPER, PAPER_EDGE, INK, IVORY, GOLD, SHADE, PALE = (
    "#f6ead0", "#d9c391", "#22252b", "#fffaf0", "#edc04b", "#000", "#a9cfc6",
)  # fmt: skip
RED, BLACK, NAVY, DEBT = "#b8232f", "#23252c", "#1d3f77", "#b01e1e"
DESIGN_COLOURS = ("url(#caa-gold)", NAVY, RED, BLACK, RED, BLACK)
SEAT_COLOURS = (
    "#c0392b", "#2463b8", "#2e8b57", "#7d3c98", "#d9731a", "#147d8c", "#ad1457", "#6b4a2b", "#4b5a68", "#7d8c1a",
    "#3f3aa0", "#a6801f",
)  # fmt: skip

# --- shapes round the point (0, 0), their ids begin with "caa-", for pages with several pictures ---

CROWN = (
    '<path d="M-29 19L-35-15-16 2 0-25 16 2 35-15 29 19Z" stroke="#5d3d05" stroke-width="2.6" stroke-linejoin="round"/>'
    '<rect x="-29" y="22" width="58" height="9" rx="3" stroke="#5d3d05" stroke-width="2.6"/>'
    '<g stroke="#5d3d05" stroke-width="2"><circle cx="-35" cy="-17" r="5"/><circle cy="-27" r="5.5"/>'
    '<circle cx="35" cy="-17" r="5"/></g><g fill="#b8232f"><circle cx="-14" cy="12.5" r="3"/>'
    '<circle cy="12.5" r="3.6"/><circle cx="14" cy="12.5" r="3"/></g>'
)
ANCHOR = (
    f'<g fill="none" stroke="{NAVY}" stroke-width="6.4"><circle cy="-26.5" r="6.6"/><path d="M0-20V30M-15-10H15" '
    'stroke-linecap="round"/><path d="M-26 9C-24 24-12 31.5 0 31.5S24 24 26 9"/></g>'
    f'<path d="M-26-3L-36 16-17 14ZM26-3L36 16 17 14Z" fill="{NAVY}"/>'
)
HEART = '<path d="M0 31C-45 2-36-29-16-29-7-29-1-22 0-16 1-22 7-29 16-29 36-29 45 2 0 31Z"/>'
SPADE = (
    '<path d="M0-34C12-17 33-6 33 10 33 25 13 28 3 13 3 24 7 30 13 33'
    'H-13C-7 30-3 24-3 13-13 28-33 25-33 10-33-6-12-17 0-34Z"/>'
)
DIAMOND = '<path d="M0-35C8-20 17-9 27 0 17 9 8 20 0 35-8 20-17 9-27 0-17-9-8-20 0-35Z"/>'
CLUB = (
    '<circle cy="-18" r="14.5"/><circle cx="-17" cy="6" r="14.5"/><circle cx="17" cy="6" r="14.5"/>'
    '<path d="M-6-8H6C3 8 4 26 13 33H-13C-4 26-3 8-6-8Z"/>'
)
SHAPES = (CROWN, ANCHOR, HEART, SPADE, DIAMOND, CLUB)
DESIGN_IDS = [f"caa-{name}" for name in notation.DESIGN_NAMES]

DEFINITIONS = (
    gradient("caa-gold", "#ffe08a", "#cf9526")
    + gradient("caa-die", "#fffdf6", "#e4d8bd")
    + "".join(
        f'<g id="{name}" fill="{colour}">{shape}</g>' for name, colour, shape in zip(DESIGN_IDS, DESIGN_COLOURS, SHAPES)
    )
)

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Title, status and the latest throw; the cloth with all stakes; the seats with their chips, the Banker marked."""
    rows = ceil(variant.players / MAX_IN_ROW)
    height = CLOTH_BOTTOM + SIDE + rows * (PLAQUE_HEIGHT + PLAQUE_GAP) + 14
    parts = [
        f"<defs>{DEFINITIONS}</defs>",
        _table_top(height),
        _head(state, variant),
        *(_die(state, k) for k in range(rules.THROWN)),
        *(_field(state, variant, design) for design in range(rules.DESIGNS)),
        *(_plaque(state, variant, seat) for seat in range(variant.players)),
    ]
    return picture(WIDTH, height, f"{TITLE}. {_status(state, variant)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The fields of the six designs."""
    areas = []
    for design, name in enumerate(notation.DESIGN_NAMES):
        x, y = _corner(design)
        stake = int(state.stakes[state.to_act, design])
        label = f"{name}, {int(state.stakes[: variant.players, design].sum())} chips on it, {stake} of them yours"
        areas.append(HitArea(name, label, x + FIELD_WIDTH / 2, y + FIELD_HEIGHT / 2, FIELD_WIDTH, FIELD_HEIGHT))
    return areas


def _corner(design: int) -> tuple[int, int]:
    """The upper left corner of a design's field."""
    return SIDE + design % 3 * (FIELD_WIDTH + FIELD_GAP), HEAD + design // 3 * (FIELD_HEIGHT + FIELD_GAP)


def _table_top(height: int) -> str:
    return (
        table_top(WIDTH, height, 14, FRAME_DARK, FRAME)
        + box(12, 12, WIDTH - 24, height - 24, 8, FRAME_DARK)
        + box(14, 14, WIDTH - 28, height - 28, 7, BAIZE)
        + box(20, 20, WIDTH - 40, height - 40, 5, "none", f'stroke="{BAIZE_LINE}" stroke-width="1.6"')
    )


def _head(state: Record, variant: Record) -> str:
    """The name of the game, whose turn it is or how the game has ended, how far it has come, and the last ply."""
    throws = f"throw {state.throws + 1} of {variant.rounds}" if state.end == RUNNING else f"{state.throws} throws"
    last = f" - {_last_ply(state)}" if state.last_action >= 0 else ""
    return "".join(
        (
            text_path("crown and anchor", SIDE + 8, 56, 24, GOLD, "start", 1.3),
            text_path(_turn(state, variant), SIDE + 8, 84, 15, IVORY, "start"),
            text_path(throws + last, SIDE + 8, 107, 12.5, PALE, "start"),
        )
    )


def _last_ply(state: Record) -> str:
    """``player 3 bet 5 on heart``, ``player 1 was done``, ``player 2 threw``."""
    design, stake = divmod(int(state.last_action), int(state.max_stake))
    if design < rules.DESIGNS:
        return f"player {state.last_seat} bet {stake + 1} on {notation.DESIGN_NAMES[design]}"
    return f"player {state.last_seat} {'threw' if _rolled(state) else 'was done'}"


def _rolled(state: Record) -> bool:
    """Whether the last ply was a Banker's throw."""
    return bool(state.last_action == rules.DESIGNS * state.max_stake + 1)


def _die(state: Record, k: int) -> str:
    """One die of the latest throw, with a gold edge right after it; an empty place before there is one."""
    x, y = WIDTH - SIDE - DIE - (rules.THROWN - 1 - k) * DIE_STEP, 32
    face = int(state.dice[k])
    if face < 0:
        return box(x, y, DIE, DIE, 13, BAIZE_DARK, f'stroke="{BAIZE_LINE}" stroke-width="1.6"')
    edge = f'stroke="{GOLD}" stroke-width="4"' if _rolled(state) else 'stroke="#a8946a" stroke-width="1.6"'
    return die(
        f"caa-die-{k}",
        box(x + 2, y + 4, DIE, DIE, 13, SHADE, 'fill-opacity=".35"')
        + box(x, y, DIE, DIE, 13, "url(#caa-die)", edge)
        + use(DESIGN_IDS[face], x + DIE / 2, y + DIE / 2, 0.8),
    )


def _field(state: Record, variant: Record, design: int) -> str:
    """A design's field with the stakes on it; with a gold edge and a star a die when the latest throw shows it."""
    x, y = _corner(design)
    shown = sum(int(face) == design for face in state.dice)
    edge = f'stroke="{GOLD}" stroke-width="5"' if shown else f'stroke="{PAPER_EDGE}" stroke-width="2"'
    middle = x + FIELD_WIDTH / 2
    parts = [
        box(x + 2, y + 4, FIELD_WIDTH, FIELD_HEIGHT, 10, SHADE, 'fill-opacity=".3"'),
        box(x, y, FIELD_WIDTH, FIELD_HEIGHT, 10, PAPER, edge),
        box(x + 8, y + 8, FIELD_WIDTH - 16, FIELD_HEIGHT - 16, 5, "none", f'stroke="{PAPER_EDGE}"'),
        use(DESIGN_IDS[design], middle, y + 76, 1.05),
        text_path(notation.DESIGN_NAMES[design], middle, y + 144, 13, INK),
    ]
    parts += [circle(middle + 16 * (k - (shown - 1) / 2), y + 21, 5, GOLD, 'stroke="#8a6414"') for k in range(shown)]
    for seat in range(variant.players):
        stake = int(state.stakes[seat, design])
        if stake:
            away = SLOT_X[seat // 6 if variant.players > 6 else 0] * (1 if seat % 2 else -1)
            latest = seat == state.last_seat and design == state.last_action // state.max_stake
            parts.append(_chip(seat, stake, middle + away, y + SLOT_Y[seat // 2 % 3], latest))
    return "".join(parts)


def _chip(seat: int, stake: int, x: float, y: float, latest: bool) -> str:
    """A seat's stake: a chip in its colour with the number of chips; in a gold ring if it is the last ply's."""
    return (
        (ring(x, y, CHIP + 2.5, "#d9a520", 4) if latest else "")
        + circle(x + 1.5, y + 3, CHIP, SHADE, 'fill-opacity=".35"')
        + circle(x, y, CHIP, SEAT_COLOURS[seat], f'stroke="{INK}" stroke-width="2"')
        + ring(x, y, CHIP - 3, IVORY, 4.4, "6.28 6.28")
        + circle(x, y, 12.4, IVORY)
        + text_path(str(stake), x, y + (6 if stake < 100 else 4), 12.4 if stake < 100 else 8, INK, pen=1.6)
        + _seat_tag(seat, x + CHIP - 2, y - CHIP + 5)
    )


def _seat_tag(seat: int, x: float, y: float) -> str:
    """The number of a chip's seat, so that its colour alone doesn't tell the seats apart."""
    width = 11 if seat < 10 else 14
    return box(x - width, y - 10, 2 * width, 20, 8, INK) + text_path(str(seat), x, y + 6.2, 12.4, IVORY, pen=1.4)


def _plaque(state: Record, variant: Record, seat: int) -> str:
    """A seat: its colour, name, chips and what it does; bright when it is to act, and at the end when it has most."""
    rows = ceil(variant.players / MAX_IN_ROW)
    in_row = ceil(variant.players / rows)
    width = (WIDTH - 2 * SIDE - (in_row - 1) * PLAQUE_GAP) / in_row
    x = SIDE + seat % in_row * (width + PLAQUE_GAP)
    y = CLOTH_BOTTOM + 22 + seat // in_row * (PLAQUE_HEIGHT + PLAQUE_GAP)
    lit = seat == state.to_act if state.end == RUNNING else seat in _richest(state, variant)
    chips = int(state.chips[seat])
    fill, edge, ink = (PAPER, GOLD, INK) if lit else (BAIZE_DARK, BAIZE_LINE, IVORY)
    number = ink if chips >= 0 else DEBT if lit else "#ff9d8a"
    staked = int(rules.staked(state, seat))
    note = "banker" if seat == state.banker else f"stakes {staked}" if staked else ""
    return "".join(
        (
            box(x, y, width, PLAQUE_HEIGHT, 9, fill, f'stroke="{edge}" stroke-width="{4 if lit else 1.6}"'),
            box(x + 8, y + 10, 5, PLAQUE_HEIGHT - 20, 2.5, SEAT_COLOURS[seat]),
            text_path(f"player {seat}" if in_row < MAX_IN_ROW - 1 else f"p {seat}", x + 22, y + 25, 12.4, ink, "start"),
            text_path(str(chips), x + 22, y + 51, 18 if abs(chips) < 10**5 else 10, number, "start", 1.4),
            text_path(note, x + 22, y + 73, 12.4, "#7a5a0c" if lit else GOLD, "start") if note else "",
            _stack(state, variant, seat, x + width - 10 - STACK_WIDTH, y + PLAQUE_HEIGHT - 9),
        )
    )


def _stack(state: Record, variant: Record, seat: int, x: float, y: float) -> str:
    """A pile seen from the side, four chips of it for what a seat begins with; a crown on top is the Banker's."""
    high = min(ceil(4 * max(int(state.chips[seat]), 0) / int(variant.start_chips)), STACK_MOST)
    colour, edge = SEAT_COLOURS[seat], f'stroke="{IVORY}" stroke-width=".9"'
    pile = "".join(
        box(x + (k * 7 % 3 - 1) * 0.8, y - STACK_STEP * (k + 1), STACK_WIDTH, STACK_STEP, 2, colour, edge)
        for k in range(high)
    )
    crown = use(DESIGN_IDS[rules.CROWN], x + STACK_WIDTH / 2, y - STACK_STEP * high - 12, 0.33)
    return pile + crown if seat == state.banker else pile


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The latest throw; a line a seat with its chips and stakes by design, ``>`` at the seat to act and ``B`` at the
    Banker; the last ply; and a line on whose turn it is or how the game has ended."""
    dice = " ".join(notation.DESIGN_NAMES[face] for face in state.dice if face >= 0)
    lines = [f"latest throw: {dice or '-'}", " ".join(["  seat        chips", *notation.DESIGN_NAMES])]
    for seat in range(variant.players):
        mark = ">" if state.end == RUNNING and seat == state.to_act else " "
        bank = "B" if seat == state.banker else " "
        stakes = " ".join(
            f"{int(stake) or '.':>{len(name)}}" for stake, name in zip(state.stakes[seat], notation.DESIGN_NAMES)
        )
        lines.append(f"{mark}{bank}{f'player_{seat}':<10}{int(state.chips[seat]):>7} {stakes}")
    if state.last_action >= 0:
        lines.append(f"last ply: player_{state.last_seat} {notation.move_name(int(state.last_action), state)}")
    return "\n".join((*lines, _status(state, variant)))


# --- both ---


def _richest(state: Record, variant: Record) -> list[int]:
    chips = state.chips[: variant.players].tolist()
    return [seat for seat, count in enumerate(chips) if count == max(chips)]


def _turn(state: Record, variant: Record) -> str:
    """In the letters that have shapes: whose turn it is, or who has the most chips."""
    if state.end == RUNNING:
        return f"player {state.to_act} {'throws' if state.to_act == state.banker else 'bets'}"
    if state.end == MAX_PLIES:
        return "cut short"
    first, *others = _richest(state, variant)
    return f"player {first} {'and others have' if others else 'has'} the most chips"


def _status(state: Record, variant: Record) -> str:
    """``player_1 bets, throw 4 of 100, ply 17``, or how the game has ended."""
    if state.end == RUNNING:
        does = "throws" if state.to_act == state.banker else "bets"
        return f"player_{state.to_act} {does}, throw {state.throws + 1} of {variant.rounds}, ply {state.plies + 1}"
    if state.end == MAX_PLIES:
        return f"The limit of {state.plies} plies is reached; stakes on the cloth are void"
    richest = " and ".join(f"player_{seat}" for seat in _richest(state, variant))
    if state.end == rules.ALL_CHIPS:
        return f"{richest} has all the chips after {state.throws} throws"
    return f"The most chips after {state.throws} throws: {richest}"
