"""Says row by row what a step of the history would change."""

from collections.abc import Iterator, Sequence

from core.model.changes import RowChange
from core.model.text_formatting import counted, one_line
from core.queries.row_names import Labels, labels_of
from core.review.row_differences import Difference, differences
from core.workspace import Workspace

LOOKED = 500
"""Rows that are put into words: an import has a hundred thousand."""
LISTED = 20
_LONGEST = 120
_SIGNS = {"new": "+", "gone": "−", "changed": "~"}


def lines_of(workspace: Workspace, changes: Sequence[RowChange]) -> Iterator[str]:
    """The changed rows, a line each: `~ release rhythm of Ferry: “weekly” → “daily”`."""
    # A proposal that was decided is told by what came of it, if anything did.
    changes = [one for one in changes if one.table != "ontology_proposals"] or changes
    with workspace.read() as reader:
        labels = labels_of(reader, changes[:LOOKED])
    rows = differences(changes[:LOOKED], labels)
    yield from (_line(one, labels) for one in rows[:LISTED])
    more = len(rows[LISTED:]) + len(changes[LOOKED:])
    if more:
        yield f"and {counted(more, 'more row', 'more rows')}"


def _line(one: Difference, labels: Labels) -> str:
    owner = labels.entities.get(labels.owner(one.aspect_id), "")
    texts = [f"“{one_line(text, _LONGEST)}”" for text in (one.old, one.new) if text is not None]
    fields = [f"{field.name} {field.before or 'none'} → {field.after or 'none'}"
              for field in one.fields if field.before is not None and field.after is not None]
    said = " → ".join(texts) or ", ".join(fields)
    title = f"{one.title} of {owner}" if owner else one.title
    return f"{_SIGNS[one.verb]} {title}{f': {said}' if said else ''}"
