"""Games in words as tools of TRL: one step of its GRPO trainer, with a tiny model whose replies are scripted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

trl = pytest.importorskip("trl", reason="trl is not installed")

import datasets
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema

from parlour.text.adapters.trl import ToolGame

LEGAL = "Legal moves: "


def tokenizer() -> PreTrainedTokenizerFast:
    """Of bytes, with the chat template of Qwen 3 that TRL brings."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return made


def test_the_tool_is_described() -> None:
    schema = get_json_schema(ToolGame("checkers-v0").play)["function"]
    assert schema["name"] == "play"
    assert schema["parameters"]["required"] == ["move"]
    assert "list of legal moves" in schema["parameters"]["properties"]["move"]["description"]


def test_a_game_is_played_by_calls() -> None:
    env = ToolGame("checkers-v0", opponent="random", illegal="forfeit")
    told = env.reset(seed=1, prompt="a column that is not ours")
    assert told.endswith("Call play with your move.")
    assert env.get_reward() == -1  # stopped in the middle
    env.play("no move")
    assert env.get_reward() == -1  # forfeited
    with pytest.raises(ValueError, match="the game is over"):
        env.play("9-13")
    assert env.reset(seed=1) == told


def test_the_trainer_plays_a_game_and_takes_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = tokenizer()
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
            num_key_value_heads=1, head_dim=8, max_position_embeddings=1 << 14,
        )
    )  # fmt: skip
    envs: list[ToolGame] = []

    def make() -> ToolGame:
        envs.append(ToolGame("checkers-v0", opponent="greedy", seat=0, rules="none", view="text"))
        return envs[-1]

    config = trl.GRPOConfig(
        output_dir=str(tmp_path), num_generations=2, per_device_train_batch_size=2, max_completion_length=4000,
        max_steps=1, max_tool_calling_iterations=3, use_cpu=True, report_to=[], save_strategy="no", logging_steps=1,
        bf16=False, gradient_checkpointing=False,
    )  # fmt: skip
    rows = datasets.Dataset.from_list([{"prompt": [{"role": "user", "content": "Play.\n"}], "seed": 5}] * 2)
    trainer = trl.GRPOTrainer(model, args=config, train_dataset=rows, environment_factory=make, processing_class=words)
    rng, told = random.Random(0), []

    def scripted(prompt_ids: list[list[int]], *others: object, **named: object) -> tuple[list[list[int]], None]:
        """Calls of the tool with a legal move of the last message."""
        replies = []
        for text in words.batch_decode(prompt_ids):
            told.append(text)
            move = rng.choice(text.rpartition(LEGAL)[2].split("\n")[0].split())
            call = f'<tool_call>\n{{"name": "play", "arguments": {{"move": "{move}"}}}}\n</tool_call><|im_end|>'
            replies.append(words(call, add_special_tokens=False)["input_ids"])
        return replies, None

    monkeypatch.setattr(trainer, "_generate_single_turn", scripted)
    before = [part.detach().clone() for part in model.parameters()]
    trainer.train()
    assert len(envs) == 2
    assert told[0] == told[1]  # both generations of a row begin alike
    assert "You played" in told[2]
    assert [env.get_reward() for env in envs] == [-1.0, -1.0]  # three calls, and the game goes on
    logged = next(entry for entry in trainer.state.log_history if "rewards/ToolGame/mean" in entry)
    assert logged["rewards/ToolGame/mean"] == -1
    assert logged["tools/call_frequency"] == 3
    assert logged["tools/failure_frequency"] == 0
    assert all(torch.equal(one, other) for one, other in zip(before, model.parameters()))  # the rewards were the same
