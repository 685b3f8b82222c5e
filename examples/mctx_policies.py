# /// script
# requires-python = ">=3.11"
# dependencies = ["parlour", "mctx>=0.0.71"]
# ///
"""mctx's searches on games of Parlour, and the same policies from `parlour.players.search.NetworkSearch`.

python examples/mctx_policies.py --game checkers-v0

mctx expects the rules as JAX functions. Here a callback connects them: the embedding of a node in mctx is the number of
a row in a batch of positions. For every new node mctx calls back; the callback plays the ply in that row and evaluates
the network. `NetworkSearch` needs no callback. With the same network and settings it finds the same policies: this
script runs both and prints by how much they differ.

The game must have two seats and no dice, since mctx's `gumbel_muzero_policy` and `muzero_policy` have no chance nodes.
Variations of these policies can be tried on such a game in the same way.

Axis letters: N games, S simulations, A actions.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from jax.experimental import io_callback
from numpy.typing import NDArray

import parlour
from parlour.interfaces.batch import Batch
from parlour.players.search import Gumbel, NetworkSearch, Puct

ILLEGAL = -1e9
"""The logit of an illegal action."""


class RandomNetwork:
    """Takes the place of a trained network: logits and values are fixed random functions of the observation."""

    def __init__(self, size: int, actions: int, seed: int) -> None:
        """``size``: C · H · W."""
        rng = np.random.default_rng(seed)
        self.hidden = rng.normal(size=(size, 64)) / np.sqrt(size)
        self.logits, self.value = rng.normal(size=(64, actions)) / 4, rng.normal(size=64) / 8

    def __call__(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        """Returns logits (M, A) and values (M,)."""
        hidden = np.maximum(observation.reshape(len(observation), -1) @ self.hidden, 0)
        return (hidden @ self.logits).astype(np.float32), np.tanh(hidden @ self.value).astype(np.float32)


class Bridge:
    """What mctx needs to search the games of a batch: a root, and a function that plays one action in every game."""

    def __init__(self, games: Batch, evaluate: Any, simulations: int) -> None:
        """``games``: N games, none of which is over. ``evaluate``: see `parlour.players.search.NetworkSearch`."""
        make = partial(parlour.make_batch, games.game.id, autoreset="disabled", seed=0)
        self.games, self.evaluate, self.count = games, evaluate, games.num_games
        self.nodes, self.plies = make(self.count * (simulations + 1)), make(self.count)
        self.nodes.reset()
        self.plies.reset()

    def root(self) -> tuple[mctx.RootFnOutput, Any]:
        """The root, and a mask of its illegal actions: (N, A)."""
        self.made, rows = 1, np.arange(self.count)
        seen, _ = self.nodes.copy_rows(self.games, rows, rows, streams=False)
        mask = seen["action_mask"][: self.count]
        logits, values = self._evaluate(seen["observation"][: self.count], mask)
        root = mctx.RootFnOutput(
            prior_logits=jnp.array(logits), value=jnp.array(values), embedding=jnp.arange(self.count, dtype=jnp.int32)
        )
        return root, jnp.array(1 - mask)

    def recurrent(self, _: Any, key: Any, actions: Any, nodes: Any) -> tuple[mctx.RecurrentFnOutput, Any]:
        """mctx's ``recurrent_fn``."""
        number, shape = partial(jax.ShapeDtypeStruct, dtype=jnp.float32), (self.count, self.games.single_action_space.n)
        kinds = number((self.count,)), number((self.count,)), number(shape), number((self.count,))
        rows = jax.ShapeDtypeStruct((self.count,), jnp.int32)
        reward, discount, logits, value, made = io_callback(self._play, (*kinds, rows), actions, nodes, ordered=True)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, made

    def _play(self, actions: Any, nodes: Any) -> tuple[NDArray[Any], ...]:
        """Plays the actions from some nodes. Returns rewards, discounts, logits, values and the rows of new nodes."""
        rows = np.arange(self.count)
        shown, infos = self.plies.copy_rows(self.nodes, np.asarray(nodes), rows, streams=False)
        movers, running = infos["to_act"].copy(), shown["action_mask"].any(axis=1)
        seen, rewards, ends, cuts, infos = self.plies.step(np.where(running, np.asarray(actions), -1))
        made = self.made * self.count + rows
        self.nodes.copy_rows(self.plies, rows, made, streams=False)
        self.made += 1
        logits, values = self._evaluate(seen["observation"], seen["action_mask"])
        over = ends | cuts
        # The new node's value is for its seat to act. mctx multiplies it by the discount to get the value for the seat
        # that has moved: 1 if the same seat acts again, else −1; 0 after the end of the game.
        discounts = np.where(over, 0, np.where(infos["to_act"] == movers, 1, -1)).astype(np.float32)
        gains = np.where(running, rewards[rows, movers], 0).astype(np.float32)
        return gains, discounts, logits, np.where(over, np.float32(0), values), made.astype(np.int32)

    def _evaluate(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[NDArray[Any], NDArray[Any]]:
        logits, values = self.evaluate(observation, mask)
        return np.where(mask == 1, logits, np.float32(ILLEGAL)), values


def mctx_policies(games: Batch, evaluate: Any, simulations: int, gumbel: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The policies (N, A) and actions (N,) of mctx's ``gumbel_muzero_policy`` or ``muzero_policy``, without noise."""
    bridge = Bridge(games, evaluate, simulations)
    root, illegal = bridge.root()
    if gumbel:
        policy = partial(mctx.gumbel_muzero_policy, gumbel_scale=0.0)
    else:
        policy = partial(mctx.muzero_policy, dirichlet_fraction=0.0, temperature=0.0)
    search = partial(policy, recurrent_fn=bridge.recurrent, num_simulations=simulations)
    output = jax.jit(search)(params=(), rng_key=jax.random.PRNGKey(0), root=root, invalid_actions=illegal)
    return np.asarray(output.action_weights), np.asarray(output.action)


def our_policies(games: Batch, evaluate: Any, simulations: int, gumbel: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same by `NetworkSearch`; like mctx, it proves no wins and keeps no trees here."""
    method = Gumbel(gumbel_scale=0) if gumbel else Puct(dirichlet_fraction=0, temperature=0)
    result = NetworkSearch(evaluate, simulations, method=method, keep_tree=False, prove_wins=False).run(games)
    return result.policies, result.actions


def main() -> None:
    """Searches random positions with both libraries and both methods."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="checkers-v0", choices=parlour.games())
    parser.add_argument("--games", type=int, default=64, help="number of positions to search")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--plies", type=int, default=12, help="random plies before the search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
        args.games, args.simulations = 4, 8
    games = parlour.make_batch(args.game, args.games, seed=args.seed)
    if games.num_seats != 2 or games.game.rules.DICE:
        parser.error(f"argument --game: {args.game} has dice or more than two seats, which mctx doesn't support")
    games.reset()
    for _ in range(args.plies):
        games.step(games.sample_actions())
    planes = games.single_observation_space["observation"]
    network = RandomNetwork(int(np.prod(planes.shape)), int(games.single_action_space.n), args.seed)
    for name, gumbel in (("gumbel_muzero_policy", True), ("muzero_policy", False)):
        theirs, played = mctx_policies(games, network, args.simulations, gumbel)
        ours, chosen = our_policies(games, network, args.simulations, gumbel)
        print(
            f"{name}: probabilities differ by at most {abs(theirs - ours).max():.1e}, actions in "
            f"{(played != chosen).sum()} of {args.games} games"
        )


if __name__ == "__main__":
    main()
