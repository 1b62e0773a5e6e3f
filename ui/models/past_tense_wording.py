"""Words of a change that is done: `Pin …` becomes `Pinned …`."""

from core.ontology.operation_catalog import CATALOG

PAST = {"Apply": "Applied", "Import": "Imported", "Place": "Placed", "Reject": "Rejected"} | {
    verb: past for operation in CATALOG.values() for verb, past in operation.info.past.items()
}
"""What else than operations can be done, and every operation's own words."""


def deed(label: str) -> str:
    """`Pin settlement job` -> `Pinned settlement job`; other words stay as they are."""
    end = next((at for at, sign in enumerate(label) if not sign.isalpha()), len(label))
    return PAST.get(label[:end], label[:end]) + label[end:]
