"""How SQLite reads for the health report: each table through once, the rest along an index.

Plans are looked at, nothing is timed (upstream's #1094: a join that took 200 s).
"""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from core.health.config import HealthSettings
from core.health.finding import Rules
from core.health.kinds import KINDS
from core.health.report import report
from core.queries import knowledge_coverage
from core.workspace import Workspace
from explorer.entity_health_json import entity_health_json
from explorer.statistics_and_communities_json import stats_json
from tests.contracts.files import KINDS as GENERATIONS
from tests.contracts.test_whole_reads import indexed
from tests.statement_plans import Recorder

MORE = {
    "maintenance.duplicate_values._same_words": "which aspects say something twice, then those",
    "health.near_values._alike": "which aspects hold two facts with a number, then those",
    "queries.knowledge_coverage.coverage":
        "which memories values rest on, then those that are mentioned",
}
"""Statements that read two tables through, each once for all rows, and why."""


@pytest.fixture(scope="module", params=GENERATIONS)
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    folder = tmp_path_factory.mktemp("plans")
    path, made = indexed(folder, request.param), Recorder()
    with made.recording(), closing(Workspace.open(path, data_dir=folder / "data")) as workspace, \
            workspace.read() as reader:
        report(reader, Rules(health=HealthSettings(duplicates="neighbours")))
        for kind in KINDS:
            list(report(reader, kinds=(kind,)).findings)
        stats_json(reader)
        entity_health_json(reader, "Harbor Ledger")
    return made


def test_no_table_is_read_through_for_each_row_of_another(recorder: Recorder) -> None:
    assert len(recorder.sent) > 20
    through = Counter((read.place, read.sql) for read in recorder.reads
                      if not read.place.startswith(("queries.stats", "queries.known_by_name")))
    for (place, sql), times in through.items():
        assert times <= (2 if place in MORE else 1), f"{place}: {' '.join(sql.split())[:200]}"


def test_no_index_is_made_for_one_statement(recorder: Recorder) -> None:
    assert [str(read) for read in recorder.reads if "AUTOMATIC" in read.step] == []


def test_facts_are_looked_for_from_the_entity_to_its_aspects_to_their_values(
    recorder: Recorder,
) -> None:
    """signet.md n.7.3: along the index of (agent,) entity, never from all values."""
    reads = {read.step.split()[1] for read in recorder.reads
             if read.place == "health.empty_generic_or_overfull.no_facts"}
    assert reads <= {"e", "entities"}


@pytest.mark.parametrize("kind", GENERATIONS)
def test_the_values_are_not_read_through_for_each_memory(
    tmp_path: Path, kind: str
) -> None:
    path = indexed(tmp_path, kind)
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace, \
            workspace.read() as reader:
        plan = [str(row[3]) for row in reader.rows(
            f"EXPLAIN QUERY PLAN {knowledge_coverage._COVERAGE}")]
    assert not any("CORRELATED" in step for step in plan), plan
