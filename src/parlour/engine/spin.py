"""Sharing a step among threads within compiled code, by helper threads that wait in a loop (spinning). Waking a thread
that sleeps takes as long as stepping hundreds of games.

The calling thread (the leader, thread 0) posts a job on a board, an array in shared memory. The job is divided into
pieces, and each thread has its share of them. Every thread claims pieces: first those of its own share, then those of
the other shares. So the leader never waits for a helper that sleeps or has no processor; it does those pieces itself.
It only waits for a helper that loses its processor in the middle of a piece. After each job a helper watches the board
for a while, and then goes to sleep.

The leader's part is one compiled call, so an interruption (Ctrl-C) comes before it or after it, never in between.

The board is an int64 array of T + 2 lines of `LINE` words, for T threads. All words are read and written atomically and
in program order (sequentially consistent):

* line 0: the job (`JOB`), its argument (`ARGUMENT`), and the number of the arrays that it is for (`GENERATION`): a
  helper that holds arrays of another generation must claim nothing and leave the board
* line 1: how many pieces of the job are done (`DONE`)
* line 2 + k: the ticket of thread k's share (`_ticket`: serial number of the job · 2¹⁶ + number of pieces claimed), and
  whether thread k watches the board (`awake`)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba.core import types
from numba.extending import intrinsic

from parlour.rulebook.compiling import kernel

LINE = 8
"""Words in a cache line. Different threads write to different cache lines."""
JOB, ARGUMENT, GENERATION, DONE = 0, 1, 2, LINE
STEP, SAMPLE, ADVANCE = 0, 1, 2
"""The jobs."""
PIECES = 4
"""Pieces in each thread's share of the rows."""
LEAVE, NOTHING = -2, -1
CLAIMED = 0xFFFF
"""The bits of a ticket that count the claimed pieces."""
MAX_SPINS = 300_000
"""How often a waiting thread reads an unchanged board before it stops waiting: some hundred microseconds."""


class StepBuffers(NamedTuple):
    """What the T threads of a batch of N games share, besides the games."""

    board: Any
    """int64 (T + 2) · `LINE`: see above"""
    actions: Any
    """int64 (N,): the actions to play"""
    sampled: Any
    """int64 (N,): the actions that were sampled"""
    answers: Any
    """int64 (T · `PIECES`,): the result of each piece of a job"""


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
    """Compare and swap: ``board[k] = number`` if ``board[k] == expected``. Returns whether it was."""

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
    """The index of the word that is 1 while thread k watches the board."""
    return (2 + k) * LINE + 1


@kernel
def threads_of(board: Any) -> int:
    """T, the number of threads."""
    return board.shape[0] // LINE - 2


@kernel
def clear(board: Any) -> None:
    """Sets up a new board: no job is open, and no helper watches."""
    for k in range(threads_of(board)):
        board[_ticket(k)] = PIECES
    board[DONE] = threads_of(board) * PIECES


@kernel
def post(board: Any, job: int, argument: int) -> None:
    """Posts a job; the last one must be done. For the leader."""
    write(board, JOB, job)
    write(board, ARGUMENT, argument)
    write(board, DONE, 0)
    serial = (read(board, _ticket(0)) >> 16) + 1
    for k in range(threads_of(board)):
        write(board, _ticket(k), serial << 16)


@kernel
def claim(board: Any, k: int, generation: int) -> int:
    """Claims a piece of the job for thread k and returns its number; `NOTHING` if no piece is left, `LEAVE` if the job
    is for arrays of another ``generation``.

    This is safe without a lock: the ticket is only replaced if it is still what was read, so the same job is still
    open, and everything that was read in between belongs to it.
    """
    threads = threads_of(board)
    for d in range(threads):
        share = (k + d) % threads
        while True:
            number = read(board, _ticket(share))
            piece = number & CLAIMED
            if piece >= PIECES:
                break
            if read(board, GENERATION) != generation:
                return LEAVE
            if replace(board, _ticket(share), number, number + 1):
                return share * PIECES + piece
    return NOTHING


@kernel
def rows_of(board: Any, piece: int, rows: int) -> tuple[int, int]:
    """The first row of a piece, and the first row of the next one, if the job has ``rows`` rows."""
    pieces = threads_of(board) * PIECES
    return rows * piece // pieces, rows * (piece + 1) // pieces


@kernel
def finish(board: Any) -> None:
    """Counts a piece as done."""
    add(board, DONE, 1)


@kernel
def is_done(board: Any) -> bool:
    """Whether every piece of the job is done."""
    return read(board, DONE) == threads_of(board) * PIECES


@kernel
def await_done(board: Any) -> bool:
    """Waits until every piece is done. Returns False after `MAX_SPINS`; then it must be called again."""
    spins = 0
    while not is_done(board):
        spins += 1
        if spins > MAX_SPINS:
            return False
    return True


@kernel
def await_piece(board: Any, k: int, generation: int) -> int:
    """Waits for a piece and claims it for helper k. Returns a negative number if the helper must leave the board; it is
    then marked as not awake."""
    piece = claim(board, k, generation)
    spins = 0
    while piece == NOTHING and spins < MAX_SPINS and read(board, GENERATION) == generation:
        spins += 1
        if read(board, _ticket(k)) & CLAIMED < PIECES:
            piece = claim(board, k, generation)
            spins = 0
    if piece < 0:
        write(board, awake(k), 0)
    return piece


# --- a job from its first piece to its last ---


@kernel
def lead(job: int, argument: int, generation: int, buffers: StepBuffers, do_piece: Any, shared: Any) -> bool:
    """The leader's part in a job: posts it, and does every piece that no helper has claimed.

    ``do_piece(piece, buffers, *shared)`` is the kernel that does a piece. Returns False if a helper has not finished
    its last piece yet: see `await_done`.
    """
    post(buffers.board, job, argument)
    piece = claim(buffers.board, 0, generation)
    while piece >= 0:
        do_piece(piece, buffers, *shared)
        finish(buffers.board)
        piece = claim(buffers.board, 0, generation)
    return await_done(buffers.board)


@kernel
def take_part(k: int, generation: int, buffers: StepBuffers, do_piece: Any, shared: Any) -> None:
    """Helper k's part in all jobs, until it must leave the board. ``do_piece``: as for `lead`; it must read `JOB`."""
    write(buffers.board, awake(k), 1)
    piece = await_piece(buffers.board, k, generation)
    while piece >= 0:
        do_piece(piece, buffers, *shared)
        finish(buffers.board)
        piece = await_piece(buffers.board, k, generation)
