"""Robin's notes: a page for each entity, which carries what no other memory of it says."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from explorer.demo.chance import id_of, later_by, moment
from explorer.demo.claims import Said
from explorer.demo.lines import Line
from explorer.demo.story import Figure, Note, Story


def path_of(figure: Figure) -> str:
    """The file in which Robin keeps notes about an entity."""
    folder, name = (text.lower().replace(" ", "-")
                    for text in (figure.community.name, figure.name))
    return f"notes/{folder}/{name}.md"


def keep_notes(story: Story, told: Sequence[Said]) -> tuple[tuple[Note, ...], list[Said]]:
    """The pages, and the values with those that a page carries resting on it.

    A page holds what is true on its day without having been dated or replaced: the rest of an
    entity's facts, in the order in which they are written.
    """
    pages, kept = [], []
    for _, of_one in groupby(told, key=lambda said: said.figure.id):
        values = list(of_one)
        rest = [said for said in values if _is_rest(said)]
        page = _page(story, rest) if rest else None
        if page is not None:
            pages.append(page)
            at = {said.id: later_by(page.at, 5, 90, "noted", said.id) for said in rest}
            values = [replace(said, note=page, at=at[said.id]) if said.id in at else said
                      for said in values]
        kept += values
    return tuple(pages), kept


def _is_rest(said: Said) -> bool:
    day = moment(f"{said.figure.facts['noted']}T23:59")
    return (said.note is None and not said.by and not said.line.on and said.next is None
            and (said.ended is None or said.ended > day))


def _page(story: Story, rest: Sequence[Said]) -> Note:
    figure = rest[0].figure
    parts = [f"{aspect}: {'; '.join(said.line.text for said in values)}."
             for aspect, values in groupby(rest, key=lambda said: said.aspect)]
    line = Line(f"Notes on {figure.name}. {' '.join(parts)}", memory_type="semantic",
                tags=("notes",), share=0.6)
    mentions = {other.id: heard for other in story.figures
                if other.agent == figure.agent and (heard := other.heard_in(line.text))}
    return Note(id_of("page", figure.id), figure.agent, figure.community.project,
                moment(figure.facts["noted"].isoformat(), "page", figure.name), "Robin", line,
                mentions, path_of(figure))
