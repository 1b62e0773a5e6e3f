"""Finds entities that seem to be one, with the merge that makes them one."""

from collections import defaultdict
from collections.abc import Iterator

from core.health.finding import Finding, Rules, fix
from core.health.name_matching import MEANING, Group, Named, duplicates
from core.queries.rows_to_model import text, whole
from core.store.reader_and_writer import Reader

_ENTITIES = """
SELECT e.id, e.name, e.entity_type, e.mentions, e.pinned FROM entities e
WHERE e.agent_id = :agent AND +e.status = 'active' AND e.entity_type <> 'task' ORDER BY e.rowid"""
_ALIASES = """
SELECT a.entity_id, a.alias FROM entity_aliases a
WHERE a.agent_id = :agent AND a.status = 'active'"""
_LINKS = """
SELECT d.source_entity_id, d.target_entity_id FROM entity_dependencies d
WHERE d.agent_id = :agent AND d.status = 'active'"""


def duplicate_entities(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Entities whose names seem to stand for one thing."""
    strictness = rules.health.duplicates
    for group in duplicates(_named(reader), strictness, lambda: _neighbours(reader)):
        yield _finding(reader, group)


def same_named(reader: Reader) -> list[Group]:
    """Entities of one name, also where it differs in punctuation alone."""
    return duplicates(_named(reader), "punctuation")


def _named(reader: Reader) -> list[Named]:
    aliases: defaultdict[str, list[str]] = defaultdict(list)
    for row in reader.rows(_ALIASES):
        aliases[row["entity_id"]].append(text(row["alias"]))
    return [Named(row["id"], text(row["name"]), text(row["entity_type"]),
                  tuple(aliases.get(row["id"], ())), (whole(row["pinned"]), whole(row["mentions"])))
            for row in reader.rows(_ENTITIES)]


def _neighbours(reader: Reader) -> dict[str, set[str]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    for row in reader.rows(_LINKS):
        near[row["source_entity_id"]].add(row["target_entity_id"])
        near[row["target_entity_id"]].add(row["source_entity_id"])
    return near


def _finding(reader: Reader, group: Group) -> Finding:
    target = group.target
    names = [f"“{one.name}”" for one in (target, *group.sources)]
    types = sorted({one.entity_type for one in (target, *group.sources)})
    pinned = [f"“{one.name}”" for one in group.sources if one.rank[0]]
    force = {"force": True} if len(types) > 1 or pinned else {}
    is_pinned = f"; {', '.join(pinned)} is pinned, too" if pinned else ""
    other_types = f"; their types are {', '.join(types)}" if len(types) > 1 else ""
    return Finding(
        "duplicate_entities", "warning", tuple(sorted((target.id, *(
            one.id for one in group.sources)))), target.id, target.name,
        f"{', '.join(names[:-1])} and {names[-1]} {MEANING[group.level]}{other_types}{is_pinned}",
        fix(reader, "merge_entities", target_entity_id=target.id,
            source_entity_ids=[one.id for one in group.sources], **force))
