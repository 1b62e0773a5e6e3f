"""Names and keys in their canonical forms, which they are known by."""

import re
import unicodedata


def canonical(text: str) -> str:
    """Trimmed, lower case, each run of white space one space (seed 000, canonical names)."""
    return " ".join(text.split()).lower()


_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
                     "\u2066-\u2069\ufe0e\ufe0f\ufeff]")
"""Signs that are not seen: soft hyphens, spaces without width, directions, ways to draw a sign."""
_JOINER = re.compile("(?<![^\0-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f])")
"""Signs that join or part two letters, where there are none that they mean anything to. Between
Persian or Indic letters and within an emoji they are part of how it is written."""


def seen(text: str) -> str:
    """A name without the signs of it that are not seen."""
    return text if text.isascii() else _JOINER.sub("", _UNSEEN.sub("", text))


def name_key(text: str) -> str:
    """What a name is known by: its canonical form, one for each way to write its letters.

    Composed or apart (é), full or half width (Ａ, ｶ): one name (Unicode NFKC), and signs that are
    not seen count as nothing. Capitals count as small letters, accents stay.
    """
    if text.isascii():
        return canonical(text)
    plain = unicodedata.normalize("NFKC", text)
    bare = seen(plain)
    return unicodedata.normalize("NFKC", canonical(bare if bare.strip() else plain))


def of_capitals(text: str) -> tuple[str, ...]:
    """What else a name in capitals may be: STRASSE is Strasse, and Straße, whose ß has no capital.

    Written as Strasse it is another name.
    """
    return (text.replace("SS", "ß"),) if "SS" in text else ()


def storable(text: str) -> str:
    """`text` with a replacement mark for each half of a character, which no file can hold.

    JSON can say such halves (`"\\ud800"`), and so can the names of files and arguments.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def spelled_out(text: str) -> str:
    """Small letters that German writes as two where it has no umlauts: `öztürk` is `oeztuerk`."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SPELLED_OUT)


PLAIN_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss",
                 "ı": "i", "ħ": "h", "ŧ": "t"}
"""What people write who have not these small letters, which are no others with an accent."""
_PLAIN_LETTERS = str.maketrans(PLAIN_LETTERS)


def plain_letters(text: str) -> str:
    """Small letters in those of the English alphabet: `tromsø` is `tromso`."""
    return text if text.isascii() else text.translate(_PLAIN_LETTERS)


def slot_key(text: str | None, default: str | None = None) -> str | None:
    """The canonical form of a group or claim key: `Start time` -> `start_time`.

    One normaliser for every operation, so a slot that was added under any spelling is found
    again under any other. Returns `default` for an empty key.
    """
    if text is None:
        return default
    key = canonical(text).replace(" ", "_")
    return key or default


def spoken(key: str | None) -> str:
    """A key as a person reads it: `start_time` -> `start time`."""
    return (key or "general").replace("_", " ")
