"""Steps are said to be done in words that a person would use."""

from pathlib import Path

import pytest

from core.ontology.catalog import CATALOG
from core.ontology.descriptions import describe
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from ui.models.deeds import PAST, deed


@pytest.mark.parametrize(("label", "said"), [
    ("Pin settlement job", "Pinned settlement job"),
    ("Set schedule · start time · settlement job", "Set schedule · start time · settlement job"),
    ("Apply: Set schedule", "Applied: Set schedule"),
    ("Apply as edited: Set schedule", "Applied as edited: Set schedule"),
    ("Reject 4 proposals", "Rejected 4 proposals"),
    ("Helpful: the run", "Helpful: the run"),
    ("", ""),
])
def test_a_command_becomes_what_was_done(label: str, said: str) -> None:
    assert deed(label) == said


@pytest.mark.parametrize("name", CATALOG)
def test_every_operation_can_be_said_to_be_done(filled_graph: Path, name: str) -> None:
    workspace = Workspace.open(filled_graph)
    with workspace.read() as reader:
        title = describe(reader, name, SAMPLES[name].payload).title
    workspace.close()
    assert title.split()[0] in PAST
