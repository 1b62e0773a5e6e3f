"""Words of a change that is done: `Pin …` becomes `Pinned …`."""

from functools import cache


@cache
def past_words() -> dict[str, str]:
    """What else than operations can be done, and every operation's own words."""
    # The window stands before anything is done.
    from core.ontology.operation_catalog import CATALOG  # noqa: PLC0415

    return {"Apply": "Applied", "Import": "Imported", "Place": "Placed", "Reject": "Rejected"} | {
        verb: past for operation in CATALOG.values() for verb, past in operation.info.past.items()}


def deed(label: str) -> str:
    """`Pin settlement job` -> `Pinned settlement job`; other words stay as they are."""
    end = next((at for at, sign in enumerate(label) if not sign.isalpha()), len(label))
    return past_words().get(label[:end], label[:end]) + label[end:]
