"""Tells what a note says as single statements, so that two states of it can be compared.

A statement is a short text: what kind it is of, the entity, and its words (long ones as a hash).
Whoever takes a statement back in the graph is not overruled: only what is new in the notes is
imported, never what they said before.
"""

import hashlib
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from core.model.names import canonical, name_key
from core.queries.rows_to_model import tags_in
from core.transfer.mcp_records import McpEntity, McpFile, McpRelation

ENTITY, FACT, LINK, ALIAS, DESCRIPTION = "entity", "fact", "link", "alias", "description"
TAGS = "tags"
_BETWEEN = "\t"


def statements(file: McpFile) -> tuple[str, ...]:
    """Everything that a note says, each once."""
    return tuple(dict.fromkeys(_all(file)))


def _all(file: McpFile) -> Iterator[str]:
    for entity in file.entities:
        yield statement(ENTITY, entity.key)
        if entity.description:
            yield text_statement(DESCRIPTION, entity.key, entity.description)
        yield from (statement(ALIAS, entity.key, name_key(alias)) for alias in entity.aliases)
        yield from (text_statement(FACT, entity.key, fact.text) for fact in entity.observations)
        yield from (tagged(entity.key, fact.key, fact.tags)
                    for fact in entity.observations if fact.tags)
    yield from map(_of_link, file.relations)


def tagged(entity: str, fact: str, tags: str) -> str:
    """The statement that a fact, by its canonical form, has tags."""
    return text_statement(TAGS, entity, f"{fact}\t{','.join(tags_in(tags))}")


def statement(kind: str, entity: str, words: str = "") -> str:
    """A statement of a kind about an entity, by its canonical name."""
    return _BETWEEN.join((kind, entity, words))


def text_statement(kind: str, entity: str, text: str) -> str:
    """A statement that is a whole text: two spellings of it are one."""
    return statement(kind, entity,
                     hashlib.blake2b(canonical(text).encode(), digest_size=12).hexdigest())


def _of_link(relation: McpRelation) -> str:
    return statement(LINK, name_key(relation.source), _BETWEEN.join(
        (name_key(relation.target), canonical(relation.words))))


def kind_of(said: str) -> str:
    """What kind of statement it is."""
    return said.partition(_BETWEEN)[0]


def entity_of(said: str) -> str:
    """The canonical name of the entity that it is about."""
    return said.split(_BETWEEN, 2)[1]


def link_of(said: str) -> tuple[str, str, str]:
    """The two ends and the words of a link, each in canonical form."""
    _, source, target, words = said.split(_BETWEEN, 3)
    return source, target, words


def names_in(said: str) -> tuple[str, ...]:
    """The canonical names of the entities that a statement is about or leads to."""
    return link_of(said)[:2] if kind_of(said) == LINK else (entity_of(said),)


def said_of(said: str, old: str, new: str) -> str:
    """The statement with another canonical name of an entity, where it is about that or leads to
    it."""
    kind, entity, words = said.split(_BETWEEN, 2)
    if kind == LINK:
        target, _, relation = words.partition(_BETWEEN)
        words = _BETWEEN.join((new if target == old else target, relation))
    return statement(kind, new if entity == old else entity, words)


def only(
    file: McpFile, said: Collection[str], about: Collection[str]
) -> tuple[McpFile, McpFile]:
    """What a note says of these statements: the part about its entity, and its relations.

    Its entity is in it if anything is said of it.

    Args:
        about: the entities that the statements are about, by their canonical names.
    """
    entities = tuple(_only(entity, said) for entity in file.entities if entity.key in about)
    relations = tuple(each for each in file.relations if _of_link(each) in said)
    return (replace(file, entities=entities, relations=()),
            replace(file, entities=(), relations=relations, problems=(), merged=(), remarks=()))


def _only(entity: McpEntity, said: Collection[str]) -> McpEntity:
    described = text_statement(DESCRIPTION, entity.key, entity.description) in said
    return replace(
        entity, description=entity.description if described else "",
        aliases=tuple(each for each in entity.aliases
                      if statement(ALIAS, entity.key, name_key(each)) in said),
        observations=tuple(each for each in entity.observations
                           if tagged(entity.key, each.key, each.tags) in said
                           or text_statement(FACT, entity.key, each.text) in said))
