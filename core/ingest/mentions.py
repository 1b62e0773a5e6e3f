"""Links a memory with the known entities that its words name; never makes anything.

Upstream looks at runs of capitalised words as a whole. Here each part of a run counts, so that
"Yesterday Alice" names Alice, capitals of any script count, scripts without capitals are looked
up as they are, and a name that is written small in the graph is found where it is written small.
"""

from collections.abc import Callable

from core.ingest.config import IngestSettings
from core.ingest.remember_state import RememberState
from core.model.search_words import NO_NAMES, width
from core.queries.names_in_text import NameInText, names_in_text
from core.store.reader_and_writer import Reader

_SHORTEST, _SHORTEST_SMALL = 3, 4


def link_mentions(state: RememberState, content: str) -> None:
    """Link the memory with every known, active entity that it names."""
    settings = state.settings

    def is_active(name: NameInText) -> bool:
        entity = state.find(name.text)
        return entity is not None and not entity.archived

    for name in names_meant(state.writer, content, settings, is_active):
        entity = state.find(name.text)
        if entity is not None:
            state.mention(entity, name.text, settings.mention_confidence)


def names_meant(
    reader: Reader, content: str, settings: IngestSettings,
    accept: Callable[[NameInText], bool] = lambda name: True,
) -> list[NameInText]:
    """The names of known entities that a memory certainly means, the longest first."""
    return names_in_text(
        reader, content, most_words=settings.mention_words, most=settings.mention_candidates,
        joins=lambda part: _is_capital(part.text), wanted=_looks_like_a_name,
        accept=lambda name, spelled: accept(name) and any(
            _same_case(name.text, one) for one in spelled))


def _same_case(text: str, name: str) -> bool:
    """A name in small letters is meant only where the graph writes it like that."""
    return text != text.lower() or text == text.upper() or name == name.lower()


def _looks_like_a_name(name: NameInText) -> bool:
    """Long enough; a single word is no common one, and longer where it is written small."""
    if name.parts > 1:
        return width(name.text) >= _SHORTEST
    if not _is_capital(name.text):
        return len(name.text) >= _SHORTEST_SMALL and name.text not in NO_NAMES
    return name.text.lower() not in NO_NAMES and width(name.text) >= _SHORTEST


def _is_capital(word: str) -> bool:
    """True for a word with a capital or a digit, and for one of a script that has no capitals."""
    return word != word.lower() or word == word.upper() or word[0] in "@."
