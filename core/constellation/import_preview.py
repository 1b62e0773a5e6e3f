"""The sky as an import would leave it, with what would come marked; nothing is kept."""

from msgspec import Struct
from msgspec.structs import replace

from core.constellation.change_marks import ChangeMarks, LinkMark
from core.constellation.positions import positions_at_once
from core.constellation.scene import Ghosts, Scene
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky
from core.embedding.embedder_interface import Embedder
from core.queries.graph_difference import Change
from core.store.reader_and_writer import Writer
from core.store.sidecar import Sidecar

MOST = 5_000
"""Entities and memories up to which the sky is laid out: others can't write meanwhile."""
WORDS: dict[Change, str] = {"added": "would come", "changed": "would get more"}
_NEWEST = """
SELECT (SELECT v.rowid FROM entity_attributes v WHERE +v.agent_id = :agent
  ORDER BY v.rowid DESC LIMIT 1) AS value,
 (SELECT d.rowid FROM entity_dependencies d WHERE +d.agent_id = :agent
  ORDER BY d.rowid DESC LIMIT 1) AS link"""
_ENTITIES = "SELECT e.id FROM entities e WHERE e.agent_id = :agent"
_THINGS = """
SELECT (SELECT COUNT(*) FROM entities e WHERE e.agent_id = :agent)
  + (SELECT COUNT(*) FROM memories m WHERE m.agent_id = :agent)"""
_GROWN = """
SELECT DISTINCT s.entity_id FROM entity_attributes v
JOIN entity_aspects s ON s.id = v.aspect_id AND s.agent_id = :agent
WHERE v.rowid > :newest AND +v.agent_id = :agent"""
_LINKS = """
SELECT d.source_entity_id AS source, d.target_entity_id AS target FROM entity_dependencies d
WHERE d.rowid > :newest AND +d.agent_id = :agent AND d.status = 'active'"""


class BeforeImport(Struct, frozen=True):
    """What there is before an import, by which one knows afterwards what is new."""

    entities: frozenset[str]
    value: int
    link: int

    @classmethod
    def of(cls, writer: Writer) -> "BeforeImport":
        """What there is now."""
        newest = writer.rows(_NEWEST)[0]
        return cls(frozenset(row["id"] for row in writer.rows(_ENTITIES)),
                   newest["value"] or 0, newest["link"] or 0)


class ImportSky(Struct, frozen=True, eq=False):
    """A sky and what an import brings into it."""

    scene: Scene
    marks: ChangeMarks


def sky_after(
    writer: Writer, before: BeforeImport, sidecar: Sidecar, embedder: Embedder
) -> ImportSky | None:
    """The sky after an import that is about to be rolled back.

    What is there stays where it is, what is new stands where it would come; pending proposals are
    left out. None where nothing is new to be seen, or where laying it out would take long.
    """
    marks = _marks(writer, before)
    if not marks.changes or writer.value(_THINGS) > MOST:
        return None
    rows = sky(writer, values=False)
    positions, _ = positions_at_once(writer, rows, sidecar, embedder, keep=False)
    scene = replace(scene_of(rows, positions), ghosts=Ghosts())
    return ImportSky(scene, marks)


def _marks(writer: Writer, before: BeforeImport) -> ChangeMarks:
    links = [LinkMark((row["source"],), (row["target"],), "added")
             for row in writer.rows(_LINKS, newest=before.link)]
    grown = {row["entity_id"] for row in writer.rows(_GROWN, newest=before.value)}
    grown |= {id for link in links for id in (*link.source, *link.target)}
    changes: dict[str, Change] = dict.fromkeys(grown & before.entities, "changed")
    changes |= dict.fromkeys(
        {row["id"] for row in writer.rows(_ENTITIES)} - before.entities, "added")
    return ChangeMarks(changes, links=tuple(links), words=WORDS)
