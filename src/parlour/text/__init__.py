"""Games in words, for language models: exact rules, graded opponents, and the same transcript for the same seed."""

from parlour.text.batch import TextBatch
from parlour.text.game import TextGame
from parlour.text.state import Reply

__all__ = ["Reply", "TextBatch", "TextGame"]
