"""Says in words what a property of a note or a node tells."""

from core.model.names import spoken


def facts_of(key: str, value: object) -> tuple[str, ...]:
    """`owner: Anna` for a property of texts or numbers; nothing where it says none, or is nested.

    Of a list each link is told by itself: it is a relation.
    """
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) for each in values):
        return ()
    words = [" ".join(str(each).lower().split() if isinstance(each, bool) else str(each).split())
             for each in values]
    told = words if any("[[" in each for each in words) else [", ".join(words)]
    return tuple(f"{spoken(key)}: {each}" for each in told if each)
