"""Two states compared, as JSON and as Markdown: one shape for the command line, HTTP and MCP."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from core.model.text_formatting import one_line
from core.model.times import day_words
from core.past.compared_states import Compared
from core.queries.graph_difference import Difference, counts_of
from core.store.reader_and_writer import stamp

Json = dict[str, Any]
MARKS = {"added": "+", "gone": "−", "changed": "~"}


def compared_json(compared: Compared) -> Json:
    """The two states, how many differences of each kind there are, and each of them."""
    return {
        "from": stamp(compared.since) if compared.since else None,
        "to": stamp(compared.until) if compared.until else None,
        "agent": compared.agent, "withAgent": compared.other,
        "counts": counts_of(compared.items),
        "items": [difference_json(one) for one in compared.items],
    }


def difference_json(one: Difference) -> Json:
    """One difference; `otherId` is the other end of a link."""
    return {"what": one.what, "change": one.change, "entityId": one.entity_id,
            "entityName": one.entity_name, "where": one.where, "before": one.before,
            "after": one.after, "otherId": one.other_id}


def title(compared: Compared) -> str:
    """`From 3 May 2026 to now`."""
    until = _moment(compared.until) if compared.until else "now"
    if compared.since is None:
        return f"From {compared.agent} to {compared.other}, as of {until}"
    return f"From {_moment(compared.since)} to {until}"


def _moment(when: datetime) -> str:
    """The day, with the time of this place where it is not when a day begins or ends."""
    here = when.astimezone()
    at = f"{here:%H:%M}"
    return day_words(when.isoformat()) if at in ("00:00", "23:59") else (
        f"{day_words(here.isoformat())} {at}")


def counted_words(items: tuple[Difference, ...]) -> str:
    """`claims: 3 added, 1 gone`, all of them in one line."""
    return "; ".join(
        f"{_MANY[what]}: " + ", ".join(f"{count} {change}" for change, count in counts.items()
                                       if count)
        for what, counts in counts_of(items).items()) or "Nothing is different"


_MANY = {"entity": "entities", "claim": "claims", "constraint": "constraints", "link": "links",
         "pin": "pins"}


def line(one: Difference, longest: int = 0) -> str:
    """`+ claim release › published › version: 2.0`, what it was before an arrow.

    Args:
        longest: the most characters of a text; 0 for all.
    """
    before, after = (one_line(text, longest) if longest else text
                     for text in (one.before, one.after))
    texts = f"{before} → {after}" if one.change == "changed" else after or before
    return " ".join(part for part in (
        MARKS[one.change], one.what, f"{one.where}:" if one.where and texts else one.where, texts)
        if part)


def markdown(compared: Compared) -> Iterator[str]:
    """The lines of a page: a heading for each entity."""
    yield f"# {title(compared)}"
    yield ""
    yield f"{counted_words(compared.items)}."
    for (_, name), items in groupby(compared.items, lambda one: (one.entity_id, one.entity_name)):
        yield ""
        yield f"## {one_line(name, 200)}"
        yield ""
        for one in items:
            yield f"- {_marked(one)}"


def _marked(one: Difference) -> str:
    before, after = (" ".join(text.split()) for text in (one.before, one.after))
    texts = {"added": f"**{after}**" if after else "", "gone": f"~~{before}~~" if before else "",
             "changed": f"~~{before}~~ → **{after}**"}[one.change]
    where = f" `{one.where}`" if one.where else ""
    return f"{one.change} {one.what}{where}{f': {texts}' if texts else ''}"
