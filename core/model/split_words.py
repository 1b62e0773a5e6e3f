"""The one tokeniser: the words of a text in any script, and where they stand."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from core.model.unspaced_scripts import HAN_AND_KANA, HANGUL, SOUTH_EAST_ASIAN

_KATAKANA = "\u30a0-\u30fa\u30fc-\u30ff"
_BEFORE, _AFTER = "\u0e40-\u0e44\u0ec0-\u0ec4", "\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
"""Thai and Lao vowels that are written before and after the letter that they belong to."""

_MARK, _EMOJI, _JOINT = "\1", "\2", "\3"


class _Kinds(dict[int, str]):
    """What stands for a character while words are looked for, found once for each."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        kind = unicodedata.category(sign)
        stands = {"So": _EMOJI, "Co": "x", "Cc": " "}.get(kind, sign)
        self[code] = _MARK if kind[0] == "M" else stands
        return self[code]


_KINDS = _Kinds({ord("\n"): "\n", ord("_"): _JOINT})
_LETTERS = rf"\w[\w{_MARK}]*"
_WORD = re.compile(rf"{_LETTERS}|{_EMOJI}")
_HYPHENATED = re.compile(rf"{_LETTERS}(?:[-{_JOINT}]+{_LETTERS})*")
_PLAIN_WORD = re.compile(r"[a-zA-Z0-9]+")
_PLAIN_HYPHENATED = re.compile(r"[a-zA-Z0-9]+(?:[-_]+[a-zA-Z0-9]+)*")
"""The same in ASCII, where each sign stands for itself: found in a quarter of the time."""
_NAME = re.compile(
    rf"[@.]?[\w{_JOINT}](?:[\w{_MARK}{_JOINT}'\u2019./+#-]*[\w{_MARK}{_JOINT}+#])?|{_EMOJI}")
_POSSESSIVE = re.compile(r"['\u2019]s\Z")
_IN_RUNS = re.compile(f"[{HAN_AND_KANA}{HANGUL}{SOUTH_EAST_ASIAN}]")
_EDGES = "'\u2019./-"


class NamePart(Struct, frozen=True):
    """The smallest part of a text that a name can consist of: a word, or in a script without
    spaces one sign with its marks.

    Attributes:
        text: as it is written, without `'s`.
        start: its place in the text.
        stop: where it ends.
        sign: it is a sign of a script without spaces.
        inner: no name begins here: a syllable within a Korean word.
    """

    text: str
    start: int
    stop: int
    sign: bool = False
    inner: bool = False


def written_words(text: str) -> list[str]:
    """The words as they are written, without hyphens; an emoji is a word of its own."""
    return _PLAIN_WORD.findall(text) if text.isascii() else _found(_WORD, text)


def hyphenated_words(text: str) -> list[str]:
    """The words as they are written, those that a hyphen or `_` joins as one; no emoji."""
    return _PLAIN_HYPHENATED.findall(text) if text.isascii() else _found(_HYPHENATED, text)


def _found(pattern: re.Pattern[str], text: str) -> list[str]:
    return [text[match.start():match.end()] for match in pattern.finditer(text.translate(_KINDS))]


def name_parts(text: str) -> Iterator[NamePart]:
    """What the names in a text can consist of: `@signet/core`, `C++` and `Node.js` are one part.

    A run of katakana is a word: the name マリア is not in マリアンヌ.
    """
    for match in _NAME.finditer(text.translate(_KINDS)):
        word = text[match.start():match.end()]
        if has_unspaced_script(word):
            yield from _in_runs(word, match[0], match.start())
        else:
            word = _POSSESSIVE.sub("", word)
            yield NamePart(word, match.start(), match.start() + len(word))


def has_unspaced_script(text: str) -> bool:
    """True if there is a sign of a script that writes words without spaces."""
    return _IN_RUNS.search(text) is not None


@cache
def _run() -> re.Pattern[str]:
    """Made for the first text in such a script: patterns of so many signs take long to make."""
    return re.compile(
        f"(?P<word>[{_KATAKANA}]+)"
        f"|(?P<hangul>[{HANGUL}])"
        f"|(?P<sign>[{_BEFORE}]?[{HAN_AND_KANA}{SOUTH_EAST_ASIAN}]{_MARK}*[{_AFTER}]*)"
        f"|(?P<other>[^{HAN_AND_KANA}{HANGUL}{SOUTH_EAST_ASIAN}]+)")


def _in_runs(word: str, kinds: str, place: int) -> Iterator[NamePart]:
    """The signs and words of a run of letters that holds a script without spaces."""
    before = ""
    # Marks are looked for among the kinds, letters as they are.
    signs = "".join(_MARK if kind == _MARK else sign
                    for sign, kind in zip(word, kinds, strict=True))
    for match in _run().finditer(signs):
        group, text = str(match.lastgroup), word[match.start():match.end()]
        start = place + match.start()
        if group == "other":
            start += len(text) - len(text.lstrip(_EDGES))
            text = text.strip(_EDGES)
        if text:
            yield NamePart(text, start, start + len(text), sign=group in ("hangul", "sign"),
                           inner=group == "hangul" and before == "hangul")
        before = group
