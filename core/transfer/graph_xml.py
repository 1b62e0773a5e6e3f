"""Writes a graph as GraphML or GEXF, for Gephi, yEd, Cytoscape and networkx."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from core.transfer.exported_graph import ExportedEntity, ExportedGraph

CONTINUED = "    "
"""What the further lines of a fact begin with, where each fact has a line of its own."""


def write_graphml(graph: ExportedGraph, path: Path) -> None:
    """GraphML: a node for each entity, an edge for each link (graphml.graphdrawing.org)."""
    _networkx().write_graphml(_drawn(graph), path)


def write_gexf(graph: ExportedGraph, path: Path) -> None:
    """GEXF 1.2: a node for each entity, an edge for each link (gexf.net)."""
    _networkx().write_gexf(_drawn(graph), path)


@cache
def _not_in_xml() -> re.Pattern[str]:
    """Made where it is needed: a pattern of so many signs takes long to make."""
    return re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _networkx() -> Any:
    """The library, loaded only for these formats: it takes a tenth of a second."""
    import networkx  # noqa: PLC0415

    return networkx


def _drawn(graph: ExportedGraph) -> Any:
    drawn = _networkx().MultiDiGraph()
    for entity in graph.entities:
        drawn.add_node(_plain(entity.id), label=_plain(entity.name),
                       entity_type=_plain(entity.entity_type),
                       description=_plain(entity.description), pinned=entity.pinned,
                       **({"muted": True} if entity.muted else {}),
                       mentions=entity.mentions, created_at=_plain(entity.created_at),
                       facts=_plain(_facts(entity)))
    for link in graph.links:
        drawn.add_edge(_plain(link.source), _plain(link.target), _plain(link.id),
                       label=_plain(link.words), dependency_type=_plain(link.dependency_type),
                       reason=_plain(link.reason), weight=link.strength,
                       confidence=link.confidence, created_at=_plain(link.created_at))
    return drawn


def _facts(entity: ExportedEntity) -> str:
    """The facts, one below the other; further lines of a fact are indented."""
    return "\n".join(_own_line(fact.words).replace("\n", f"\n{CONTINUED}")
                     for fact in entity.facts)


def _own_line(words: str) -> str:
    """A fact that is indented itself begins with a backslash, so that it goes on with no other."""
    return f"\\{words}" if words.lstrip("\\").startswith(CONTINUED) else words


def _plain(words: str) -> str:
    """The text with a replacement mark for what XML can't hold; line ends become one kind."""
    return _not_in_xml().sub("\ufffd", words.replace("\r\n", "\n").replace("\r", "\n"))
