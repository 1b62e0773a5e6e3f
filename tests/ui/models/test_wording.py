"""Words of the window: a near miss never contradicts itself, and a step that is done is said so."""

from pathlib import Path

import pytest

from core.model.walk import Miss
from core.ontology.catalog import CATALOG
from core.ontology.operation_descriptions import describe
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from ui.models.wording import PAST, deed, miss_words


@pytest.mark.parametrize(("value", "words"), [
    (0.24, "link strength 0.24 < 0.30"), (0.296, "link strength 0.296 < 0.300"),
    (0.29996, "link strength 0.29996 < 0.30000"),
])
def test_a_number_just_below_its_limit_is_told_with_enough_digits(value: float, words: str) -> None:
    assert miss_words(Miss("link", "l", "Grafana", "strength", value, 0.3)) == words


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
