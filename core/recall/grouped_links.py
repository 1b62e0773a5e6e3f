"""Puts links that answer equally well and differ in one end only into one line.

"What does the command line require?" has seven answers that no word tells apart.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from core.model.graph_statement import LINK
from core.recall.answering_links_and_assertions import FoundStatement, said

FEW = 3
"""Links from which they come as one line."""
NAMED = 12
"""Ends that a line names."""
ALIKE = 0.02
"""Scores that differ by less tell no link from another."""


class GroupedLinks(Struct, frozen=True):
    """Statements that are told as one line: a statement alone, or links with one end in common.

    Attributes:
        places: of the statements among the candidates, the best first.
        text: the line.
    """

    places: tuple[int, ...]
    text: str


def grouped(
    places: Sequence[int], statements: Sequence[FoundStatement], scores: Sequence[float]
) -> list[GroupedLinks]:
    """The statements as lines, the best first.

    Args:
        places: of the statements among the candidates, the best first.
        scores: theirs, in that order.
    """
    alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, each in enumerate(statements):
        for key in _keys(each):
            alike[key].append(number)
    lines, taken = [], set[int]()
    for number, each in enumerate(statements):
        if number in taken:
            continue
        group = max(([other for other in alike[key] if other not in taken
                      and abs(scores[other] - scores[number]) < ALIKE] for key in _keys(each)),
                    key=len, default=[number])
        group = group if len(group) >= FEW else [number]
        taken.update(group)
        lines.append(GroupedLinks(tuple(places[other] for other in group),
                                  _line([statements[other] for other in group])))
    return lines


def _keys(found: FoundStatement) -> Iterable[tuple[object, ...]]:
    """What links have in common that may be told as one: what they say and one end."""
    if found.statement.kind == LINK:
        source, target = found.statement.entity_ids
        yield _verb(found), "from", source
        yield _verb(found), "to", target


def _verb(found: FoundStatement) -> str:
    """What a link says between its ends."""
    return found.called or said(found.relation)


def _line(several: Sequence[FoundStatement]) -> str:
    first = several[0]
    if len(several) == 1:
        return first.statement.text
    (source, _), (target, _) = first.names
    if all(each.statement.entity_ids[0] == first.statement.entity_ids[0] for each in several):
        return f"{source} {_verb(first)} {_names(each.names[1][0] for each in several)}"
    return f"{_names(each.names[0][0] for each in several)}: each {_verb(first)} {target}"


def _names(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - NAMED} more" if len(every) > NAMED else ""
    return ", ".join(every[:NAMED]) + more

