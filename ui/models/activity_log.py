"""The activity log: changes made here, proposals decided elsewhere, and what agents asked."""

from collections.abc import Iterable, Mapping
from heapq import merge
from typing import Literal

from msgspec import Struct

from core.model.asked import Asked
from core.model.changes import Activity, RowChange
from core.model.names import spoken
from core.model.proposal import Proposal
from core.model.secret_wording import without_secrets
from core.model.text_formatting import counted
from core.model.times import parse_time
from core.queries.authors import names_a_person, told_name
from core.queries.entities import entities_by_id
from core.queries.row_names import labels_of
from core.review.effects import Effect, effects
from core.review.proposal_queue import count_decided_elsewhere, get_proposal, list_proposals
from core.review.row_differences import NOUNS, Difference, differences
from core.session.question_log import last_asked
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from ui.models.asked_wording import asked_line, plain_name
from ui.models.time_wording import clock, day_head

PAGE = 400
"""Entries that are read at a time."""
LOOKED = 500
"""Row changes of an entry that are looked at at a time: 3,000 memories at once are many more."""
LOG_OPERATIONS = ("undo", "redo")
"""Audit rows of the log itself: the entry they belong to says it already."""

Whose = Literal["all", "mine", "others", "asked"]
WHOSE: dict[Whose, str] = {"all": "Everyone", "mine": "You", "others": "Others", "asked": "Asked"}

STATES = {
    "done": ("", ""), "undone": ("undone", "proposal"),
    "abandoned": ("undone, others followed", "soft"), "applied": ("applied", "good"),
    "rejected": ("rejected", "bad"), "failed": ("failed", "bad"),
}
"""How a state is called, and its tone."""


def amount_words(entry: Activity) -> str:
    """How much an entry changed: `1 entity`, `7 changes`; one thing may have changed twice."""
    noun = NOUNS.get(entry.tables[0], "") if entry.rows == len(entry.tables) == 1 else ""
    return counted(entry.rows, noun or "change") if entry.rows else ""


class DayHead(Struct, frozen=True):
    """A head over the entries of one day."""

    text: str


Line = Activity | Asked | DayHead


class Log(Struct, frozen=True):
    """The newest entries, and how many there are in all."""

    entries: tuple[Activity, ...] = ()
    total: int = 0
    asked: tuple[Asked, ...] = ()
    """What was asked of the graph last, the newest first."""


class Details(Struct, frozen=True):
    """What one entry did."""

    key: str
    effects: tuple[Effect, ...] = ()
    differences: tuple[Difference, ...] = ()
    unread: int = 0
    """Row changes of a large entry that were not looked at: the effects are not of these."""
    entities: tuple[tuple[str, str], ...] = ()
    """Ids and names of the entities that it touched, as far as they are there."""
    words: str = ""
    """What a proposal said, or why it was rejected."""


def key_of(entry: Line) -> str:
    """What an entry is known by from one reading to the next; empty for a head."""
    if isinstance(entry, DayHead):
        return ""
    if isinstance(entry, Asked):
        return f"asked {entry.number}"
    return f"undo {entry.undo_id}" if entry.undo_id is not None else f"proposal {entry.proposal_id}"


def load_activity(workspace: Workspace, most: int = PAGE) -> Log:
    """Our entries and the proposals that others decided, the newest first."""
    own = workspace.history(most)
    known = {entry.proposal_id for entry in own if entry.proposal_id}
    # What was decided from here carries the very time of its entry's transaction.
    moments = workspace.history_times()
    times = set(moments)
    with workspace.read() as reader:
        decided = [proposal for status in ("applied", "rejected", "failed")
                   for proposal in list_proposals(reader, status=status, limit=most)]
        elsewhere = count_decided_elsewhere(reader, moments) if len(decided) else 0
    others = [_decided(proposal) for proposal in decided
              if proposal.id not in known and _when(proposal) not in times
              and proposal.operation not in LOG_OPERATIONS]
    entries = newest_first([*own, *others])[:most]
    asked = last_asked(workspace.sidecar, workspace.agent, most)
    return Log(entries, max(len(entries), len(moments) + elsewhere), asked)


def newest_first(entries: Iterable[Activity]) -> tuple[Activity, ...]:
    """Sort by time, in either time format; entries without a time come last."""
    timed = [(parse_time(entry.when), entry) for entry in entries]
    known = [(moment.timestamp(), entry.undo_id or 0, entry) for moment, entry in timed if moment]
    known.sort(key=lambda item: item[:2], reverse=True)
    return (*(item[2] for item in known), *(entry for moment, entry in timed if moment is None))


def _when(proposal: Proposal) -> str:
    return proposal.applied_at or proposal.rejected_at or proposal.updated_at


def _decided(proposal: Proposal) -> Activity:
    words = proposal.summary or spoken(proposal.operation).capitalize()
    label = without_secrets(" · ".join(filter(None, (words, proposal.target_name))))
    who = proposal.applied_by or proposal.rejected_by or proposal.created_by
    return Activity(when=_when(proposal), label=label, who=who, state=proposal.status,
                    undo_id=None, entity_ids=(proposal.target_id,) if proposal.target_id else (),
                    proposal_id=proposal.id)


def arrange(
    entries: Iterable[Activity], whose: Whose, asked: Iterable[Asked] = ()
) -> tuple[Line, ...]:
    """The entries of the chosen authors with what was asked between them, and a head for each day.

    Of a question that was asked again and again the first time is shown: it keeps its place.
    """
    lines: list[Line] = []
    last = ""
    chosen: list[Activity | Asked] = [
        entry for entry in entries
        if whose in ("all", "mine" if names_a_person(entry.who) else "others")]
    questions: list[Activity | Asked] = [] if whose == "mine" else [*_without_repeats(asked)]
    for entry in merge(chosen, questions, key=lambda line: _moment(time_of(line)), reverse=True):
        head = day_head(time_of(entry))
        if head != last:
            lines.append(DayHead(head))
            last = head
        lines.append(entry)
    return tuple(lines)


def time_of(entry: Activity | Asked) -> str:
    """When it was."""
    return entry.at if isinstance(entry, Asked) else entry.when


def _moment(text: str) -> float:
    moment = parse_time(text)
    return moment.timestamp() if moment else 0.0


def _without_repeats(asked: Iterable[Asked]) -> list[Asked]:
    """Without those that the same caller asked again right after, as a dashboard does."""
    lines: list[Asked] = []
    for each in asked:
        if lines and (each.who, each.kind, each.question) == (
                lines[-1].who, lines[-1].kind, lines[-1].question):
            lines.pop()
        lines.append(each)
    return lines


def load_details(workspace: Workspace, entry: Activity, looked: int = LOOKED) -> Details:
    """What the first changes of an entry did, row by row, and which entities they are about."""
    changes = workspace.changes_of(entry.undo_id, looked) if entry.undo_id is not None else ()
    unread = max(0, entry.rows - looked)
    with workspace.read() as reader:
        labels = labels_of(reader, changes)
        touched = dict.fromkeys([*entry.entity_ids, *_owners(changes, labels.owners)])
        entities = entities_by_id(reader, list(touched))
        words = _words(reader, entry.proposal_id) if entry.proposal_id else ""
    shown = [change for change in changes if change.table != "ontology_proposals"]
    rows = differences(shown or changes, labels)
    return Details(
        key=key_of(entry), effects=effects(changes, labels), differences=rows,
        unread=unread, words=words,
        entities=tuple((key, entities[key].name) for key in touched if key in entities)[:12],
    )


def _owners(changes: Iterable[RowChange], owners: Mapping[str, str]) -> list[str]:
    """The entities that the changed rows belong to."""
    ids: list[str] = []
    for change in changes:
        row = change.after or change.before or {}
        keys = [row.get("entity_id"), owners.get(str(row.get("aspect_id"))),
                row.get("source_entity_id")]
        if change.table == "entities":
            keys = [row.get("id")]
        ids += [str(key) for key in keys if key]
    return ids


def _words(reader: Reader, proposal_id: str) -> str:
    """What a decided proposal says of itself: why, and what came of it."""
    proposal = get_proposal(reader, proposal_id)
    if proposal is None:
        return ""
    result = proposal.result or {}
    parts = [proposal.rationale, f"Rejected: {result['reason']}" if "reason" in result else "",
             f"Failed: {result['error']}" if "error" in result else ""]
    return "\n".join(part for part in parts if part)


def spoken_line(line: Line) -> str:
    """A line in words, for a screen reader."""
    if isinstance(line, DayHead):
        return line.text
    if isinstance(line, Asked):
        return f"{clock(line.at)}, {asked_line(line)}, by {plain_name(line.who)}"
    state = STATES.get(line.state, (line.state, ""))[0]
    parts = (clock(line.when), line.label, f"by {told_name(line.who)}", state)
    return ", ".join(filter(None, parts))
