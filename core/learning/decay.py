"""Lets aspects lose weight that nothing has confirmed for long: slowly, and never below a floor."""

from collections import defaultdict

from core.learning.config import FeedbackSettings
from core.learning.history import record
from core.learning.weights import Step, note_weights
from core.queries.rows import number
from core.queries.sessions import DECAYED, ENDED, EVERY, events, subject
from core.store.handles import Reader, Writer, stamp

BY = "learning:decay"
WHY = "nothing confirmed it for long"
AT_ONCE = 5_000
"""Aspects that decay in one change; the rest follow with the next, so that no other change has
to wait for a large graph that nobody used for long."""

# julianday reads both time formats; compared as texts, a T sorts after a space.
_STALE = """
SELECT a.id, a.weight FROM entity_aspects a
WHERE a.agent_id = :agent AND a.status = 'active' AND a.weight > :least
  AND COALESCE(julianday(a.updated_at), julianday(a.created_at)) < julianday(:now) - :days"""


def any_stale(reader: Reader, settings: FeedbackSettings) -> bool:
    """True if a decay would lower some aspect now."""
    if not (settings.decay_enabled and settings.decay_rate):
        return False
    return reader.row(f"{_STALE} LIMIT 1", least=settings.min_aspect_weight, now=stamp(),
                      days=settings.stale_days) is not None


def decay_aspects(writer: Writer, settings: FeedbackSettings) -> int:
    """Lower the weight of every stale aspect by one step; returns how many.

    At most `AT_ONCE` of them. A step counts as a change, so that an aspect decays at most once
    in `stale_days`.
    """
    if not (settings.decay_enabled and settings.decay_rate):
        return 0
    ids_of: defaultdict[float, list[str]] = defaultdict(list)
    for row in writer.rows(f"{_STALE} LIMIT :most", least=settings.min_aspect_weight,
                           now=writer.now(), days=settings.stale_days, most=AT_ONCE):
        ids_of[number(row["weight"], 0.5)].append(row["id"])
    for weight, ids in ids_of.items():
        after = round(max(settings.min_aspect_weight, weight - settings.decay_rate), 6)
        writer.update_where("entity_aspects", "id IN (SELECT value FROM json_each(:ids))",
                            {"weight": after, "updated_at": writer.now()}, ids=ids)
        note_weights(writer, (Step(id, weight, after) for id in ids), by=BY, why=WHY)
    count = sum(map(len, ids_of.values()))
    record(writer, DECAYED, subject(writer.agent), by=BY, reason=WHY,
           metadata={"aspects": count}, lasting=False)
    return count


def is_due(reader: Reader, session_key: str, settings: FeedbackSettings) -> bool:
    """True if the session that ends now is the last of so many since aspects last decayed.

    The sessions are counted in the file, so that a restart does not begin anew; one that ends
    again is still one.
    """
    every = settings.decay_interval_sessions
    if every <= 1:
        return True
    last = next((at for at, _ in events(reader, DECAYED, limit=1)), "")
    ended = [(str(told.get("session_key")), at > last)
             for at, told in events(reader, ENDED, limit=EVERY)]
    since = {key for key, is_new in ended if is_new} | {session_key}
    return len(since - {key for key, is_new in ended if not is_new}) >= every
