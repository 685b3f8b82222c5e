"""Players: the built-in ones, trained networks in ONNX files, and Python functions and objects of your own.

A player is named by a text (`parse_player`), or is an object with `Player`'s method, or a function
``(observation, action_mask) -> actions``.
"""

from parlour.engine.analysis import Analysis
from parlour.engine.player import Considering, Estimating, Function, Player, PlayerLike
from parlour.engine.view import GamesView
from parlour.players.built_in import Greedy, OnePly, Random
from parlour.players.checked import CheckedPlayer
from parlour.players.export import check_export, export_torch, stamp
from parlour.players.names import checked_player, name_of, parse_player, parse_players
from parlour.players.onnx import OnnxPlayer

__all__ = [
    "Analysis",
    "CheckedPlayer",
    "Considering",
    "Estimating",
    "Function",
    "GamesView",
    "Greedy",
    "OnePly",
    "OnnxPlayer",
    "Player",
    "PlayerLike",
    "Random",
    "check_export",
    "checked_player",
    "export_torch",
    "name_of",
    "parse_player",
    "parse_players",
    "stamp",
]
