"""Writes a graph as a folder of pages in Markdown, plain or as notes for Obsidian."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct, field

from core.model.names import spoken
from core.transfer.exported_graph import ExportedEntity, ExportedFact, ExportedGraph, ExportedLink
from core.transfer.page_names import page_names

_MARKUP = re.compile(r"([\\`*_\[\]<>|~#$%])")
_AT_BEGINNING = re.compile(r"^(\s*\d*)([-+=.)])(?=\s|$)")
"""The mark of a list or a heading, where it begins a line."""
_IN_LINKS = re.compile(r"[|\[\]]")
INDEX, INDEX_TITLE = "index", "Entities"
ALWAYS = "*(always applies)*"
OBSERVATIONS, RELATIONS, CONSTRAINT = "Observations", "Relations", "constraint"
PINNED, MUTED = "pinned", "muted"
DESCRIBED = "described"
"""The field of a note's front matter that says how many paragraphs are the description."""
_PARAGRAPHS = re.compile(r"\n\s*\n")


class _Pages(Struct):
    """The entities with the names of their pages and the links that leave them."""

    graph: ExportedGraph
    taken: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    links: dict[str, list[ExportedLink]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = page_names(self.graph.entities, self.taken)
        self.titles = {each.id: each.name for each in self.graph.entities}
        self.links = defaultdict(list)
        for link in self.graph.links:
            self.links[link.source].append(link)


def write_pages(graph: ExportedGraph, folder: Path) -> None:
    """A page for each entity with its facts under their aspects, and an index of all of them."""
    pages = _Pages(graph, (INDEX,))
    for entity in graph.entities:
        _write(folder / f"{pages.names[entity.id]}.md", _page(pages, entity))
    _write(folder / f"{INDEX}.md", (
        f"# {INDEX_TITLE}", "", *(f"- {_page_link(pages, each.id)} ({escaped(each.entity_type)})"
                            for each in sorted(graph.entities, key=lambda each: each.name))))


def write_notes(graph: ExportedGraph, folder: Path) -> None:
    """A note for each entity, as Obsidian and basic-memory read them.

    The front matter has the type, aliases and tags, and how many paragraphs below the name
    describe the entity; facts are `- [aspect] fact`, links are
    `- relation [[Target]]`.
    """
    pages = _Pages(graph)
    for entity in graph.entities:
        _write(folder / f"{pages.names[entity.id]}.md", _note(pages, entity))


def escaped(words: str) -> str:
    """The words so that Markdown shows them as they are, further lines indented."""
    plain = _MARKUP.sub(r"\\\1", words.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n  ".join(_AT_BEGINNING.sub(r"\1\\\2", line) if number else line
                       for number, line in enumerate(plain.split("\n")))


def _write(path: Path, lines: Iterator[str] | tuple[str, ...]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _page(pages: _Pages, entity: ExportedEntity) -> Iterator[str]:
    yield f"# {escaped(_one_line(entity.name))}"
    yield ""
    yield ", ".join((f"Type: {escaped(_one_line(entity.entity_type))}", *_marks(entity)))
    if entity.aliases:
        yield f"\nAlso called: {escaped(_one_line(', '.join(entity.aliases)))}"
    if entity.description.strip():
        yield f"\n{escaped(entity.description)}"
    by_aspect: defaultdict[str, list[ExportedFact]] = defaultdict(list)
    for fact in entity.facts:
        by_aspect[fact.aspect].append(fact)
    for aspect, facts in by_aspect.items():
        yield f"\n## {escaped(_one_line(spoken(aspect)))}\n"
        yield from map(_fact, facts)
    if pages.links[entity.id]:
        yield "\n## Links\n"
        for link in pages.links[entity.id]:
            yield f"- {escaped(_one_line(link.words))} {_page_link(pages, link.target)}"


def _marks(entity: ExportedEntity) -> tuple[str, ...]:
    return (*(PINNED,) * entity.pinned, *(MUTED,) * entity.muted)


def _shared_tags(entity: ExportedEntity) -> tuple[str, ...]:
    """The tags that all facts of an entity have, which are the tags of its note."""
    first = entity.facts[0].tags if entity.facts else ()
    return tuple(tag for tag in first if all(tag in fact.tags for fact in entity.facts))


def _own_tags(fact: ExportedFact, shared: tuple[str, ...] = ()) -> str:
    """The tags of a fact as its text has them; no tag in a text has white space."""
    return "".join(f" #{'-'.join(tag.split())}" for tag in fact.tags
                   if tag not in (*shared, CONSTRAINT))


def _fact(fact: ExportedFact) -> str:
    claim = f"**{escaped(_one_line(spoken(fact.claim)))}:** " if fact.claim else ""
    always = f" {ALWAYS}" if fact.is_constraint else ""
    return f"- {claim}{escaped(fact.content)}{_own_tags(fact)}{always}"


def _page_link(pages: _Pages, id: str) -> str:
    return f"[{escaped(_one_line(pages.titles[id]))}]({quote(pages.names[id])}.md)"


def _note(pages: _Pages, entity: ExportedEntity) -> Iterator[str]:
    yield "---"
    yield f"title: {_quoted(entity.name)}"
    yield f"type: {_quoted(entity.entity_type)}"
    if entity.aliases:
        yield f"aliases: {_quoted(entity.aliases)}"
    shared = _shared_tags(entity)
    if tags := (*_marks(entity), *shared):
        yield f"tags: {_quoted(tags)}"
    yield f"created: {_quoted(entity.created_at)}"
    if description := entity.description.strip():
        yield f"{DESCRIBED}: {len(_PARAGRAPHS.split(description))}"
    yield "---"
    yield f"\n# {escaped(_one_line(entity.name))}"
    if entity.description.strip():
        yield f"\n{escaped(entity.description)}"
    if entity.facts:
        yield f"\n## {OBSERVATIONS}\n"
        for fact in entity.facts:
            tag = f" #{CONSTRAINT}" if fact.is_constraint else ""
            own = _own_tags(fact, shared)
            yield f"- [{_category(fact.aspect)}] {escaped(fact.claimed)}{own}{tag}"
    if pages.links[entity.id]:
        yield f"\n## {RELATIONS}\n"
        for link in pages.links[entity.id]:
            yield f"- {escaped(_one_line(link.words))} {_wiki_link(pages, link.target)}"


def _category(aspect: str) -> str:
    """The aspect without what would end the brackets."""
    return _one_line(aspect.replace("[", "(").replace("]", ")"))


def _wiki_link(pages: _Pages, id: str) -> str:
    """A link to the note of an entity, under its name where that is not the file's."""
    name, title = pages.names[id], _one_line(pages.titles[id])
    if name == title:
        return f"[[{name}]]"
    return f"[[{name}|{_IN_LINKS.sub(' ', title)}]]"


def _quoted(value: object) -> str:
    """The value as YAML: what JSON writes is YAML too."""
    return json.dumps(value, ensure_ascii=False)


def _one_line(words: str) -> str:
    return " ".join(words.split())
