"""Checks in random games: what must hold at every ply of every game."""

from __future__ import annotations

import numpy as np

from parlour.interfaces.aec import GameEnv
from parlour.rulebook.protocol import FIRST_OWN_END
from parlour.rulebook.state_records import as_record
from parlour.support.errors import IllegalMove
from parlour.testing.comparing import name_of, require, require_same, require_same_arrays
from parlour.testing.subject import MAX_PLIES, Subject

FEW_PLIES = 60
FILLINGS = (77, -77)
MAX_ILLEGAL_TRIED = 3
ROUNDING = 1e-5
"""How far the sum of several seats' rewards may be from 0."""


def check_random_play(subject: Subject) -> None:
    """All seats end together; the seat to act, and no other, has a legal action; endings and limits are respected; some
    game ends; your invariant holds."""
    endless = []
    for seed in range(subject.games):
        limit = {"max_plies": 1 + seed} if seed % 3 == 2 else {}
        for env in subject.play(seed, **limit):
            if subject.invariant is not None:
                subject.invariant(env)
            _require_one_to_act(env)
        if env.is_over():
            _require_ending(env)
        if not limit:
            endless.append(not env.is_over() and not env.values["max_plies"])
    require(not all(endless), f"no random game has ended in {MAX_PLIES} plies; set a limit (max_plies)")


def _require_one_to_act(env: GameEnv) -> None:
    over = env.is_over()
    ended = [env.terminations[agent] or env.truncations[agent] for agent in env.agents]
    require_same("terminated or truncated", ended, [over] * len(env.agents))
    both = any(env.terminations.values()) and any(env.truncations.values())
    require(not both, "the game is terminated and truncated at the same time")
    acting = [agent for agent in env.agents if env.observe(agent)["action_mask"].any()]
    require_same("the seats with a legal action", acting, [] if over else [env.agent_selection])
    require(not (over and env.games.masks.any()), "legal() allows actions after the end")


def _require_ending(env: GameEnv) -> None:
    end, plies = env.games.ending(0), int(env.games.states["plies"][0])
    if any(env.truncations.values()):
        require_same("the ending of a truncated game", end, "max_plies")
        require_same("the number of plies of a truncated game", plies, env.values["max_plies"])
        decided = sorted({1.0, -1.0} & set(env.rewards.values()))
        require(not decided, f"a truncated game pays {decided}, as if it had been won")
    else:
        valid = (*env.game.rules.ENDS[FIRST_OWN_END:], "repetition")
        require(end in valid, f"the game ended by {end!r}; endings: {', '.join(valid)}")


def check_observations(subject: Subject) -> None:
    """Observations and masks are in their spaces, and every number of both is written at each call."""
    for seed in range(subject.games):
        for env in subject.play(seed, FEW_PLIES):
            for agent in env.possible_agents:
                _require_in_space(env, agent)
            require(env.state_space.contains(env.state()), "state() is not in state_space")
            if not env.is_over():
                _require_written(env)
    for space in (env.observation_space, env.action_space):
        first = space(env.possible_agents[0])
        for agent in env.possible_agents:
            require_same(f"a space of {agent}", space(agent), first)
            require(space(agent) is space(agent), f"a space of {agent} is a new object at each call")


def _require_in_space(env: GameEnv, agent: str) -> None:
    seen = env.observe(agent)
    for c, plane in enumerate(env.planes):
        low, high = int(seen["observation"][c].min()), int(seen["observation"][c].max())
        declared = f"declared: {plane.low} to {plane.high}"
        fits = plane.low <= low and high <= plane.high
        require(fits, f"plane {c} ({plane.meaning!r}) has values from {low} to {high}; {declared}")
    require(set(np.unique(seen["action_mask"])) <= {0, 1}, "the action mask has numbers other than 0 and 1")
    require(env.observation_space(agent).contains(seen), "the observation is not in its space")


def _require_written(env: GameEnv) -> None:
    """AssertionError unless every number of planes and mask is written, whatever the arrays had before."""
    games = env.games
    planes, masks = games.planes.copy(), games.masks.copy()
    padding = masks[0, games.layout.actions :]
    require(not padding.any(), "legal() allows actions beyond the last one: the mask's padding must be 0")
    for filling in FILLINGS:
        games.planes[:] = filling
        games.masks[:] = filling
        games.observe()
        for name, actual, expected in (("observe", games.planes, planes), ("legal", games.masks, masks)):
            unwritten = int((actual != expected).sum())
            require(not unwritten, f"{name}() does not write every number: {unwritten} depend on earlier values")


def check_rewards(subject: Subject) -> None:
    """Rewards are finite and those of the latest ply, and add up to 0 unless ``ZERO_SUM = False``; cumulative rewards
    follow PettingZoo's convention."""
    zero_sum = getattr(subject.game.rules, "ZERO_SUM", True)
    for seed in range(subject.games):
        expected: dict[str, float] = {}
        acted: str | None = None
        for env in subject.play(seed, FEW_PLIES):
            if acted is None:
                expected = dict.fromkeys(env.agents, 0.0)
            else:
                expected[acted] = 0.0
                for agent, reward in env.rewards.items():
                    require(np.isfinite(reward), f"the reward of {agent} is {reward}")
                    expected[agent] += reward
                total = float(sum(env.rewards.values()))
                require(
                    not zero_sum or abs(total) < ROUNDING,
                    f"the rewards of a ply add up to {total:g}, not to 0; if that is right, set ZERO_SUM = False",
                )
            require_same("_cumulative_rewards", env._cumulative_rewards, expected)
            acted = env.agent_selection


def check_move_names(subject: Subject) -> None:
    """Names of legal actions are unique, in index order, and can be read back."""
    for seed in range(subject.games):
        for env in subject.play(seed, FEW_PLIES):
            if env.is_over():
                require_same("the legal moves after the end", env.legal_moves(), [])
                break
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
            names = env.legal_moves()
            require_same("the names of the legal actions", names, [env.move_name(action) for action in legal])
            require_same("the number of different names of legal actions", len(set(names)), len(names))
            for action, name in zip(legal, names):
                require_same(f"parse_move({name!r})", env.parse_move(name), action)


def check_illegal_actions(subject: Subject) -> None:
    """Actions that the mask does not allow are refused, and change nothing."""
    for seed in range(subject.games):
        rng = np.random.default_rng(seed)
        for env in subject.play(seed, FEW_PLIES):
            if env.is_over():
                break
            mask = env.observe(env.agent_selection)["action_mask"]
            illegal = np.flatnonzero(mask == 0)
            sample = rng.permutation(illegal)[:MAX_ILLEGAL_TRIED].tolist()
            before = env.games.states.tobytes(), env.position()
            for action in (*sample, -1, len(mask), 10**12):
                try:
                    env.step(action)
                except IllegalMove:
                    now = env.games.states.tobytes(), env.position()
                    require_same("the game after an illegal action", now, before)
                else:
                    raise AssertionError(f"{name_of(env, action)} is not in the mask and was played")


def check_position_keys(subject: Subject) -> None:
    """In games with the option `repetition`: positions with equal keys have the same legal moves, and no position
    occurs again after a ply that sets `irreversible`."""
    if "repetition" not in [option.name for option in subject.game.options]:
        return
    moves: dict[int, tuple[str, str, list[str]]] = {}
    for seed in range(subject.games):
        earlier: set[int] = set()
        impossible: set[int] = set()  # keys from before an irreversible ply
        for env in subject.play(seed):
            state = as_record(env.games.states, 0)
            if env.is_over() or not state.turn_over:
                continue
            key, here = int(subject.game.rules.position_key(state)), env.position()
            if state.irreversible:
                impossible |= earlier
                earlier.clear()
            require(key not in impossible, "a position has occurred again after a ply that set irreversible")
            earlier.add(key)
            seat, legal = env.agent_selection, env.legal_moves()
            other = moves.setdefault(key, (here, seat, legal))
            require(other[1:] == (seat, legal), f"position_key is that of {other[0]!r}, whose legal moves differ")


def check_views_agree(subject: Subject) -> None:
    """An observation does not depend on earlier observations: the same position gives the same one each time."""
    for env in subject.play(0, FEW_PLIES):
        first = [env.observe(agent) for agent in env.possible_agents]
        again = [env.observe(agent) for agent in reversed(env.possible_agents)][::-1]
        for agent, view, other in zip(env.possible_agents, first, again):
            for part in ("observation", "action_mask"):
                require_same_arrays(f"{part} of {agent}, observed a second time,", other[part], view[part])
