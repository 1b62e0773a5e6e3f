"""Two states of a graph are compared by what was in it, not by what it says of older times."""

import json
import time
from pathlib import Path

from core.model.changes import IMPORT
from core.past.compared_states import LAST_VISIT, compare_moments, compare_with_now, note_visit
from core.transfer.import_file import read_import, write_import
from tests.core.graphs import build

OLD = {"type": "entity", "name": "Night Run", "entityType": "event",
       "observations": ["Takes forty minutes"], "createdAt": "2026-03-02T01:10:00Z"}


def test_what_an_import_has_brought_is_new_since_the_visit_however_old_it_is(
    tmp_path: Path,
) -> None:
    graph = build(tmp_path / "g.db", lambda made: made.entity("Vega"))
    note_visit(graph)
    time.sleep(0.002)  # What is done in the millisecond of a visit was there at the visit.
    path = tmp_path / "memory.jsonl"
    path.write_text(json.dumps(OLD), encoding="utf-8")
    content = read_import(path)
    graph.write(f"{IMPORT}{path.name}", lambda writer: write_import(writer, content))
    for compared in (compare_moments(graph, LAST_VISIT), compare_with_now(graph)):
        assert compared is not None
        assert {item.entity_name for item in compared.items} == {"Night Run"}
        assert len(compared.items) == 2, "the entity and its claim"
    then = compare_moments(graph, "2026-03-01", "2026-03-03")
    assert {item.entity_name for item in then.items} == {"Night Run"}, "as it says of itself"
    graph.close()
