"""Recorded games as HTML pages, animated GIFs and files of records.

write_replays(Path("game.html"), records)    # the ending decides the format: .html, .gif, .json, .jsonl, .pdn
"""

from parlour.lazy import lazy_names

__all__ = ["frames_of", "replay_page", "write_animation", "write_replays"]

__getattr__ = lazy_names(
    __name__,
    {
        "frames_of": "frames",
        "replay_page": "page",
        "write_animation": "animation",
        "write_replays": "writing",
    },
)
