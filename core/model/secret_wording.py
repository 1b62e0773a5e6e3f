"""Tells keys and passwords in texts, by the rules of detect-secrets and by how people write them.

What was found is never told, only where it stands and what it looks like.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

_UNUSED = {"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "OpenAIDetector"}
"""Rules that take every id and every hash for a key, and one that `_SK` does in less time."""
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential")
_SAID = re.compile(r"[:=]|!!|[\"'`];|private key", re.IGNORECASE)
"""What stands beside such a name where the rules take what follows, or comes before, for a key."""
_LONG = 16
_MAY_BE = re.compile(r"[^\s/]{16,}|://[^\s@]{0,300}@")
"""What all other keys have; asked first, since the rules take a tenth of a millisecond."""
_VALUE = re.compile(r"(?=.*[A-Za-z])(?=.*[\d!-/:-@\[-`{-~])\S{8,}")
"""A password beside its name, told from a word of a sentence."""
_KEYWORD = "KeywordDetector"
_BY_NAME = "Secret Keyword"
_SHORTEST = 6
"""Characters of a password that a sentence tells."""
_LONG_WORD = re.compile(r"(\w{32})\w+(?=\w{32})")
"""A longer word is no name of a password; the rule for names takes cubic time in its length."""
_PIECE, _OVERLAP = 4000, 1000
"""Characters; a key is no longer than the overlap."""
_SK = re.compile(r"\bsk[-_](?=[\w-]{0,99}\d)[\w-]{20,}")
"""A key as many services begin theirs, of which the rules know one form only."""
_SENTENCE = re.compile(
    r"""(?:password|passwort|kennwort|passphrase|passcode)s?[*_]*(?!\w)
    (?:[ \t]+\([^()\n]{1,60}\))?
    (?:[ \t]+(?:for|of|on|to|in|at|from|für|von|vom|zu|zum|zur|am|im|an|beim|bei|des|der)\b
       (?:[ \t]+[^\s:=]{1,60}){1,8}?)?
    (?:[ \t]*[:=]
       |[ \t]+(?:is|was|ist|war|lautet)(?:[ \t]+(?:set|changed)[ \t]+to)?)
    (?:[ \t]+(?:now|still|currently|again|jetzt|nun|noch|derzeit|wieder))?
    :?[ \t]*[*_"'`“„«(]*(?P<value>[^\s"'`“”«»]{6,200})""", re.IGNORECASE | re.VERBOSE)
"""`Password for staging is …`, `the staging password: …`, `das Passwort lautet …`."""
_MIXED = re.compile(r"(?=.*\d)(?=.*[^\W\d]).{6,}|.*\w[@$%^&*=+~!#]+\w.*")
"""A value with digits and letters, or with signs between letters: no word of a sentence."""
_NO_SECRET = re.compile(
    r"""\d{1,3}[-+x]?[a-zäöüß]*(?:-[a-zäöüß]+)*      # 90-day, 12-character
    |\d{4}-\d\d-\d\d.*|[\d.,:/+-]+[a-z]{0,2}      # a date, a time
    |(?:sha|md|aes|rsa|argon|pbkdf|bcrypt|scrypt|base|utf|iso|tls|otp|totp|v)[-_]?\d.*
    |1password.*|\w+://.*|R&D.*
    |[/<{\[].*|\$\{.*                             # a path, or what stands for a password
    """, re.IGNORECASE | re.VERBOSE)
"""What has the form of such a value, and names a time, a way of keeping it or a place."""


_VERB = re.compile(r"^(?:Propose: )?(?:\w+: )?")
"""`Remember: `, before what a label quotes."""
_QUOTES = "\"'`“”„«»"
_IN_WORD = rf"[^\s{_QUOTES}]"
_CUT = re.compile(rf"({_IN_WORD}{{6,}})…")
"""A word that a label cuts."""


class FoundSecret(Struct, frozen=True):
    """Where something stands that looks like a key or a password, and what it looks like."""

    where: str
    kind: str

    @property
    def words(self) -> str:
        """`“Vega”, line 3: looks like a secret (GitHub Token)`."""
        return f"{self.where}: looks like a secret ({self.kind})"


def secret_warnings(texts: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of texts that look like keys or passwords, of each kind once.

    Args:
        texts: what each is called, `The memory`, and what it says.
    """
    found: dict[str, FoundSecret] = {}
    for where, text in texts:
        for kind in kinds_of_secrets(text):
            found.setdefault(kind, FoundSecret(where, kind))
    return [f"{each.words}. Whoever reads it has it: change the key or password itself"
            for each in found.values()]


def without_secrets(label: str) -> str:
    """A label with `•••` for each key and password, and for what may be the beginning of one.

    A label quotes the beginning of a text, which may end within a key.
    """
    text = _VERB.sub("", label, count=1)
    verb = label[:len(label) - len(text)]
    found = {each.strip(_QUOTES) for each in _values(text, text.casefold())}
    found |= {cut[1] for cut in _CUT.finditer(text) if _MIXED.fullmatch(cut[1])}
    for value in sorted(found - {""}, key=len, reverse=True):
        # A rule may tell a part of a key only.
        text = re.sub(f"{_IN_WORD}*{re.escape(value)}{_IN_WORD}*", "•••", text)
    return f"{verb}{text}"


def _values(text: str, folded: str) -> Iterator[str]:
    """The keys and passwords themselves."""
    if _may_be(text, folded):
        for _, finds in _rules():
            yield from finds(text)
    if _names_a_password(folded):
        yield from _in_sentences(text)


def may_tell_secrets(texts: Sequence[str]) -> bool:
    """False where surely no text of a few looks like a key or a password: to ask all of them at
    once takes less time than to ask each."""
    if sum(map(len, texts)) > _PIECE:
        return True
    text = "\n".join(texts)
    folded = text.casefold()
    if _names_a_password(folded) or "key" in folded or "://" in text:
        return True
    said = ":" in text or "=" in text or "!!" in text or ";" in text
    return (said and any(name in folded for name in _NAMES)
            or max(map(len, text.split()), default=0) >= _LONG)


def kinds_of_secrets(text: str) -> tuple[str, ...]:
    """What the keys and passwords of a text look like; nothing for most texts."""
    folded = text.casefold()
    kinds = tuple(kind for kind, finds in _rules()
                  if _any(finds(text))) if _may_be(text, folded) else ()
    if not kinds and _names_a_password(folded) and _any(_in_sentences(text)):
        return (_BY_NAME,)
    # The name beside a key says less than what the key itself looks like.
    return tuple(kind for kind in kinds if kind != _BY_NAME) or kinds


def _any(found: Iterator[str]) -> bool:
    return next(found, None) is not None


def _names_a_password(folded: str) -> bool:
    return "pass" in folded or "kennwort" in folded


def _in_sentences(text: str) -> Iterator[str]:
    """The passwords that sentences tell."""
    for said in _SENTENCE.finditer(text):
        value = said["value"].rstrip(".,;:)*_")
        if (len(value) >= _SHORTEST and _MIXED.fullmatch(value)
                and not _NO_SECRET.fullmatch(value)):
            yield value


def _may_be(text: str, folded: str) -> bool:
    """What asks all rules is slow, and most texts are ordinary words."""
    for name in _NAMES:  # Without a generator: this is asked of every text of an import.
        if name in folded:
            if _SAID.search(text):
                return True
            break
    long = len(text) > _PIECE or max(map(len, text.split()), default=0) >= _LONG
    return (long or "://" in text) and _MAY_BE.search(text) is not None


def _pieces(text: str) -> Iterator[str]:
    """A long text in pieces that overlap: some rules take quadratic time."""
    for start in range(0, max(len(text) - _OVERLAP, 1), _PIECE - _OVERLAP):
        yield text[start:start + _PIECE]


@cache
def _rules() -> tuple[tuple[str, Callable[[str], Iterator[str]]], ...]:
    """Each kind of secret with what finds those in a text."""
    from detect_secrets.core.plugins import util  # noqa: PLC0415 (half a second, few texts need it)
    from detect_secrets.plugins import keyword  # noqa: PLC0415 (the same)

    def by_name(text: str) -> Iterator[str]:
        patterns = (keyword.CONFIG_DENYLIST_REGEX_TO_GROUP,
                    keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP)
        return (value for some in patterns for line in _LONG_WORD.sub(r"\1", text).splitlines()
                for value in keyword.KeywordDetector().analyze_string(line, some)
                if _VALUE.fullmatch(value))

    def by_form(plugin: Any) -> Callable[[str], Iterator[str]]:
        return lambda text: (value for piece in _pieces(text)
                             for value in plugin.analyze_string(piece))

    types: dict[str, Any] = util.get_mapping_from_secret_type_to_class()
    return (("Secret Key", lambda text: (found[0] for found in _SK.finditer(text))),
            *((kind, by_name if rule.__name__ == _KEYWORD else by_form(rule()))
              for kind, rule in types.items() if rule.__name__ not in _UNUSED))
