"""Random requests to a running server, right and wrong by its own description.

`make fuzz` sends many; the usual round a few to each endpoint.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.explorer.http.test_server import Server, served

app = pytest.importorskip("explorer.http.app")
schemathesis = pytest.importorskip("schemathesis")

FEW = max(2, settings.default.max_examples // 25)
NAMES = [f"{each.method} {each.path}" for each in app.ENDPOINTS]
DAYS = ("2026-05-03", "2026-05-03T12:00:00Z")
MOMENTS = (*DAYS, "3 May 2026", "last Friday")
QUESTIONS = ("harbor", "who owns the ledger?", "“retry queue”", "[ops] nightly")
SENSIBLE = {
    # A day is a text, and not every text is one.
    **dict.fromkeys(("asOf", "from"), MOMENTS),
    "to": ("now",),
    **dict.fromkeys(("since", "timeRange"), DAYS),
    "until": ("2026-06-03",),
    # A question may be empty only beside a filter, and its signs may be written wrongly.
    **dict.fromkeys(("q", "query"), QUESTIONS),
}
"""Texts of which the description alone does not say which make sense, with some that do."""
ASKED = ("/api/memory/recall", "/api/memory/search")
"""Where there is no answer without a question or a filter."""
MADE_OF_PARTS = {f"POST {path}" for path in (
    "/api/memory/remember", "/api/ontology/operations/apply", "/api/ontology/operations/batch",
    "/api/ontology/proposals", "/api/ontology/proposals/batch")}
"""What a payload or a memory must have depends on what is in it: 400 may follow."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as a process."""
    with served(tmp_path_factory.mktemp("random")) as running:
        yield running


@pytest.fixture(scope="module")
def operations(server: Server) -> dict[str, Any]:
    """Every operation of its own description."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json")
    every = (result.ok() for result in schema.get_all_operations())
    return {f"{each.method.upper()} {each.path}": each for each in every}


def test_every_endpoint_is_in_the_description(operations: dict[str, Any]) -> None:
    assert set(operations) == set(NAMES)


def sensible(case: Any) -> list[tuple[dict[str, Any], str]]:
    """The texts of a request that have to make sense, by where they stand and their names."""
    if case.operation.path in ASKED:
        if not isinstance(case.body, dict) and case.method == "POST":
            case.body = {}
        place = case.body if case.method == "POST" else case.query
        place.setdefault("query", "")
    if (case.query or {}).keys() & {"sort", "group_by"}:
        case.query["status"] = "pending"  # Only those are sorted and grouped.
    return [(place, name) for place in (case.query, case.body) if isinstance(place, dict)
            for name in SENSIBLE.keys() & place.keys()]


def has_nothing(case: Any) -> bool:
    """True if the query has a wrong value that an address can't say: it is not sent at all."""
    return any(value in (None, [], {}) for value in (case.query or {}).values())


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_sent_is_answered_as_described_and_never_500(
    server: Server, operations: dict[str, Any], name: str, mode: str
) -> None:
    operation = operations[name]
    checks = schemathesis.checks
    checks.load_all_checks()
    unfit = [checks.CHECKS.get_one("positive_data_acceptance")]
    unsaid = [checks.CHECKS.get_one("negative_data_rejection")]
    modes = schemathesis.GenerationMode
    if mode == "NEGATIVE" and not (operation.query or operation.body or operation.path_parameters):
        pytest.skip("it takes nothing")

    @settings(max_examples=FEW, database=None,
              suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=modes[mode]), who=st.sampled_from(
        ["operator", "harness"]), sense=st.booleans(), data=st.data())
    def check(case: Any, who: str, sense: bool, data: st.DataObject) -> None:  # noqa: FBT001
        texts = sensible(case) if mode == "POSITIVE" else []
        if sense:
            for place, field in texts:
                place[field] = data.draw(st.sampled_from(SENSIBLE[field]))
        case.call_and_validate(
            headers={"Authorization": f"Bearer {server.token('modify')}",
                     "x-signet-actor": "nora", "x-signet-actor-type": who},
            excluded_checks=[
                *(unfit if name in MADE_OF_PARTS or texts and not sense else ()),
                *(unsaid if mode == "NEGATIVE" and has_nothing(case) else ())])

    check()
