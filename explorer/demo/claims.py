"""Turns the written claims into versioned values, each with its memory, its hand and its time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.model.names import canonical, slot_key
from explorer.demo.chance import draw, id_of, iso, later_by, moment, share
from explorer.demo.ground import Ground
from explorer.demo.lines import Line
from explorer.demo.story import Figure, Note, Story, spoken_name, versions_of

FIRST_DAY = datetime(2025, 11, 10, 9, 0, tzinfo=UTC)
_ASKED_SINCE = datetime(2026, 5, 20, tzinfo=UTC)
"""Since then an agent proposes and Robin decides (a decision of the demo's own story)."""
_PROGRAMS = ("claude-code", "opencode", "pipeline", "dreaming", "atlas")
_SURENESS = {"you": (0.93, 0.99), "claude-code": (0.8, 0.92), "pipeline": (0.62, 0.78),
             "dreaming": (0.58, 0.72)}


@dataclass(frozen=True)
class Said:
    """One version of a claim.

    `by` is the hand behind its proposal, empty where the memory (or a note) speaks for itself.
    `ended` is when it was replaced or taken out, None while it holds.
    """

    id: str
    figure: Figure
    aspect: str
    weight: float
    group: str | None
    claim: str | None
    line: Line
    number: int
    at: datetime
    note: Note | None
    by: str
    ended: datetime | None = None
    root: str = ""
    previous: str | None = None
    next: str | None = None
    deleted_by: str = ""
    why: str = ""

    @property
    def kind(self) -> str:
        """Attribute or constraint."""
        return "constraint" if self.line.constraint else "attribute"

    @property
    def status(self) -> str:
        """As `entity_attributes` has it."""
        return "deleted" if self.deleted_by else "superseded" if self.next else "active"

    @property
    def confidence(self) -> float:
        """As written, else by the hand."""
        if self.line.share is not None:
            return self.line.share
        return share(*_SURENESS.get(self.by, (0.68, 0.86)), "confidence", self.id)

    @property
    def importance(self) -> float:
        """Constraints matter most, then what weighs much in its entity."""
        if self.line.constraint:
            return share(0.82, 0.98, "importance", self.id)
        return share(0.25 + 0.45 * self.weight, 0.5 + 0.5 * self.weight, "importance", self.id)

    @property
    def proposal_id(self) -> str | None:
        """The id of the applied proposal that wrote it."""
        return id_of("proposal of", self.id) if self.by else None


def aspect_id(figure: Figure, name: str) -> str:
    """The id of an entity's aspect."""
    return id_of("aspect", figure.agent, figure.name, name)


def slot_id(figure: Figure, aspect: str, group: str | None, claim: str | None) -> str:
    """What the ids of a claim's versions come from."""
    return id_of("slot", figure.agent, figure.name, aspect, group, claim)


def tell(story: Story, ground: Ground) -> Iterator[Said]:
    """Every version of every claim, oldest first within its slot."""
    for figure in story.figures:
        for name, written in figure.aspects.items():
            gone = written.get("archived")
            for group, claim, lines in versions_of(written):
                told = list(_versions(ground, figure, name, written["weight"], group, claim, lines))
                if gone and not told[-1].deleted_by:
                    told[-1] = _retired(told[-1], str(gone))
                yield from told


def archived(text: str) -> tuple[datetime, str, str]:
    """When, by whom and why something written as `date who | reason` was archived."""
    head, _, why = text.partition(" | ")
    on, who = head.split()
    return moment(on, text), _person(spoken_name(who)), why


def _retired(said: Said, text: str) -> Said:
    at, who, why = archived(text)
    return replace(said, ended=at, deleted_by=who, why=why)


def _versions(
    ground: Ground, figure: Figure, aspect: str, weight: float, group: str | None,
    claim: str | None, lines: Sequence[Line],
) -> Iterator[Said]:
    names = slot_id(figure, aspect, group, claim if claim else lines[0].text)
    ids = [id_of(names, number) for number in range(1, len(lines) + 1)]
    notes = [_note(ground, figure, f"{aspect} {group or ''} {claim or ''}", lines, place)
             for place in range(len(lines))]
    times = _times(ground, figure, lines, notes, ids)
    for place, line in enumerate(lines):
        last = place == len(lines) - 1
        said = Said(
            ids[place], figure, aspect, weight, slot_key(group), slot_key(claim), line, place + 1,
            times[place], notes[place], _hand(line, notes[place]),
            ended=None if last else times[place + 1], root=ids[0],
            previous=ids[place - 1] if place else None, next=None if last else ids[place + 1],
        )
        yield replace(said, ended=moment(line.on, line.text), why=line.why,
                      deleted_by=_person(spoken_name(line.who))) if line.deleted else said


def _set_on(line: Line) -> str:
    """The day on which a version was set; the day of a deleted one is that of its end."""
    return "" if line.deleted else line.on


def _note(ground: Ground, figure: Figure, context: str, lines: Sequence[Line],
          place: int) -> Note | None:
    if lines[place].deleted and place:
        return None
    ends = lines[place + 1].on if place + 1 < len(lines) else (
        lines[place].on if lines[place].deleted else "")
    before = datetime.fromisoformat(ends[:10] + "T00:00+00:00") if ends else None
    return ground.of(figure.id, lines[place].text, context, _set_on(lines[place]), before)


def _times(ground: Ground, figure: Figure, lines: Sequence[Line], notes: Sequence[Note | None],
           ids: Sequence[str]) -> list[datetime]:
    """When each version was set: as written, else with its memory, else with the first notes."""
    times: list[datetime] = []
    for line, note, id in zip(lines, notes, ids, strict=True):
        on = _set_on(line)
        if line.deleted and times:
            span = (moment(line.on, line.text) - times[-1]).total_seconds()
            times.append(later_by(times[-1], 0.4 * span, 0.7 * span, "between", id))
        elif note is not None and (not on or note.at.date().isoformat() == on[:10]):
            times.append(later_by(note.at, 15, 140, "kept", id))
        elif on:
            times.append(moment(on, figure.name, id))
        else:
            times.append(_first_known(ground, figure, lines, id))
    return times


def _first_known(ground: Ground, figure: Figure, lines: Sequence[Line], id: str) -> datetime:
    """A time near the entity's first memory, and before whatever came next in the slot."""
    first = min((note.at for note in ground.about(figure.id)), default=FIRST_DAY)
    ends = next((line.on for line in lines if line.on), "")
    latest = moment(ends[:10]).replace(hour=0) if ends else None
    at = later_by(first, 60, 21 * 86400, "first", id)
    if latest is not None and at >= latest:
        span = (latest - FIRST_DAY).total_seconds()
        at = later_by(FIRST_DAY, 0, max(0, span * draw(0.3, 0.9, "early", id)), "early", id)
    return at


def _hand(line: Line, note: Note | None) -> str:
    """Whose proposal wrote it; empty where it was remembered as said, or brought in with notes."""
    who = spoken_name(line.who)
    if line.deleted or who in ("", "remember") or (note is not None and note.who == who):
        return ""
    return who if who in _PROGRAMS else _person(who) if _is_robin(who) else "claude-code"


def _is_robin(who: str) -> bool:
    return who in ("Robin", "you")


def _person(who: str) -> str:
    return "you" if _is_robin(who) else who


def decided_by(by: str, at: datetime) -> str:
    """Who applied what a hand proposed."""
    return by if by == "pipeline" or at < _ASKED_SINCE else "you"


def text_row(said: Said) -> Mapping[str, object]:
    """A version as a row of `entity_attributes`, without what it rests on."""
    loose = said.claim is None
    return {
        "id": said.id, "aspect_id": aspect_id(said.figure, said.aspect),
        "agent_id": said.figure.agent, "memory_id": said.note.id if said.note else None,
        "kind": said.kind, "content": said.line.text,
        "normalized_content": canonical(said.line.text),
        "confidence": said.confidence, "importance": said.importance, "status": said.status,
        "superseded_by": said.next if said.status == "superseded" else None,
        "created_at": iso(said.at), "updated_at": iso(said.ended or said.at),
        "group_key": said.group, "claim_key": said.claim,
        "version": said.number, "version_root_id": said.id if loose else said.root,
        "previous_attribute_id": said.previous, "proposal_id": said.proposal_id,
        "archived_at": iso(said.ended) if said.deleted_by and said.ended else None,
        "archived_by": said.deleted_by or None, "archive_reason": said.why or None,
    }
