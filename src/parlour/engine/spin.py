"""Sharing a step among threads within compiled code: waking a sleeping thread takes as long as stepping hundreds of
games.

The calling thread (the leader, thread 0) posts a job on a board. Every thread claims pieces of it, those of its own
share first, then those that others have not begun; the leader does what nobody else claims. So a helper that is asleep,
or has no processor, holds nobody up, unless it lost its processor in the middle of a piece. A helper looks at the board
for a while after each job, and then goes to sleep.

The leader's part is one compiled call: an interruption (Ctrl-C) comes before all of it or after all of it.

The board is an int64 array of T + 2 lines of `LINE` words, for T threads. All words are read and written atomically, in
the order of the program:

* line 0: the job (`JOB`), a number that belongs to it (`ARGUMENT`), and the number of the present arrays (`STAY`): a
  helper that works with other ones must not claim anything, and leaves
* line 1: how many pieces of the job are done (`DONE`)
* line 2 + k: what has been claimed of thread k's share (`_ticket`: the serial number of the job, times 2¹⁶, plus the
  number of pieces claimed), and whether thread k looks at the board (`awake`)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba.core import types
from numba.extending import intrinsic

from parlour.rulebook.compiling import kernel

LINE = 8
"""Words in a cache line: what different threads write lies in different ones."""
JOB, ARGUMENT, STAY, DONE = 0, 1, 2, LINE
STEP, SAMPLE, ADVANCE = 0, 1, 2
"""Jobs."""
PIECES = 4
"""Pieces of each thread's share of the rows."""
LEAVE, NOTHING = -2, -1
CLAIMED = 0xFFFF
PATIENCE = 300_000
"""Looks at an unchanged board, some hundred microseconds, before a waiting thread gives way."""


class StepBuffers(NamedTuple):
    """What the threads of N games share beside the games themselves."""

    board: Any
    """int64 (T + 2) · `LINE`: see above"""
    actions: Any
    """int64 (N,): what is to be played"""
    sampled: Any
    """int64 (N,): what has been sampled"""
    answers: Any
    """int64 (T · `PIECES`,): what came of each piece of a job"""


# --- atomic words ---


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index])


@intrinsic
def read(context: Any, board: Any, k: Any) -> Any:
    """``board[k]``"""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(target, builder, signature.args[0], *arguments)
        return builder.load_atomic(place, "seq_cst", 8)

    return types.int64(board, types.int64), generate


@intrinsic
def write(context: Any, board: Any, k: Any, number: Any) -> Any:
    """``board[k] = number``"""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, value = arguments
        builder.store_atomic(value, _place(target, builder, signature.args[0], array, index), "seq_cst", 8)
        return target.get_dummy_value()

    return types.void(board, types.int64, types.int64), generate


@intrinsic
def replace(context: Any, board: Any, k: Any, expected: Any, number: Any) -> Any:
    """``board[k] = number`` if it is ``expected``; whether it was."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, before, value = arguments
        place = _place(target, builder, signature.args[0], array, index)
        return builder.extract_value(builder.cmpxchg(place, before, value, "seq_cst", "seq_cst"), 1)

    return types.boolean(board, types.int64, types.int64, types.int64), generate


@intrinsic
def add(context: Any, board: Any, k: Any, number: Any) -> Any:
    """``board[k] += number``"""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, value = arguments
        builder.atomic_rmw("add", _place(target, builder, signature.args[0], array, index), value, "seq_cst")
        return target.get_dummy_value()

    return types.void(board, types.int64, types.int64), generate


# --- the board ---


@kernel
def _ticket(k: int) -> int:
    return (2 + k) * LINE


@kernel
def awake(k: int) -> int:
    """Where the board says whether thread k looks at it."""
    return (2 + k) * LINE + 1


@kernel
def threads_of(board: Any) -> int:
    """T"""
    return board.shape[0] // LINE - 2


@kernel
def clear(board: Any) -> None:
    """A new board: every piece of a job that never was is done, and nobody looks."""
    for k in range(threads_of(board)):
        board[_ticket(k)] = PIECES
    board[DONE] = threads_of(board) * PIECES


@kernel
def post(board: Any, job: int, argument: int) -> None:
    """Posts a job, the last one being done. By the leader."""
    write(board, JOB, job)
    write(board, ARGUMENT, argument)
    write(board, DONE, 0)
    serial = (read(board, _ticket(0)) >> 16) + 1
    for k in range(threads_of(board)):
        write(board, _ticket(k), serial << 16)


@kernel
def claim(board: Any, k: int, stay: int) -> int:
    """Claims a piece of the job for thread k and returns its number; `NOTHING` if there is none left, `LEAVE` if the
    job is for other arrays than those of ``stay``.

    A ticket that is replaced has not changed since it was read, so the job was not done, and what was read of the board
    in between belonged to it.
    """
    threads = threads_of(board)
    for d in range(threads):
        share = (k + d) % threads
        while True:
            number = read(board, _ticket(share))
            piece = number & CLAIMED
            if piece >= PIECES:
                break
            if read(board, STAY) != stay:
                return LEAVE
            if replace(board, _ticket(share), number, number + 1):
                return share * PIECES + piece
    return NOTHING


@kernel
def rows_of(board: Any, piece: int, rows: int) -> tuple[int, int]:
    """Where a piece of ``rows`` rows begins, and where the next one does."""
    pieces = threads_of(board) * PIECES
    return rows * piece // pieces, rows * (piece + 1) // pieces


@kernel
def finish(board: Any) -> None:
    """A piece is done."""
    add(board, DONE, 1)


@kernel
def is_done(board: Any) -> bool:
    """Whether every piece of the job is."""
    return read(board, DONE) == threads_of(board) * PIECES


@kernel
def await_done(board: Any) -> bool:
    """Waits until `is_done`. Returns False if that takes long, to be called again."""
    looks = 0
    while not is_done(board):
        looks += 1
        if looks > PATIENCE:
            return False
    return True


@kernel
def await_piece(board: Any, k: int, stay: int) -> int:
    """`claim`, as soon as there is something to claim; negative if helper k is to leave the board, which then counts as
    asleep."""
    piece = claim(board, k, stay)
    looks = 0
    while piece == NOTHING and looks < PATIENCE and read(board, STAY) == stay:
        looks += 1
        if read(board, _ticket(k)) & CLAIMED < PIECES:
            piece = claim(board, k, stay)
            looks = 0
    if piece < 0:
        write(board, awake(k), 0)
    return piece


# --- a job from its first piece to its last ---


@kernel
def lead(job: int, argument: int, stay: int, buffers: StepBuffers, do_piece: Any, shared: Any) -> bool:
    """The leader's part in a job: it posts it and does all of it, with what help there is.

    ``do_piece(piece, buffers, *shared)`` is the kernel that does a piece. Returns False if a helper has not finished
    its last piece yet: see `await_done`.
    """
    post(buffers.board, job, argument)
    piece = claim(buffers.board, 0, stay)
    while piece >= 0:
        do_piece(piece, buffers, *shared)
        finish(buffers.board)
        piece = claim(buffers.board, 0, stay)
    return await_done(buffers.board)


@kernel
def take_part(k: int, stay: int, buffers: StepBuffers, do_piece: Any, shared: Any) -> None:
    """Helper k's part in every job, until it is to leave. ``do_piece``: see `lead`; it looks at `JOB`."""
    write(buffers.board, awake(k), 1)
    piece = await_piece(buffers.board, k, stay)
    while piece >= 0:
        do_piece(piece, buffers, *shared)
        finish(buffers.board)
        piece = await_piece(buffers.board, k, stay)
