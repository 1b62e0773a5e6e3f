"""Builds graphs for tests through the Writer: small ones by name, big ones in bulk."""

import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from core.model.names import canonical
from core.store.reader_and_writer import Reader, Writer, new_id
from core.workspace import Workspace
from tests.templates import copy_graph, nothing


def build(path: Path, fill: Callable[["Graph"], object], *, agent: str = "default") -> Workspace:
    """A new native graph beside `path`'s folder of sidecars, filled by `fill`."""
    data = path.parent / "data"
    workspace = Workspace.open(copy_graph(nothing, path, data), agent=agent, data_dir=data)
    # As another program writes: no value gets a memory of its own.
    with patch("core.workspace.keep_in_step"):
        workspace.write("fill", lambda writer: fill(Graph(writer)))
    return workspace


@pytest.fixture(name="graph")
def empty_graph(tmp_path: Path) -> Iterator[Workspace]:
    """A new native graph with nothing in it, in place of the maker of graphs."""
    side = tmp_path / "side"
    workspace = Workspace.open(copy_graph(nothing, tmp_path / "g.db", side), data_dir=side)
    yield workspace
    workspace.close()


class Graph:
    """Writes rows with the columns that a test cares about; the rest have sensible values.

    Every method returns the new row's id. `at` is the row's creation and change time.
    """

    def __init__(self, writer: Writer, at: str = "") -> None:
        self.writer = writer
        self.at = at or writer.now()

    def _insert(self, table: str, **columns: object) -> str:
        row = {"id": new_id(), "agent_id": self.writer.agent, "created_at": self.at,
               "updated_at": self.at, **columns}
        self.writer.insert(table, **row)
        return str(row["id"])

    def entity(self, name: str, entity_type: str = "project", **columns: object) -> str:
        return self._insert("entities", name=name, entity_type=entity_type,
                            **{"canonical_name": self.writer.stored_key(name), **columns})

    def alias(self, entity: str, alias: str, **columns: object) -> str:
        return self._insert("entity_aliases", entity_id=entity, alias=alias,
                            canonical_alias=self.writer.stored_key(alias), **columns)

    def aspect(self, entity: str, name: str, weight: float = 0.5, **columns: object) -> str:
        return self._insert("entity_aspects", entity_id=entity, name=name, weight=weight,
                            canonical_name=self.writer.stored_key(name), **columns)

    def value(
        self, aspect: str, content: str, claim: str | None = None, *, kind: str = "attribute",
        group: str | None = "general", **columns: object,
    ) -> str:
        id = str(columns.pop("id", new_id()))
        row = {"kind": kind, "group_key": group, "claim_key": claim, "version_root_id": id,
               "normalized_content": canonical(content), "confidence": 0.8, **columns}
        return self._insert("entity_attributes", id=id, aspect_id=aspect, content=content, **row)

    def history(self, aspect: str, claim: str, *contents: str, **columns: object) -> list[str]:
        """A claim's versions, oldest first; the last one is active."""
        ids = [new_id() for _ in contents]
        for place in reversed(range(len(ids))):
            last = place == len(ids) - 1
            self.value(aspect, contents[place], claim, **{
                "id": ids[place], "version": place + 1, "version_root_id": ids[0],
                "previous_attribute_id": ids[place - 1] if place else None,
                "status": "active" if last else "superseded",
                "superseded_by": None if last else ids[place + 1], **columns})
        return ids

    def link(
        self, source: str, target: str, dependency_type: str = "uses", **columns: object
    ) -> str:
        return self._insert("entity_dependencies", source_entity_id=source,
                            target_entity_id=target, dependency_type=dependency_type, **columns)

    def memory(self, content: str, *mentioned: str, **columns: object) -> str:
        id = self._insert("memories", content=content, **columns)
        for entity in mentioned:
            self.writer.insert("memory_entity_mentions", memory_id=id, entity_id=entity,
                               mention_text=None, confidence=0.9, created_at=self.at)
        return id

    def proposal(
        self, operation: str, payload: object, *, evidence: object = (), **columns: object
    ) -> str:
        return self._insert(
            "ontology_proposals", operation=operation,
            payload=payload if isinstance(payload, str) else json.dumps(payload),
            evidence=evidence if isinstance(evidence, str) else json.dumps(evidence), **columns)

    def assertion(
        self, entity: str, content: str, predicate: str = "claims", **columns: object
    ) -> str:
        return self._insert("epistemic_assertions", subject_entity_id=entity, content=content,
                            **{"predicate": predicate, "normalized_content": canonical(content),
                               "asserted_at": self.at, "confidence": 0.7, **columns})

    def task(self, entity: str, status: str = "open") -> None:
        self.writer.insert("task_meta", entity_id=entity, agent_id=self.writer.agent,
                           status=status, updated_at=self.at)


def many(graph: Graph, entities: int, *, aspects: int = 3, values: int = 10) -> None:
    """`entities` entities in bulk, each with `values` values over `aspects` aspects and a link."""
    writer, at = graph.writer, graph.at
    types = ("project", "person", "tool", "concept", "system")
    stamps = {"agent_id": writer.agent, "created_at": at, "updated_at": at}
    writer.insert_many("entities", (
        {"id": f"e{n}", "name": f"Entity {n} of {types[n % 5]}", "entity_type": types[n % 5],
         "canonical_name": f"entity {n} of {types[n % 5]}", "mentions": n * 7919 % 100,
         "pinned": int(n % 5000 == 7), **stamps} for n in range(entities)))
    writer.insert_many("entity_aspects", (
        {"id": f"s{n}.{k}", "entity_id": f"e{n}", "name": f"aspect {k}",
         "canonical_name": f"aspect {k}", "weight": k * 31 % 10 / 10, **stamps}
        for n in range(entities) for k in range(aspects)))
    writer.insert_many("entity_attributes", (
        {"id": f"v{n}.{k}", "aspect_id": f"s{n}.{k % aspects}",
         "kind": "constraint" if k == 0 else "attribute",
         "content": f"The value {k} of number {n} stays near {n * 31 % 977}",
         "normalized_content": f"the value {k} of number {n} stays near {n * 31 % 977}",
         "importance": k / values, "group_key": "general", "claim_key": f"claim_{k}",
         "version_root_id": f"v{n}.{k}", **stamps}
        for n in range(entities) for k in range(values)))
    writer.insert_many("entity_dependencies", (
        {"id": f"d{n}", "source_entity_id": f"e{n}", "target_entity_id": f"e{n * 13 % entities}",
         "dependency_type": "uses", **stamps} for n in range(entities)))


class Asked:
    """A Reader that keeps every statement it is asked, to count them and to see their plans."""

    def __init__(self, reader: Reader) -> None:
        self.statements: list[tuple[str, dict[str, object]]] = []
        self._reader = reader
        self._rows, self._rows_in_time = reader.rows, reader.rows_in_time
        self._by_column = reader.rows_by_column
        reader.rows = self.rows  # type: ignore[method-assign]
        reader.rows_by_column = self.rows_by_column  # type: ignore[method-assign]
        reader.rows_in_time = self.rows_in_time  # type: ignore[method-assign]

    def rows(self, sql: str, /, **params: object) -> list:
        self.statements.append((sql, params))
        return self._rows(sql, **params)

    def rows_by_column(self, sql: str, *as_json: Collection[str], **params: object) -> dict:
        self.statements.append((sql, params))
        return self._by_column(sql, *as_json, **params)

    def rows_in_time(self, sql: str, /, **params: object) -> tuple[list, bool]:
        self.statements.append((sql, params))
        return self._rows_in_time(sql, **params)

    def plans(self) -> list[str]:
        """The steps of the plans of all statements so far."""
        return [row["detail"] for sql, params in self.statements
                for row in self._rows(f"EXPLAIN QUERY PLAN {sql}", **params)]
