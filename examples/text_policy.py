# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour", "torch>=2.13"]
# ///
"""A small character-level policy that learns tic-tac-toe from text alone.

It reads the last characters of each message and writes a move, character by character; at first it writes nonsense. A
legal move is drawn in place of an illegal one (`illegal="random"`), so that games go on, and each costs a penalty.
PPO, whole games at a time, through `TextBatch`.

python examples/text_policy.py [--minutes 5] [--seed 0] [--quick]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch
from torch import nn

import parlour
from parlour.text import TextBatch

SEEN = 140  # characters of a message that are read, the last ones
ALPHABET = "abcdefgh12345678"  # of the moves
PENALTY = 0.5  # for an illegal reply
ENTROPY, EPOCHS, CLIP = 0.01, 6, 0.2
GAMES, RATE = 256, 1e-3


class Policy(nn.Module):
    """From texts to the two characters of a move, the second given the first; and the value of the position."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(128, 8)
        self.body = nn.Sequential(nn.Linear(8 * SEEN, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.first = nn.Linear(256, len(ALPHABET))
        self.second = nn.Linear(256 + len(ALPHABET), len(ALPHABET))
        self.value = nn.Linear(256, 1)

    def features(self, codes: torch.Tensor) -> torch.Tensor:
        """int64 (M, SEEN) to float32 (M, 256)."""
        return self.body(self.embed(codes).flatten(1))

    def choose(self, features: torch.Tensor, moves: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        """Moves int64 (M, 2), drawn unless they are given; their log probabilities and entropies (M,)."""
        first = torch.distributions.Categorical(logits=self.first(features))
        first_sign = first.sample() if moves is None else moves[:, 0]
        known = nn.functional.one_hot(first_sign, len(ALPHABET)).float()
        second = torch.distributions.Categorical(logits=self.second(torch.cat([features, known], 1)))
        second_sign = second.sample() if moves is None else moves[:, 1]
        chosen = torch.stack([first_sign, second_sign], 1)
        return chosen, first.log_prob(first_sign) + second.log_prob(second_sign), first.entropy() + second.entropy()


def encoded(texts: list[str]) -> torch.Tensor:
    """The last characters of texts as int64 (M, SEEN)."""
    return torch.tensor([[min(ord(sign), 127) for sign in text[-SEEN:].rjust(SEEN)] for text in texts])


def play(batch: TextBatch, policy: Policy) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, float, float]:
    """A game in every row. What was seen, the moves and their returns; the mean score (a draw is half a win) and the
    share of illegal replies."""
    messages = batch.reset()
    seen, moves, rows, penalties = [], [], [], []
    outcome = torch.zeros(batch.num_games)
    playing = list(range(batch.num_games))
    while playing:
        codes = encoded([messages[row] for row in playing])
        with torch.no_grad():
            chosen = policy.choose(policy.features(codes))[0]
        replies: list[str | None] = [None] * batch.num_games
        for row, move in zip(playing, chosen.tolist()):
            replies[row] = "Move: " + "".join(ALPHABET[sign] for sign in move)
        answers = batch.step(replies)
        seen.append(codes)
        moves.append(chosen)
        rows += playing
        for row in playing:
            answer = answers[row]
            assert answer is not None
            messages[row] = answer.text
            penalties.append(0.0 if answer.info["move"] else PENALTY)
            outcome[row] += answer.reward
        playing = [row for row in playing if not batch.done(row)]
    returns = outcome[rows] - torch.tensor(penalties)
    illegal = sum(penalty > 0 for penalty in penalties) / len(penalties)
    return torch.cat(seen), torch.cat(moves), returns, float((outcome.mean() + 1) / 2), illegal


def learn(
    policy: Policy, optimizer: torch.optim.Optimizer, codes: torch.Tensor, moves: torch.Tensor, returns: torch.Tensor,
    left: float,
) -> None:  # fmt: skip
    """Steps of PPO with the value as baseline. ``left``: the share of the time that is left; steps and the bonus for
    entropy shrink with it, since a policy that still tries things out also writes nonsense."""
    for group in optimizer.param_groups:
        group["lr"] = RATE * max(left, 0.05)
    with torch.no_grad():
        features = policy.features(codes)
        before = policy.choose(features, moves)[1]
        advantages = returns - policy.value(features).squeeze(1)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        features = policy.features(codes)
        _, logs, entropies = policy.choose(features, moves)
        ratios = (logs - before).exp()
        gains = torch.minimum(ratios * advantages, ratios.clamp(1 - CLIP, 1 + CLIP) * advantages)
        misses = (returns - policy.value(features).squeeze(1)).square()
        loss = misses.mean() - gains.mean() - ENTROPY * left * entropies.mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()


def main() -> None:
    """Trains and prints how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="processor time for training")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a few games, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    sys.path.insert(0, str(Path(__file__).parent / "games"))
    parlour.register("tic_tac_toe")
    torch.set_num_threads(1)  # the network is small: more threads mostly wait for one another
    torch.manual_seed(args.seed)
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    size = sum(part.numel() for part in policy.parameters())
    print(f"tic-tac-toe in words, by a policy of {size:,} parameters against random moves; {args.minutes:g} minutes")
    games, seconds = 16 if args.quick else GAMES, 60 * args.minutes
    batch = TextBatch(
        "tic_tac_toe-v0", games, seat=0, view="text", rules="none", legal_moves=False, illegal="random", seed=args.seed
    )
    begun, scores, shares = time.process_time(), [], []
    rounds = 0
    while time.process_time() - begun < seconds and not (args.quick and rounds == 3):
        codes, moves, returns, score, illegal = play(batch, policy)
        spent = time.process_time() - begun
        learn(policy, optimizer, codes, moves, returns, max(0.0, 1 - spent / seconds))
        scores.append(score)
        shares.append(illegal)
        rounds += 1
        if rounds % 50 == 0 or args.quick:
            print(
                f"{rounds * games} games: score {sum(scores[-50:]) / len(scores[-50:]):.1%}, "
                f"illegal {sum(shares[-50:]) / len(shares[-50:]):.1%}, {time.process_time() - begun:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
