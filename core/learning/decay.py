"""Decay: lowers the weight of aspects not confirmed for long, never below a floor."""

from collections import defaultdict
from datetime import timedelta

from core.learning.aspect_weights import Step, note_weights
from core.learning.automatic_change_log import record
from core.learning.config import FeedbackSettings
from core.model.times import parse_time
from core.queries.rows_to_model import number
from core.queries.sessions import DECAYED, ENDED, EVERY, events, subject
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, stamp

BY = "learning:decay"
WHY = "not confirmed for long"
AT_ONCE = 5_000
"""Aspects that decay in one change; the rest follow with the next, so that no other change has
to wait for a large graph that nobody used for long."""

# julianday reads both time formats; compared as texts, a T sorts after a space.
_STALE = """
SELECT a.id, a.weight FROM entity_aspects a
WHERE a.agent_id = :agent AND a.status = 'active' AND a.weight > :least
  AND COALESCE(julianday(a.updated_at), julianday(a.created_at)) < julianday(:now) - :days
  AND a.id NOT IN (SELECT value FROM json_each(:decayed))"""


def any_stale(reader: Reader, settings: FeedbackSettings) -> bool:
    """True if a decay would lower some aspect now."""
    if not (settings.decay_enabled and settings.decay_rate):
        return False
    return bool(_stale(reader, settings, stamp(), 1))


def stale(writer: Writer, settings: FeedbackSettings) -> list[Step]:
    """The next aspects to decay, at most `AT_ONCE`, and their new weights."""
    rows = _stale(writer, settings, writer.now(), AT_ONCE)
    return [Step(row["id"], weight, round(
        max(settings.min_aspect_weight, weight - settings.decay_rate), 6))
        for row in rows for weight in [number(row["weight"], 0.5)]]


def _stale(reader: Reader, settings: FeedbackSettings, now: str, most: int) -> list[Row]:
    return reader.rows(
        f"{_STALE} LIMIT :most", least=settings.min_aspect_weight, now=now, most=most,
        days=settings.stale_days, decayed=_taken_back(reader, settings, now))


def _taken_back(reader: Reader, settings: FeedbackSettings, now: str) -> list[object]:
    """What has decayed in the last `stale_days`, whether that was undone since or not."""
    moment = parse_time(now)
    assert moment is not None
    since = moment - timedelta(days=settings.stale_days)
    lately = [event.get("ids") for at, event in events(reader, DECAYED)
              if (then := parse_time(at)) is not None and then > since]
    return [id for ids in lately if isinstance(ids, list) for id in ids]


def decay_aspects(writer: Writer, settings: FeedbackSettings) -> int:
    """Lower the weight of every stale aspect by one step; returns how many.

    At most `AT_ONCE` of them. A step counts as a change, so that an aspect decays at most once
    in `stale_days`, also where a person has taken the step back.
    """
    if not (settings.decay_enabled and settings.decay_rate):
        return 0
    steps = stale(writer, settings)
    ids_of: defaultdict[float, list[str]] = defaultdict(list)
    for step in steps:
        ids_of[step.after].append(step.aspect_id)
    for after, ids in ids_of.items():
        writer.update_where("entity_aspects", "id IN (SELECT value FROM json_each(:ids))",
                            {"weight": after, "updated_at": writer.now()}, ids=ids)
    note_weights(writer, steps, by=BY, why=WHY)
    record(writer, DECAYED, subject(writer.agent), by=BY, reason=WHY,
           metadata={"aspects": len(steps), "ids": [step.aspect_id for step in steps]})
    return len(steps)


def is_due(reader: Reader, session_key: str, settings: FeedbackSettings) -> bool:
    """True if enough sessions have ended since the last decay, including this one.

    The sessions are counted in the file, so that a restart does not reset the count; a session
    that ends again counts once.
    """
    every = settings.decay_interval_sessions
    if every <= 1:
        return True
    last = next((at for at, _ in events(reader, DECAYED, limit=1)), "")
    ended = [(str(event.get("session_key")), at > last)
             for at, event in events(reader, ENDED, limit=EVERY)]
    since = {key for key, is_new in ended if is_new} | {session_key}
    return len(since - {key for key, is_new in ended if not is_new}) >= every
