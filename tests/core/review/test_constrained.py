"""A proposal that speaks beside a constraint warns of it."""

from pathlib import Path

from core.ontology import control
from core.review.proposal_queue import get_proposal
from core.review.warnings import warnings
from core.workspace import Workspace

SLOT = {"entity": "deploy policy", "aspect": "windows", "claim_key": "friday"}


def test_a_proposed_attribute_beside_a_constraint_is_warned_of(tmp_path: Path) -> None:
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    graph.write("Rule", lambda w: control.apply(
        w, "set_claim_value", {**SLOT, "value": "No deploys", "kind": "constraint"}))
    told = {}
    for value in ("Deploy whenever", "no  deploys"):
        id = graph.write("Ask", lambda w, value=value: control.propose(
            w, "add_claim_value", {**SLOT, "value": value})).result
        with graph.read() as reader:
            proposal = get_proposal(reader, id)
            assert proposal is not None
            told[value] = warnings(reader, proposal)
    graph.close()
    assert told["Deploy whenever"] == ("The constraint “No deploys” is active here",)
    assert not any("constraint" in text for text in told["no  deploys"])
