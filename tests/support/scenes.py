"""A scene for a clause of the rules, on several boards side by side: turned, mirrored, with colours swapped. The scene
turns what it is told and turns back what it tells, so a test reads in the frame of the first board; all must show the
same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from parlour.interfaces.aec import GameEnv

T = TypeVar("T")
Turn = Callable[[str], str]
Result = tuple[str, float, float]
"""How a game stands: its ending, player_0's and player_1's reward, as the scene is told."""


class Board(NamedTuple):
    """A game, how texts of the first board read on this one, and back; and whether the seats have changed places."""

    env: GameEnv
    turn: Turn = str
    back: Turn = str
    swapped: bool = False

    @property
    def result(self) -> Result:
        """Looks at what is common to all games as well: at the end all seats are terminated or truncated together,
        nobody is removed, and there is no legal action."""
        env, end = self.env, str(self.env.games.ending(0))
        assert env.agents == env.possible_agents
        assert set(env.terminations.values()) == {end not in ("", "max_plies")}
        assert set(env.truncations.values()) == {end == "max_plies"}
        masks = {agent: int(env.observe(agent)["action_mask"].sum()) for agent in env.agents}
        assert sum(masks.values()) == len(env.legal_moves())
        assert [agent for agent in env.agents if masks[agent]] == ([] if end else [env.agent_selection])
        first, second = env.rewards.values()
        return (end, second, first) if self.swapped else (end, first, second)


class Boards:
    """Told what to do, and seen, in the first board's frame."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = boards

    def play(self, *moves: str) -> Any:
        for move in moves:
            for board in self.boards:
                board.env.step(board.env.parse_move(board.turn(move)))
        return self

    def shown(self, look: Callable[[Board], T]) -> T:
        """What all the boards show."""
        first, *others = map(look, self.boards)
        for number, other in enumerate(others, 1):
            assert other == first, f"board {number} does not show the same as the first"
        return first

    @property
    def moves(self) -> set[str]:
        return self.shown(lambda board: {board.back(move) for move in board.env.legal_moves()})

    @property
    def seat(self) -> int:
        """The number of the seat to act."""
        return self.shown(lambda board: int(board.env.agent_selection[-1]) ^ board.swapped)

    @property
    def result(self) -> Result:
        return self.shown(lambda board: board.result)
