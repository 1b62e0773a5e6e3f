"""Reads the panel's data: the session start, its record, possible comparisons."""

from collections.abc import Sequence

from msgspec import Struct

from core.embedding.choose_embedder import choose
from core.model.entity import EntityRow
from core.model.session_start_and_end import SessionRecord, Telemetry
from core.model.walk import WalkStatus
from core.queries.sessions import session_record, session_records, telemetry
from core.review.proposal_queue import get_proposal
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.store.sidecar import Sidecar
from core.traversal.focal_signals import Signals
from core.traversal.last_walk import last
from ui.models import what_if
from ui.models.agent_view import LOOKED, Sight, see
from ui.models.what_if import Thing

OFFERED = 12
"""Pins, and mutes, that can be compared."""


class Answer(Struct, frozen=True):
    """The answer for these signals.

    Attributes:
        given: the signals.
        record: the record of the chosen session.
        edit: the proposed edit shown, if it is pending.
    """

    given: Signals
    sight: Sight
    record: SessionRecord | None = None
    edit: Thing | None = None


class Sessions(Struct, frozen=True):
    """The last sessions, newest first, their total numbers, and the agent's last walk."""

    last: tuple[SessionRecord, ...]
    every: Telemetry
    walk: WalkStatus | None = None


def answer(
    reader: Reader, given: Signals, settings: Settings, proposal_id: str, looked: int = LOOKED
) -> Answer:
    """Read everything that is shown of one question."""
    seen = see(reader, given, settings, choose(settings.embedding), looked)
    record = session_record(reader, given.session_key) if given.session_key else None
    return Answer(given, seen, record, _edit(reader, proposal_id))


def sessions(reader: Reader, sidecar: Sidecar) -> Sessions:
    """The recorded sessions and, from the sidecar, the last walk."""
    return Sessions(session_records(reader), telemetry(reader), last(sidecar, reader.agent))


def things(answer: Answer, selected: EntityRow | None) -> Sequence[Thing]:
    """What can be compared: pins, the selected entity, mutes, a proposed edit."""
    focal = [one for one in answer.sight.started.focal.entities if one.name]
    pinned = [one for one in focal if one.reason == "pinned"]
    options = [what_if.pin(one.id, one.name) for one in pinned[:OFFERED]]
    if selected is not None and selected.status == "active":
        if all(one.id != selected.id for one in pinned):
            options.insert(0, what_if.pin(selected.id, selected.name))
        options.append(what_if.mute(selected.id, selected.name))
    options += [what_if.mute(one.id, one.name) for one in focal
              if selected is None or one.id != selected.id][:OFFERED]
    return [*options, answer.edit] if answer.edit is not None else options


def _edit(reader: Reader, proposal_id: str) -> Thing | None:
    proposal = get_proposal(reader, proposal_id)
    if proposal is None or proposal.status != "pending":
        return None
    title = " · ".join(part for part in (proposal.summary, proposal.target_name) if part)
    return what_if.edit(proposal, title)
