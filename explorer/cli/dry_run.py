"""What a dry run tells: the rows that would change, and no id that will never be."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from core.model.changes import RowChange
from explorer import to_json
from explorer.cli import output


def tell_changes(changes: Sequence[RowChange]) -> None:
    """Say how many rows a rehearsal touched: `entities: 1 new`."""
    counts = Counter(
        (change.table, "new" if change.before is None else
         "gone" if change.after is None else "changed")
        for change in changes if change.table != "ontology_proposals"
    )
    for (table, what), number in sorted(counts.items()):
        output.say(f"{table}: {number} {what}")


def new_ids(changes: Sequence[RowChange]) -> frozenset[str]:
    """The ids of the rows that a rehearsal made and took back."""
    return frozenset(str(part) for change in changes if change.before is None
                     for part in change.key)


def without(thing: object, ids: Collection[str]) -> object:
    """An answer as JSON has it, with nothing in the place of these ids."""
    return _without(to_json.plain(thing), ids) if ids else thing


def _without(thing: object, ids: Collection[str]) -> object:
    if isinstance(thing, Mapping):
        return {key: _without(value, ids) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_without(value, ids) for value in thing
                if not (isinstance(value, str) and value in ids)]
    return None if isinstance(thing, str) and thing in ids else thing
