"""The sky is patched after a change, and is then what it would be if all of it were read; so are
its scene, and the counts."""

import random

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from core.constellation import sky_rows
from core.constellation.positions import angles
from core.constellation.reread_changed_sky_rows import FEW, MOST, can_patch, patched
from core.constellation.scene import Communities, Ghosts, Scene
from core.constellation.scene_assembly import Assembled, scene_of
from core.constellation.sky_rows import sky
from core.constellation.unchanged_positions import same_positions
from core.errors import OperationError
from core.model.changes import Changes
from core.model.sky_columns import Positions, SkyRows
from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from core.queries.followed_counts import followed_counts
from core.queries.stats import COUNTED, added, counts
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from tests.contracts.test_catalog_contracts import prepare
from tests.soak.choices import PAYLOADS, Choices

OPTIONS = ({"archived": False}, {"archived": True}, {"muted": False})
"""What the sky is shown with."""
SMALL_PARTS = 1
"""So that few rows are counted in several parts."""


class Skies:
    """The sky with each of the options, patched at each change."""

    def __init__(self, graph: Workspace) -> None:
        self._graph = graph
        self._skies = [self._read(options) for options in OPTIONS]
        self._scenes = [assembled(rows) for rows in self._skies]
        with graph.read() as reader:
            self._counts = counts(reader)
            self._followed = followed_counts(reader, None, Changes(frozenset(), external=True))
        self.patches = self.counted = 0
        graph.tells_counts = True
        graph.events.subscribe(self._follow)

    def _read(self, options: dict[str, bool]) -> SkyRows:
        with self._graph.read() as reader:
            return sky(reader, **options)

    def _follow(self, changes: Changes) -> None:
        with self._graph.read() as reader:
            before, self._counts = self._counts, counts(
                reader, self._counts, COUNTED if changes.external else changes.tables)
            if changes.counted is not None and changes.counted.by is not None:
                assert self._counts == added(before, changes.counted.by)
                self.counted += 1
            assert self._counts == counts(reader), changes
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("core.queries.followed_counts.BITS", SMALL_PARTS)
                self._followed = followed_counts(reader, self._followed, changes)
            assert self._followed.counts == self._counts, changes
        for number, options in enumerate(OPTIONS):
            whole = self._read(options)
            with self._graph.read() as reader, pytest.MonkeyPatch.context() as patch:
                patch.setattr(sky_rows, "_by_chunks", None)
                rows = patched(reader, self._skies[number], changes, **options)
            if rows is not None:
                self.patches += 1
                assert differences(rows, whole) == [], (changes, options)
            self._skies[number] = whole if rows is None else rows
            self._scenes[number] = assembled(self._skies[number], self._scenes[number])
            anew = assembled(whole)
            assert differences(self._scenes[number].scene, anew.scene) == [], (changes, options)

    def check(self) -> None:
        """What has been followed is what is read now."""
        for known, options in zip(self._skies, OPTIONS, strict=True):
            assert differences(known, self._read(options)) == []
        with self._graph.read() as reader:
            assert self._counts == counts(reader)


def assembled(rows: SkyRows, before: Assembled | None = None) -> Assembled:
    """The scene of these rows, each of whose things has a place of its own."""
    positions = before and same_positions(rows, before.rows, before.positions)
    if not positions:
        entities, memories = (np.column_stack((angles(ids), angles([*map(str.swapcase, ids)])))
                              for ids in (rows.entity_ids, rows.memory_ids))
        positions = Positions(entities.astype(np.float32), memories.astype(np.float32), 1.0)
    return Assembled(rows, positions, scene_of(rows, positions, before=before))


def differences(one: Struct, other: Struct) -> list[str]:
    """The columns that differ, in values or in type."""
    pairs = [(name, getattr(one, name), getattr(other, name)) for name in one.__struct_fields__]
    return [f"{name}: {here} {there}" for name, here, there in pairs if not _is_same(here, there)]


def _is_same(here: object, there: object) -> bool:
    if isinstance(here, np.ndarray):
        return here.dtype == there.dtype and np.array_equal(here, there)
    if isinstance(here, Ghosts | Communities):
        return differences(here, there) == []
    return type(here) is type(there) and here == there


def test_after_every_operation_and_its_undo_it_is_what_is_read(graph: Workspace, kind: str) -> None:
    skies = Skies(graph)
    for name in sorted(CATALOG):
        if kind in SAMPLES[name].refused_on:
            continue
        payload = prepare(graph, name)
        before = skies.patches
        graph.write(name, lambda w, n=name, p=payload: control.apply(w, n, p))
        assert skies.patches == before + len(OPTIONS), name
        graph.undo()
        assert skies.patches == before + 2 * len(OPTIONS), f"undo of {name}"
    with graph.read() as reader:
        logged = reader.value("PRAGMA main.journal_mode") == "wal"
    assert skies.counted == logged * skies.patches / len(OPTIONS)


@pytest.mark.parametrize("seed", range(2))
def test_in_any_order_of_operations_it_is_what_is_read(graph: Workspace, seed: int) -> None:
    chance = random.Random(seed)
    skies = Skies(graph)
    for number in range(60):
        name = chance.choice(sorted(PAYLOADS))
        with graph.read() as reader:
            payload = PAYLOADS[name](Choices(reader, chance, number))
        try:
            graph.write(name, lambda w, n=name, p=payload: control.apply(w, n, p))
        except OperationError:
            if graph.undo_step() and chance.random() < 0.5:
                graph.undo()
    assert skies.patches > 60


def test_after_a_pin_the_sky_is_drawn_from_what_it_was_drawn_from(graph: Workspace) -> None:
    with graph.read() as reader:
        before = assembled(sky(reader))
    names = [name for name in Scene.__struct_fields__ if not name.startswith("entity_")]
    for name in ("pin_entity", "unpin_entity"):
        told: list[Changes] = []
        ended = graph.events.subscribe(told.append)
        graph.write(name, lambda w, n=name: control.apply(w, n, {"entity": "e-tide"}))
        ended()
        with graph.read() as reader:
            rows = patched(reader, before.rows, told[-1], index=before.scene.index)
        assert rows is not None
        now = assembled(rows, before)
        assert [each for each in names
                if getattr(now.scene, each) is not getattr(before.scene, each)] == []
        assert now.scene.entity_pinned[rows.entity_ids.index("e-tide")] == (name == "pin_entity")
        before = now


def test_what_only_a_whole_reading_can_tell_is_not_patched(graph: Workspace) -> None:
    known = Changes(frozenset(("entities",)), {"entities": frozenset(("e-tide",))})
    assert can_patch(known)
    assert not can_patch(replace(known, external=True))
    assert not can_patch(replace(known, tables=known.tables | {"entity_communities"}))
    assert not can_patch(replace(known, tables=known.tables | {"memories"}))
    many = frozenset(map(str, range(MOST + 1)))
    assert not can_patch(replace(known, ids={"entities": many}))


def test_after_a_renumbering_of_the_rows_all_is_read(graph: Workspace) -> None:
    with graph.read() as reader:
        before = sky(reader)
        moved = replace(before, memory_number=before.memory_number + 1)
        changes = Changes(frozenset(("entities",)), {"entities": frozenset(("e-tide",))})
        assert patched(reader, before, changes) is not None
        assert patched(reader, moved, changes) is None


def test_entities_that_pass_each_other_are_in_the_order_of_the_file(graph: Workspace) -> None:
    with graph.read() as reader:
        ids = [row["id"] for row in reader.rows(
            "SELECT id FROM entities WHERE agent_id = :agent ORDER BY id")]
    skies, chance = Skies(graph), random.Random(1)

    def mention(writer: Writer) -> None:
        for id in chance.sample(ids, chance.randint(1, min(FEW + 1, len(ids)))):
            writer.update("entities", id, mentions=chance.randint(0, 5))

    for _ in range(30):
        graph.write("Mention", mention)
    assert skies.patches == 30 * len(OPTIONS)
