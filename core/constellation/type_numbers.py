"""Numbers for the entity types of a file, by which each keeps its own colour and sign."""

import json
from collections.abc import Container, Iterable, Mapping

from core.queries.stats import type_counts
from core.store.reader_and_writer import Reader
from core.store.sidecar import Sidecar

_KEY = "type_numbers"
UNTYPED = frozenset(("", "unknown", "other"))
"""Words that say nothing: what has them stays grey."""


def numbered(
    types: Iterable[str], kept: Mapping[str, int], listed: Container[str] = ()
) -> dict[str, int]:
    """The kept numbers and the next ones for further types, in their order.

    Args:
        types: the words as the file has them; capitals make no difference.
        listed: types that have a look of their own.
    """
    numbers = dict(kept)
    for word in map(str.casefold, types):
        if word not in numbers and word not in listed and word not in UNTYPED:
            numbers[word] = len(numbers)
    return numbers


def kept_numbers(sidecar: Sidecar) -> dict[str, int]:
    """The numbers that this file's types have by now."""
    return {word: number for number, word
            in enumerate(json.loads(sidecar.meta().get(_KEY, "[]")))}


def type_numbers(
    reader: Reader, sidecar: Sidecar, listed: Container[str] = ()
) -> dict[str, int]:
    """Numbers of every type of the agent's entities, new ones by frequency; kept from now on."""
    kept = kept_numbers(sidecar)
    numbers = numbered(type_counts(reader, status=""), kept, listed)
    if numbers != kept:
        sidecar.remember(_KEY, json.dumps(list(numbers), ensure_ascii=False))
    return numbers
