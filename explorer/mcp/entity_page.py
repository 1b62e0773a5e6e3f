"""An entity as one text that a model reads: its rules, what is known of it, its links."""

from collections.abc import Iterator

from core.model.entity import Entity
from core.model.link import Link
from core.model.text_formatting import counted, one_line
from core.queries import knowledge, links
from core.queries.descriptions import told_description
from core.queries.entities import entity_in_full, find_entity
from core.review.proposal_queue import pending_of
from core.store.reader_and_writer import Reader
from explorer import knowledge_json
from explorer.caller_arguments import Json

_LINKS = 50
"""Links that are listed."""
_LONGEST = 1000
"""Characters of one value."""


def entity_page(reader: Reader, selector: str) -> tuple[Json, str]:
    """The entity with its claims, rules and links, as an object and as a text.

    Raises OperationError: 404 or 409, as every selector does.
    """
    id = find_entity(reader, selector).id
    entity = entity_in_full(reader, id, selector)
    described = told_description(reader, id, entity.description)
    tree = knowledge_json.tree(reader, id)
    rules = [rule.content for rule in knowledge.constraints_of(reader, id)]
    linked = links.links_of(reader, id)
    waiting = len(pending_of(reader, id))
    known = knowledge_json.entity(reader, id)
    page = {**known, "entity": {**known["entity"], "description": described},
            "aliases": list(entity.aliases), "constraints": rules, "aspects": tree["items"],
            "links": [_link(link) for link in linked[:_LINKS]], "pendingProposals": waiting}
    lines = [*_heading(entity, described, waiting), *_rules(rules), *tree_lines(tree),
             *_links(linked)]
    return page, "\n".join(lines)


def _heading(entity: Entity, described: str, waiting: int) -> Iterator[str]:
    yield f"# {one_line(entity.name, _LONGEST)} ({entity.entity_type})"
    marks = [word for word, is_so in (("pinned", entity.pinned), ("muted", entity.muted)) if is_so]
    if marks:
        yield f"It is {' and '.join(marks)}."
    if described:
        yield one_line(described, _LONGEST)
    if entity.aliases:
        yield f"Also called {', '.join(entity.aliases)}."
    if waiting:
        them = counted(waiting, "proposal about it waits", "proposals about it wait")
        yield f"{them} for a person."


def _rules(rules: list[str]) -> Iterator[str]:
    if rules:
        yield "## Rules"
    for rule in rules:
        yield f"- {one_line(rule, _LONGEST)}"


def tree_lines(tree: Json) -> Iterator[str]:
    """The aspects of an entity with the values of their claims, a line each."""
    for item in tree["items"]:
        yield f"## {item['aspect']['name']}"
        for group in item.get("groups", ()):
            for claim in group.get("claims", ()):
                yield from _claim(claim)


def _claim(claim: Json) -> Iterator[str]:
    key = f"{claim['claimKey']}: " if claim["claimKey"] else ""
    versions = f" ({claim['versions']} versions)" if claim["versions"] > 1 else ""
    rule = "Rule: " if claim["kind"] == "constraint" else ""
    for value in claim["values"]:
        yield f"- {rule}{key}{one_line(value['content'], _LONGEST)}{versions}"


def _links(linked: tuple[Link, ...]) -> Iterator[str]:
    if linked:
        yield "## Links"
    for link in linked[:_LINKS]:
        name = link.other_name or "a deleted entity"
        said = f": {link.sentence}" if link.sentence else ""
        yield f"- {'→' if link.direction == 'out' else '←'} {link.words} {name}{said}"
    if len(linked) > _LINKS:
        yield f"- and {counted(len(linked) - _LINKS, 'more link', 'more links')}"


def _link(link: Link) -> Json:
    return {"id": link.id, "direction": link.direction, "type": link.dependency_type,
            "words": link.words, "other": link.other_name, "otherType": link.other_type,
            "strength": link.strength, "reason": link.reason}
