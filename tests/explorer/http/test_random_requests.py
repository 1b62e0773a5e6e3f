"""Random requests to a running server, right and wrong by its own description.

`make fuzz` sends many; the usual round a few to each endpoint.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.door import Dated
from tests.explorer.http.test_server import Server, served

app = pytest.importorskip("explorer.http.app")
schemathesis = pytest.importorskip("schemathesis")

FEW = max(2, settings.default.max_examples // 25)
NAMES = [f"{each.method} {each.path}" for each in app.ENDPOINTS]
WORDS_OF_THEIR_OWN = {
    # A question may be empty only beside a filter, and its signs may be written wrongly.
    "/api/memory/recall", "/api/memory/search", "/api/knowledge/entities",
    "/api/knowledge/navigation/entities",
    # What a payload or a memory must have depends on what is in it.
    "/api/memory/remember", "/api/ontology/operations/apply", "/api/ontology/operations/batch",
    "/api/ontology/proposals", "/api/ontology/proposals/batch",
    # A day is a text, and not every text is one.
    "/api/embeddings/projection", "/api/knowledge/expand/session", "/api/knowledge/diff",
    *(each.path for each in app.ENDPOINTS if issubclass(each.takes, Dated)),
}
"""Places where the description alone does not say what makes sense: 400 may follow."""


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


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_sent_is_answered_as_described_and_never_500(
    server: Server, operations: dict[str, Any], name: str, mode: str
) -> None:
    operation = operations[name]
    checks = schemathesis.checks
    checks.load_all_checks()
    unfit = [checks.CHECKS.get_one("positive_data_acceptance")]
    modes = schemathesis.GenerationMode
    if mode == "NEGATIVE" and not (operation.query or operation.body or operation.path_parameters):
        pytest.skip("it takes nothing")

    @settings(max_examples=FEW, database=None,
              suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=modes[mode]), who=st.sampled_from(
        ["operator", "harness"]))
    def check(case: Any, who: str) -> None:
        case.call_and_validate(
            headers={"Authorization": f"Bearer {server.token('modify')}",
                     "x-signet-actor": "nora", "x-signet-actor-type": who},
            excluded_checks=unfit if operation.path in WORDS_OF_THEIR_OWN else [])

    check()
