"""Recorded games: files of them, played again, as HTML pages and as animated GIFs.

write_replays(Path("game.html"), records)    # the ending decides the format: .html, .gif, .json, .jsonl, .pdn, .mat
"""

from parlour.interfaces.game_record import GameRecord
from parlour.support.lazy import lazy_names

_names, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "animation": "write_animation",
        "files": "Records append_record read_records write_records",
        "frames": "frames_of",
        "page": "replay_page",
        "replaying": "record_game replay",
        "writing": "write_replays",
    },
)
__all__ = ["GameRecord", *_names]
