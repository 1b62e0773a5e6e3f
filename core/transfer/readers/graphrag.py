"""Reads the tables (parquet) that GraphRAG makes of documents, if pyarrow is installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import OpenError
from core.progress import Report
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_ENTITIES = ("entities.parquet", "create_final_entities.parquet")
_LINKS = ("relationships.parquet", "create_final_relationships.parquet")
_DROPPED = {"id", "human_readable_id", "text_unit_ids", "source", "target", "description_embedding",
            "name_embedding", "graph_embedding", "x", "y", "degree", "node_degree",
            "combined_degree", "rank", "source_degree", "target_degree", "frequency"}
"""What only means something inside GraphRAG."""


def _folder(look: Look) -> Path:
    inner = look.path / "output"
    return inner if look.is_folder and _table(inner, _ENTITIES) else look.path


def _table(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _knows(look: Look) -> bool:
    return look.is_folder and _table(_folder(look), _ENTITIES) is not None


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    folder, graph = _folder(look), GraphRecords(notes)
    for path in filter(None, (_table(folder, _ENTITIES), _table(folder, _LINKS))):
        table = _opened(path)
        line = notes.begin(path.name, table.metadata.num_rows)
        for batch in table.iter_batches():
            for row in batch.to_pylist():
                line += 1
                rest = {key: value for key, value in row.items() if key not in _DROPPED}
                if path.name in _ENTITIES:
                    name = str(rest.pop("title", None) or rest.pop("name", None) or "")
                    yield graph.node(line, name or str(row.get("id")), rest, name)
                else:
                    words = rest.pop("description", None)
                    yield from graph.edge(line, str(row.get("source") or ""),
                                          str(row.get("target") or ""), {**rest, "label": words})
        report(0.5)
    yield from graph.rest()
    notes.remark(0, "communities, reports and text units are left out")


def _opened(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 (few need it, and it is large)
    except ImportError as error:
        raise OpenError("foreign", "The tables of GraphRAG need the package pyarrow",
                        where=str(path), do="Install pyarrow beside this program, then import "
                        "again", detail=str(error)) from error
    try:
        return parquet.ParquetFile(path)
    except (ArrowException, OSError) as error:
        raise OpenError("damaged", "This table can't be read", where=str(path),
                        do="Let GraphRAG write it again", detail=str(error)) from error


GRAPHRAG = ImportFormat("graphrag", "folder of GraphRAG tables (parquet)", _knows, _read, "row")
