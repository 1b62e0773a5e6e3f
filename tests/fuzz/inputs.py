"""Files to import and memories to store, of every dialect, mutated by their bytes or values."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.fuzz.values import ODD_JSON, harm_bytes

ENTITIES: list[Any] = [
    {"type": "entity", "name": "Harbor Ledger", "entityType": "project",
     "observations": ["The run starts at seven", "Owned by Nora", "[wip] port the importer"],
     "createdAt": "2025-05-08T08:58:19.324Z", "tags": ["a", "b"], "context": {"repo": "x"}},
    {"type": "entity", "name": "Nora", "entityType": "person", "id": 7,
     "observations": [{"text": "likes tea", "timestamp": "2024-01-01 00:00:00"},
                      {"content": "lives in Oslo", "createdAt": 1768402102123, "createdBy": "x"}]},
    {"type": "entity", "name": "Tide API", "entityType": "tool", "observations": []},
]
RELATIONS: list[Any] = [
    {"type": "relation", "from": "Nora", "to": "Harbor Ledger", "relationType": "works on"},
    {"type": "relation", "from_id": "Harbor Ledger", "to_id": "Tide API",
     "relation_type": "uses", "strength": 0.4},
]
MEMORIES: list[Any] = [
    {"content": "Nora moved the run of Harbor Ledger to eight", "type": "decision",
     "importance": 0.8, "tags": ["x"], "createdAt": "2026-03-14T21:40:46Z",
     "structured": {"entities": [{"source": "Nora", "relationship": "runs",
                                  "target": "Harbor Ledger", "confidence": 0.9}],
                    "aspects": [{"entityName": "Harbor Ledger", "aspect": "schedule",
                                 "attributes": [{"content": "runs at eight", "groupKey": "nightly",
                                                 "claimKey": "start_time"}]}],
                    "hints": ["when does it run?"]}},
    {"content": "Nora likes tea", "who": "me", "visibility": "private"},
]
OTHERS: dict[str, Any] = {
    "mem0": {"results": [{"id": "1", "memory": "Nora likes tea", "user_id": "u", "hash": "h",
                          "created_at": "2025-01-01T00:00:00Z", "metadata": {"category": "food"}}]},
    "graphiti": [{"uuid": "1", "fact": "Nora runs Harbor", "name": "RUNS", "valid_at": None,
                  "source_node_uuid": "a", "target_node_uuid": "b"}],
    "chatgpt": [{"title": "x", "mapping": {"a": {"message": {"author": {"role": "user"},
                                                            "content": {"parts": ["hi"]}}}}}],
    "claude": [{"name": "x", "chat_messages": [{"sender": "human", "text": "hello"}]}],
    "chat": [{"role": "user", "content": "I like tea"}],
    "triples": [{"subject": "Nora", "predicate": "likes", "object": "tea"}],
    "graph": {"nodes": [{"id": "a", "label": "Nora"}], "edges": [{"source": "a", "target": "a"}]},
    "langchain": [{"page_content": "Nora likes tea", "metadata": {"source": "x"}}],
    "notes": [{"id": 1, "text": "Nora likes tea", "ts": 5}],
}
MARKDOWN = ("---\ntitle: Nora\ntags: [a, b]\n---\n# Nora\n\n- likes [[tea]]\n"
            "- [fact] runs at 7 #run\n")
CSV = 'name,type,note\nNora,person,"likes, tea"\nHarbor,project,\n'
LARGEST = 3_000_000
"""Characters: places nested in each other a few times would make hundreds of millions."""
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp1252")


def mutate(chance: random.Random, path: Path) -> list[str]:
    """Write a mutated file; returns what it is, and what is to be done with it as first word."""
    name, value = chance.choice(_dialects())
    done = [name]
    if isinstance(value, str):
        text = value
    else:
        value = json.loads(json.dumps(value))
        for _ in range(chance.choice((0, 1, 1, 2, 5))):
            value = _changed(value, chance, done)
        text = _written(value, name, chance)[:LARGEST]
    encoding = chance.choice(ENCODINGS)
    body = text.encode(encoding, "surrogatepass" if "utf" in encoding else "replace")
    for _ in range(chance.choice((0, 0, 1, 1, 3))):
        body = harm_bytes(body, chance)
        done.append("bytes")
    path.write_bytes(body)
    return [*done, encoding]


def _dialects() -> list[tuple[str, Any]]:
    whole = {"entities": ENTITIES, "relations": RELATIONS}
    plain = {key: [{k: v for k, v in record.items() if k != "type"} for record in records]
             for key, records in whole.items()}
    return [("lines", [*ENTITIES, *RELATIONS])] * 4 + [
        ("array", [*ENTITIES, *RELATIONS]), ("object", whole), ("object", plain),
        ("wrapped", {"graph": plain}), ("remember array", MEMORIES),
        ("remember lines", MEMORIES), ("remember one", MEMORIES[0]),
        ("remember text", "Nora moved the run of Harbor Ledger to eight. Tide API is down.\n"),
        *OTHERS.items(), ("markdown", MARKDOWN), ("csv", CSV)]


def _changed(value: Any, chance: random.Random, done: list[str]) -> Any:
    """The value with one place in it changed."""
    places = list(_places(value))
    holder, key = chance.choice(places) if places else ([value], 0)
    odd = deepcopy(chance.choice(ODD_JSON))
    kind = chance.randrange(6)
    done.append(f"{key!s:.30}: {('odd', 'gone', 'renamed', 'nested', 'double', 'wide')[kind]} "
                f"{str(odd)[:30]!r}")
    if kind == 0:
        holder[key] = odd
    elif kind == 1:
        del holder[key]
    elif kind == 2 and isinstance(holder, dict):
        holder[chance.choice(("", "type", "name", "Name", "a\0", "text", key + " "))] = (
            holder.pop(key))
    elif kind == 3:
        for _ in range(chance.choice((3, 60, 1200))):
            holder[key] = [holder[key]]
    elif kind == 4 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = {str(number): odd for number in range(chance.choice((1, 50)))}
    return value


def _places(value: Any, depth: int = 30) -> Iterator[tuple[Any, Any]]:
    """Every place of a value as its holder and key, down to a depth."""
    if isinstance(value, dict | list) and depth:
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(inner, depth - 1)


def _written(value: Any, name: str, chance: random.Random) -> str:
    one = {"ensure_ascii": chance.random() < 0.5}
    try:
        if name.endswith("lines") and isinstance(value, list):
            end = chance.choice(("\n", "\n", "\r\n", "\n\n", ",\n", "\u2028"))
            text = end.join(json.dumps(record, **one) for record in value)
        else:
            text = json.dumps(value, indent=chance.choice((None, 2)), **one)
    except RecursionError:
        text = "[" * 5000
    if chance.random() < 0.1:
        text = text.replace("0.8", chance.choice(("1e999", "-Infinity", "9" * 5000, "0x10", "08")))
    return text
