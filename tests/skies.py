"""Skies for tests: seeded rows and positions of any size, and one small sky by hand."""

import numpy as np
from msgspec.structs import replace

from core.constellation.placing_tasks import projected
from core.constellation.scene import Scene
from core.constellation.scene_assembly import assemble
from core.model.sky_columns import (
    APPEAR,
    CHANGE,
    GO,
    LINK,
    EntityFacts,
    Positions,
    SkyRows,
    columns_of,
)
from core.projection.compute_map_positions import first_picture

TYPES = ("concept", "person", "project", "system", "task", "tool")
LINK_WORDS = ("uses", "depends_on", "triggers", "impacts", "something_else")


def without_umap(task, *args, progress) -> np.ndarray:  # noqa: ANN001, ANN002
    """Runs the tasks of positions: a projection that needs no UMAP; everything else as it is."""
    return first_picture(args[0]) if task is projected else task(*args, report=progress)


def plain(count: int) -> SkyRows:
    """`count` entities of which no fact is known: nought in every column of `EntityFacts`."""
    return SkyRows(**{name: np.zeros(count, column.dtype)
                      for name, column in columns_of(EntityFacts).items()})


def sample(
    count: int, *, seed: int = 7, aspects: int = 3, values: int = 4, memories: int = 2,
    links: int = 2,
) -> tuple[SkyRows, Positions]:
    """Rows of `count` entities in groups, with so many of the rest for each entity."""
    random = np.random.default_rng(seed)
    groups = max(count // 12, 1)
    group = np.arange(count) % groups
    angle = np.arange(count) * 2.39996
    out = 0.6 * np.sqrt(np.arange(count) // groups + 0.3)
    x = (group % 8) * 6.0 + out * np.cos(angle)
    y = (group // 8) * 5.0 + out * np.sin(angle)
    names = [f"Entity {k}" for k in range(count)]
    of_aspect = np.repeat(np.arange(count, dtype=np.int32), aspects)
    of_value = np.repeat(np.arange(count * aspects, dtype=np.int32), values)
    of_memory = np.repeat(np.arange(count, dtype=np.int32), memories)
    many = count * links if count > 1 else 0
    source = random.integers(0, max(count, 1), many).astype(np.int32)
    step = random.integers(1, max(count, 2), many)
    rows = replace(
        plain(count),
        entity_ids=[f"e{k}" for k in range(count)], entity_names=names, type_words=TYPES,
        entity_type=(group % len(TYPES)).astype(np.int16),
        entity_mentions=random.integers(0, 60, count).astype(np.int32),
        entity_constraints=random.integers(0, 10, count).astype(np.int32),
        entity_pinned=np.arange(count) < 1, entity_muted=np.arange(count) == 5,
        entity_task=(group % len(TYPES) == TYPES.index("task")).astype(np.int8),
        entity_community=group.astype(np.int32),
        community_names=[f"Group {k}" for k in range(groups)],
        aspect_ids=[f"a{k}" for k in range(len(of_aspect))],
        aspect_names=[f"aspect {k}" for k in range(len(of_aspect))], aspect_entity=of_aspect,
        aspect_weight=random.random(len(of_aspect)).astype(np.float32),
        attribute_ids=[f"v{k}" for k in range(len(of_value))], attribute_aspect=of_value,
        attribute_constraint=np.arange(len(of_value)) % 4 == 0,
        attribute_importance=random.random(len(of_value)).astype(np.float32),
        memory_ids=[f"m{k}" for k in range(len(of_memory))],
        memory_importance=random.random(len(of_memory)).astype(np.float32),
        mention_memory=np.arange(len(of_memory), dtype=np.int32), mention_entity=of_memory,
        dependency_ids=[f"d{k}" for k in range(many)], dependency_words=LINK_WORDS,
        dependency_type=(np.arange(many) % len(LINK_WORDS)).astype(np.int16),
        dependency_source=source,
        dependency_target=((source + step) % max(count, 1)).astype(np.int32),
        dependency_strength=random.random(many).astype(np.float32),
        dependency_confidence=random.random(many).astype(np.float32),
    )
    dust = np.column_stack((x[of_memory], y[of_memory]))
    dust = dust + random.normal(0, 0.8, dust.shape)
    return rows, Positions(np.column_stack((x, y)).astype(np.float32), dust.astype(np.float32))


def sample_scene(count: int, **rest: int) -> Scene:
    """The assembled sample."""
    return assemble(*sample(count, **rest))


def with_proposals(rows: SkyRows) -> SkyRows:
    """One pending proposal of each effect."""
    return replace(
        rows, proposal_ids=["p0", "p1", "p2", "p3", "p4"],
        proposal_labels=["bank holiday calendar", "change", "go", "link", "gone target"],
        proposal_effect=np.array([APPEAR, CHANGE, GO, LINK, CHANGE], np.int8),
        proposal_target=np.array([1, 2, 3, 4, -1], np.int32),
        proposal_other=np.array([-1, -1, -1, 6, -1], np.int32),
    )


def cross() -> Scene:
    """Five entities: `mid` at the origin, the others one unit off in the four directions.

    `mid` is linked to `west` and `east`.
    """
    rows, _ = sample(5, aspects=1, values=2, memories=1, links=0)
    rows = replace(
        rows, entity_ids=["mid", "west", "east", "north", "south"],
        entity_names=["Mid", "West", "East", "North", "South"],
        entity_community=np.full(5, -1, np.int32), entity_muted=np.zeros(5, bool),
        dependency_ids=["mw", "me"], dependency_type=np.zeros(2, np.int16),
        dependency_source=np.zeros(2, np.int32), dependency_target=np.array([1, 2], np.int32),
        dependency_strength=np.ones(2, np.float32), dependency_confidence=np.ones(2, np.float32),
    )
    positions = np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], np.float32)
    return assemble(rows, Positions(positions, positions * 1.3, unit=1.0))


def orbit(scene: Scene, node: int) -> np.ndarray:
    """Nodes of an entity's aspects and their values."""
    first, last = scene.aspect_starts[node], scene.aspect_starts[node + 1]
    aspects = np.arange(first, last) + scene.starts[1]
    values = np.arange(scene.value_starts[first], scene.value_starts[last]) + scene.starts[2]
    return np.concatenate((aspects, values))
