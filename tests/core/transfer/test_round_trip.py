"""An export after an import gives back every observation, relation and field, in order."""

import io
import json
from collections import defaultdict
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.model.names import canonical, name_key
from core.transfer.import_report import ImportReport
from core.transfer.mcp_export import mcp_records
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.store.test_undo import dump
from tests.templates import copy_graph, nothing

Record = dict[str, Any]

_CHARACTERS = st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")
_NAMES = st.sampled_from(["Redis", "redis", "Café", "Café", "Vega", "ＡＢ", "AB", "naïve  one",
                          "naïve one", "名前", "x; y", "a-b", "%_"])
_TYPES = st.sampled_from(["person", "Person", "API Endpoint", "api_endpoint", "unknown", "Ünit"])
_PHRASES = st.sampled_from(["uses", "depends on", "depends_on", "Depends On", "works at", "knows",
                            "a; b", "b", "related to", "related_to", "x" * 400, "說"])
_TEXTS = st.text(_CHARACTERS, min_size=1, max_size=40).filter(str.strip) | st.sampled_from(
    ["same", "Same", " same ", "two\nlines", "\ttab", "42"])
_JSON = st.recursive(
    st.booleans() | st.integers(-2**40, 2**40) | st.text(_CHARACTERS, max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.text(_CHARACTERS, max_size=4), inner, max_size=3), max_leaves=4)
_FIELDS = st.dictionaries(st.sampled_from(["createdBy", "tags", "weight", "context", "version"]),
                          _JSON, max_size=3)
_TIMES = st.sampled_from([
    {}, *({"createdAt": when} for when in (
        "2025-05-08T08:58:19.324Z", "2025-05-08", 1768402102, 1768402102123)),
    *({"timestamp": when} for when in ("2024-01-01T00:00:00Z", "2024-01-01 00:00:00"))])


def _with(record: st.SearchStrategy[Record], *more: st.SearchStrategy[Record]
          ) -> st.SearchStrategy[Record]:
    return st.tuples(record, *more).map(lambda parts: {
        key: value for part in reversed(parts) for key, value in part.items()})


_OBSERVATIONS = _TEXTS | _with(
    st.fixed_dictionaries({"text": _TEXTS}) | st.fixed_dictionaries({"content": _TEXTS}),
    _TIMES, _FIELDS)
_ENTITIES = _with(st.fixed_dictionaries({
    "type": st.just("entity"), "name": _NAMES, "entityType": _TYPES,
    "observations": st.lists(_OBSERVATIONS, max_size=5)}), _TIMES, _FIELDS)
_RELATIONS = _with(st.fixed_dictionaries({
    "type": st.just("relation"), "from": _NAMES, "to": _NAMES, "relationType": _PHRASES}),
    _TIMES, _FIELDS)
_FILES = st.lists(_ENTITIES | _RELATIONS, min_size=1, max_size=8)


def _take(graph: Workspace, records: list[Record]) -> ImportReport:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, records)).encode()))
    return graph.write("import", lambda w: import_mcp(w, file)).result


def _export(graph: Workspace) -> list[Record]:
    with graph.read() as reader:
        return list(mcp_records(reader))


def _observations(records: list[Record]) -> dict[str, list[Any]]:
    """The observations of each name, each said once, in order."""
    every: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for record in records:
        for item in record.get("observations", ()):
            text = item if isinstance(item, str) else item.get("text", item.get("content"))
            every[name_key(record["name"])].setdefault(canonical(text), item)
    return {name: list(items.values()) for name, items in every.items() if items}


def _relations(records: list[Record]) -> list[tuple[str, str, str]]:
    return list(dict.fromkeys(
        (name_key(each["from"]), name_key(each["to"]), canonical(each["relationType"]))
        for each in records if each["type"] == "relation"))


def _fields(records: list[Record]) -> set[str]:
    """Each field of each record, and each item of an observation, with what it is of."""
    every: set[str] = set()
    for record in records:
        of = name_key(record.get("name", "")) or (
            name_key(record["from"]), name_key(record["to"]), canonical(record["relationType"]))
        every |= {json.dumps([of, key, value], sort_keys=True) for key, value in record.items()
                  if key not in ("type", "name", "from", "to", "relationType", "observations")}
        every |= {json.dumps([of, item], sort_keys=True)
                  for item in record.get("observations", ()) if isinstance(item, dict)}
    return every


@settings(max_examples=40, deadline=None,
          phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(_FILES)
def test_nothing_is_lost_and_the_order_is_kept(
    tmp_path_factory: Any, records: list[Record]
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    graph = Workspace.open(copy_graph(nothing, folder / "g.db", folder / "side"),
                           data_dir=folder / "side")
    try:
        before = dump(graph.path)
        _take(graph, records)
        after = dump(graph.path)
        first = _export(graph)
        assert _observations(first) == _observations(records)
        assert set(_relations(first)) == set(_relations(records))
        assert _fields(first) >= _fields(records)
        graph.undo()
        assert dump(graph.path) == before
        graph.redo()
        assert dump(graph.path) == after
        again = _take(graph, first)
        assert (again.entities_new, again.values_new, again.links_new) == (0, 0, 0)
        assert _export(graph) == first
    finally:
        graph.close()
