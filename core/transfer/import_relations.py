"""Imports the relations of a file as links; several phrases of one pair share one link."""

import json
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct

from core.model.link import type_called
from core.model.names import canonical, name_key, slot_key
from core.model.vocabulary import NAMED_ONLY
from core.progress import Report, part
from core.store.database import Row as Found
from core.store.disk_backed_collections import LongDict, LongGroups, LongList
from core.transfer import import_queries
from core.transfer.find_or_create_entities import CACHED, KnownEntities, KnownEntity
from core.transfer.import_context import KIND, ImportContext, portions
from core.transfer.mcp_records import McpProblem, McpRelation
from core.transfer.record_field_reader import TIME, TIMES, as_json

_BETWEEN = "; "
_REASON = 300
_LINK = ("id", "source_entity_id", "target_entity_id", "dependency_type", "created_at",
         "updated_at", "reason", "source_id")
_FIELDS = attrgetter(*McpRelation.__struct_fields__)
_KEPT = McpRelation.__struct_fields__.index("fields")


class _Joined(Struct, frozen=True):
    """A relation between two entities of the graph, by their ids; its link's type; its fields.

    `new` where an end is: then the graph has no such link.
    """

    source: str
    target: str
    word: str
    relation: tuple[Any, ...]
    new: bool

    @property
    def kept(self) -> Sequence[str]:
        """The fields of the relation that are kept, as JSON."""
        kept: Sequence[str] = self.relation[_KEPT]
        return kept

    @property
    def link(self) -> tuple[str, str, str]:
        """What tells its link from others: its ends and type."""
        return self.source, self.target, self.word


class RelationImport:
    """Takes relations: finds or makes their ends, then the links between these.

    Attributes:
        names: the entities that are known already.
        dangling: the names that only relations have.
    """

    def __init__(self, context: ImportContext) -> None:
        self._context, self._writer = context, context.writer
        self.names = KnownEntities(context)
        self._links = LongGroups(context.database, _Joined)
        self.dangling = LongList(context.database, str)
        self._counted: set[str] = set()
        """The last names that were counted, so as not to look in `met` for each."""
        self._words = LongDict(context.database, str)
        self._new: list[tuple[str, _Joined, list[McpRelation]]] = []

    def run(self, relations: Sequence[McpRelation], report: Report) -> None:
        """Take all of them."""
        for some in portions(relations, part(report, 0, 0.5), len(relations),
                             lambda relation: relation.fields):
            ends = [(name_key(item.source), name_key(item.target)) for item in some]
            self._look_up({key for pair in ends for key in pair})
            for item, pair in zip(some, ends, strict=True):
                self._join(item, *pair)
            self.names.write_new()
            self._context.write_fields()
        links = portions(self._links.groups(), part(report, 0.5, 1), self._links.count,
                         lambda group: (each for joined in group for each in joined.kept))
        for groups in links:
            self._write(groups)

    @property
    def kept_words(self) -> Sequence[str]:
        """What links are called that have no type of their own."""
        return self._words.values()

    # -- ends --------------------------------------------------------------------------------

    def _look_up(self, keys: set[str]) -> None:
        """Look up what these names mean, and which of them are counted already."""
        self.names.look_up(keys)
        if len(self._counted) > CACHED:
            self._counted.clear()
        self._counted |= self._context.met.some(keys - self._counted).keys()

    def _join(self, item: McpRelation, *keys: str) -> None:
        """Put a relation to the link of its ends, which these are the keys of, and its type."""
        source, target = (self._end(name, key, item.line) for name, key in zip(
            (item.source, item.target), keys, strict=True))
        if source is None or target is None:
            self._context.count["skipped"] += 1
            return
        if source.id == target.id and len(set(keys)) > 1:
            self._leave_out(item, source)
            return
        word = type_called(item.words) or "related_to"
        joined = _Joined(
            source.id, target.id, word, _FIELDS(item), source.new or target.new)
        self._links.add("\0".join(joined.link), joined, sum(map(len, item.fields)))

    def _end(self, name: str, key: str, line: int) -> KnownEntity | None:
        """One end of a relation; an end that nothing describes is made, so that it is seen."""
        known, first = self.names.get(key), key not in self._counted
        if first:
            self._counted.add(key)
            self._context.met.add(key, 1)
        if known is not None and known.archived:
            return None
        if known is not None:
            self._context.count["entities_unchanged"] += first
            return known
        known = self.names.get_or_make(
            name, key, "unknown", None, line, note=NAMED_ONLY, told=not first)
        if known is not None:
            self.dangling.append(name)
        return known

    def _leave_out(self, item: McpRelation, one: KnownEntity) -> None:
        """Say that the two names of a relation have become one entity."""
        self._context.problems.append(McpProblem(
            item.line, "to", f"relates “{item.source}” to “{item.target}”, which are one entity"))
        said = {"type": "relation", "from": item.source, "to": item.target,
                "relationType": item.words}
        self._context.keep(one.id, [as_json(said) or "", *item.fields])

    # -- links -------------------------------------------------------------------------------

    def _write(self, links: Sequence[list[_Joined]]) -> None:
        ends = [(first.source, first.target) for first, *_ in links if not first.new]
        rows = self._writer.rows(import_queries.LINKS, ends=ends) if ends else ()
        known = {(row["source_entity_id"], row["target_entity_id"], row["dependency_type"]): row
                 for row in rows}
        for link in links:
            self._link(link[0], [McpRelation(*each.relation) for each in link],
                       known.get(link[0].link))
        self._writer.insert_rows(
            "entity_dependencies", _LINK, [*map(self._row, self._new)],
            agent_id=self._writer.agent, strength=0.5, confidence=0.7, status="active",
            **self._context.source())
        self._new = []
        self._context.write_fields()

    def _link(self, link: _Joined, items: Sequence[McpRelation], row: Found | None) -> None:
        words = [item.words for item in items]
        id = next(self._context.ids) if row is None else str(row["id"])
        if row is None:
            self._new.append((id, link, list(items)))
            self._context.count["links_new"] += 1
            self._keep_words(link.word, words)
        elif row["status"] == "archived":
            self._context.count["skipped"] += len(words)
            return
        else:
            self._known_link(row, words)
        self._keep_fields(id, items, row)

    def _keep_fields(self, link: str, items: Sequence[McpRelation], row: Found | None) -> None:
        """Keep what else relations say; say which share the link of an earlier one.

        Args:
            row: the link, if it was there already with its own phrases.
        """
        for item in items[1:]:
            self._context.remarks.append(McpProblem(
                item.line, "", f"“{item.source}” {item.words} “{item.target}” shares the link of"
                               f" line {items[0].line} ({items[0].words})"))
        phrases = _phrases(row)
        adds = row is not None and row["dependency_type"] == "related_to"
        for item in items:
            new = row is None or adds and (
                not set(canonical(item.words).split(_BETWEEN)) <= phrases)
            if item.fields or new and (adds or len(items) > 1 or not _says_itself(item.words)):
                self._context.keep(link, _own_records(item))

    def _keep_words(self, word: str, words: Iterable[str]) -> None:
        """Note what a link is called that has no type of its own."""
        for each in words if word == "related_to" else ():
            if self._words.get(each) is None and (
                    slot_key(each) not in ("related_to", "related-to", None)):
                self._words.add(each, each)

    def _known_link(self, row: Found, words: Iterable[str]) -> None:
        """Add phrases that a link of an earlier import lacks; its reason may have been edited."""
        imported = str(row["source_id"] or "").split(_BETWEEN)
        # A phrase may hold what stands between two of them.
        fresh = [item for item in words
                 if not set(canonical(item).split(_BETWEEN)) <= set(imported)]
        if row["source_kind"] != KIND or row["dependency_type"] != "related_to" or not fresh:
            self._context.count["links_unchanged"] += 1
            return
        self._writer.update(
            "entity_dependencies", str(row["id"]), updated_at=self._writer.now(),
            reason=_joined([str(row["reason"] or ""), *fresh])[:_REASON],
            source_id=_joined([*imported, *map(canonical, fresh)]))
        self._context.count["links_new"] += 1
        self._keep_words("related_to", fresh)

    def _row(self, item: tuple[str, _Joined, list[McpRelation]]) -> tuple[object, ...]:
        id, link, items = item
        words = [each.words for each in items]
        at = self._context.time(next((each.when for each in items if each.when), None))
        reason = _joined(words)[:_REASON] if link.word == "related_to" else None
        return (id, link.source, link.target, link.word, at, at, reason,
                _joined(map(canonical, words)))


def _phrases(row: Found | None) -> set[str]:
    """The phrases of a link that is there already, in canonical form."""
    texts = (str(row[name] or "") for name in ("source_id", "reason")) if row else ()
    return {canonical(phrase) for words in texts for phrase in words.split(_BETWEEN)}


def _says_itself(words: str) -> bool:
    """True if a link alone tells the words of its relation as the file spells them."""
    word = type_called(words)
    return words == word if word else len(words) <= _REASON


def _own_records(item: McpRelation) -> Iterator[str]:
    """A relation with its fields as JSON, once for each time that it stands in the file."""
    for own in item.fields or ("{}",):
        rest = json.loads(own)
        when = {TIME: item.when} if item.when and not rest.keys() & set(TIMES) else {}
        yield as_json({"relationType": item.words, **when, **rest}) or ""


def _joined(phrases: Iterable[str]) -> str:
    return _BETWEEN.join(dict.fromkeys(item for item in phrases if item))
