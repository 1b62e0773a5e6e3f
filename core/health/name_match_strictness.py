"""How much two names may differ: apart from the settings, whose checks load for long."""

from typing import Literal

Strictness = Literal["exact", "punctuation", "aliases", "words", "spelling", "neighbours"]
"""How much two names may differ and still count as one, the strictest first."""
