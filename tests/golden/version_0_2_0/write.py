"""Wrote the files of this folder, run with version 0.2.0 in an empty folder."""

from pathlib import Path

from starlette.testclient import TestClient

import parlour
from parlour.cli import main
from parlour.players import parse_player
from parlour.records import record_game, write_records
from parlour.registry import find
from parlour.serve.app import make_app
from parlour.serve.settings import Settings
from parlour.value import new_network, save
from parlour.wrappers import OpponentPool

HERE = "http://127.0.0.1:8765"

assert parlour.__version__ == "0.2.0"
env = parlour.make("checkers-v0", max_plies=30)
players = [parse_player("random", env.unwrapped.game)] * 2
write_records(Path("games.jsonl"), [record_game(env, players, seed) for seed in (1, 2)])
save(new_network(find("checkers-v0"), hidden=4, seed=7), "net.value", {"positions": "1000"})
pool = OpponentPool({"greedy": "greedy"}, folder="pool", load=lambda path: None)
pool.save_snapshot(lambda path: path.write_bytes(b"weights"))
pool.save_results()
with TestClient(make_app(Settings(Path("games.sqlite3"))), base_url=HERE, headers={"origin": HERE}) as client:
    form = {"seat-0": "person", "seat-1": "person", "seed": "3"}
    game = client.post("/new/checkers-v0", data=form, follow_redirects=False).headers["location"]
    for move in ("9-14", "22-18"):
        client.post(f"{game}/move", data={"move": move})
main(["match", "checkers", "random", "greedy", "--games", "4", "-o", "max_plies=30", "--out", "match"])
