"""What the agent would see, made ready to be shown: focus, memories, constraints, near misses."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.model.graph_statement import ASSERTION, ENTITY, LINK
from core.model.session_start_and_end import SessionCandidate, SessionStart
from core.model.text_formatting import one_line
from core.model.walk import Miss, Path, WalkedConstraint, WalkedMemory
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from ui.models.near_miss_fixes import NearMiss, near_misses_of
from ui.models.session_wording import OUTDATED
from ui.models.time_wording import day
from ui.models.walk_wording import SOURCES, ground_words, path_words, score_words
from ui.widgets.labels import isolate
from ui.widgets.scored_list import ScoredRow

LOOKED = 60
"""Near misses that are looked into at a time."""
LIFTED = 0.005
"""A score that moved less than this has not moved."""
GAINS, LOSES = "+ ", "− "
"""How a line begins that is told only with a thing, or only without it."""
NEAR = ("strength", "confidence", "weight rank", "strength rank", "budget", "match rank",
        "importance rank", "mention rank", "muted over pinned", "muted", "not asked", "archived",
        "superseded", "common word")
"""Near misses in the order in which a person can do something about them."""


class Sight(Struct, frozen=True):
    """One answer: how a session would begin, with the near misses in words."""

    started: SessionStart
    misses: tuple[NearMiss, ...] = ()
    missed: int = 0
    """Near misses in all."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The names of what paths go through."""
        return self.started.walk.labels

    @property
    def taken_ids(self) -> tuple[str, ...]:
        """The memories in the text, in order."""
        return tuple(each.id for each in self.started.memories)

    @property
    def scores(self) -> Mapping[str, float]:
        """Every memory of the pool with its score."""
        return {each.id: each.score for each in self.started.candidates}

    def path_of(self, kind: str, id: str) -> Path | None:
        """How a memory or a constraint was reached."""
        if kind == "constraint":
            return next((one.path for one in self.started.constraints if one.id == id), None)
        if kind in (LINK, ASSERTION, ENTITY):
            return next((Path(one.entity_ids, dependency_ids=one.ids if kind == LINK else ())
                         for one in self.started.stated if one.id == id), None)
        memories = (*self.started.candidates, *self.started.trial)
        return next((one.path for one in memories if one.id == id), None)


def see(
    reader: Reader, given: Signals, settings: Settings, embedder: Embedder | None,
    looked: int = LOOKED,
) -> Sight:
    """The session start for these signals; so many near misses are looked into."""
    from core.session.start import start  # noqa: PLC0415  with recall, which only a question needs

    started = start(reader, given, settings, embedder, explain=True)
    inside = {each.id for each in started.memories}
    walked = set(started.walk.entity_ids)
    misses = sorted((miss for miss in started.walk.misses or () if miss.id not in inside),
                   key=_nearness)
    near = near_misses_of(reader, misses[:looked], started.walk, settings.traversal)
    # What came along by another way was not missed.
    missed = tuple(one for one in near if one.memory_id not in inside
                   and not (one.miss.kind == "link" and one.entity_id in walked))
    return Sight(started, missed, len(misses) - len(near) + len(missed))


def _nearness(miss: Miss) -> int:
    return NEAR.index(miss.rule) if miss.rule in NEAR else len(NEAR)


class Comparison(Struct, frozen=True):
    """Two answers, with a thing and without it; `holds` is True if it is currently set."""

    word: str
    holds: bool
    now: Sight
    other: Sight

    @property
    def with_it(self) -> Sight:
        return self.now if self.holds else self.other

    @property
    def without(self) -> Sight:
        return self.other if self.holds else self.now

    @property
    def enters(self) -> int:
        """What is told because of it, a line of the text each; heads are not counted."""
        return _count(self.lines, GAINS)

    @property
    def leaves(self) -> int:
        """What is left out because of it, counted alike."""
        return _count(self.lines, LOSES)

    @property
    def same(self) -> bool:
        """True if it makes no difference to the text."""
        return self.now.started.text == self.other.started.text

    @property
    def lines(self) -> list[str]:
        """Both texts as one; what stands in only one of them begins with its sign."""
        return by_line(self.without.started.text.split("\n"), self.with_it.started.text.split("\n"))


def by_line(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Both texts merged: lines in only one of them start with its sign."""
    lines: list[str] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for word, old, old_end, new, new_end in matcher.get_opcodes():
        if word == "equal":
            lines += [f"  {line}" if line else "" for line in before[old:old_end]]
            continue
        lines += [LOSES + line for line in before[old:old_end]]
        lines += [GAINS + line for line in after[new:new_end]]
    return lines


def _count(lines: Sequence[str], sign: str) -> int:
    return sum(line.startswith(f"{sign}- ") for line in lines)


def _told(sight: Sight) -> frozenset[tuple[str, str]]:
    started = sight.started
    return frozenset((*(("memory", each.id) for each in (*started.memories, *started.trial)),
                      *(("constraint", one.id) for one in started.constraints)))


def rows_of(sight: Sight, compared: Comparison | None = None) -> tuple[ScoredRow, ...]:
    """The lines of the list: injected ones, then those over budget; marked in a comparison."""
    mark = _Marks(compared)
    walked = {memory.id: memory for memory in sight.started.walk.memories}
    own = {each.id for each in sight.started.candidates}
    told_ids = sight.started.told_ids
    lines = [_memory(each, sight, walked.get(each.id), each.id in told_ids, mark)
             for each in sight.started.candidates]
    taken = [*(line for line in lines if line.id in told_ids), *_only_other(compared, own, mark)]
    rows = [_head("Memories", f"{len(told_ids)} of {len(lines)}"), *taken]
    if not taken:
        rows = []
    rows = [*_stated(sight), *rows]
    rows += _constraints(sight, compared, mark)
    if sight.started.expected:
        rows.append(_head("Expected next", f"{len(sight.started.expected)}"))
        rows += [_memory(each, sight, None, True, mark) for each in sight.started.expected]
    rows += _tried(sight, mark)
    rest = [line for line in lines if line.id not in told_ids]
    if rest:
        rows += [_head("Over budget", f"{len(rest)}"), *rest]
    return tuple(rows)


def _stated(sight: Sight) -> list[ScoredRow]:
    """The links, assertions and names that answer the question."""
    stated = sight.started.stated
    return [_head("Answers of the graph", f"{len(stated)}"), *(
        ScoredRow(each.id, each.marked_text, day(each.when), score_words(each.score), "",
                  each.why, kind=each.kind) for each in stated)] if stated else []


def _head(text: str, right: str) -> ScoredRow:
    return ScoredRow(text, text, right, head=True)


def _memory(
    each: SessionCandidate, sight: Sight, walked: WalkedMemory | None, taken: bool, mark: "_Marks"
) -> ScoredRow:
    way = path_words(each.path, sight.labels) or SOURCES.get(each.source, "")
    if walked is not None and walked.belongs:
        way = f"{way} · {isolate(one_line(walked.belongs, 60))}"
    if each.pinned:
        way = f"{way} · pinned memory" if way else "pinned memory"
    if each.outdated and not each.past:
        way = f"{OUTDATED} · {way}" if way else OUTDATED
    why = " · ".join(ground_words(ground) for ground in walked.grounds) if walked else ""
    return ScoredRow(each.id, each.marked_text, way, score_words(each.score),
                     mark.of("memory", each.id), why, quiet=not taken, kind="memory")


def _only_other(
    compared: Comparison | None, own: set[str], mark: "_Marks"
) -> list[ScoredRow]:
    """Memories that are told only in the other case, and are not even in the pool of this one."""
    if compared is None:
        return []
    other = compared.other
    return [_memory(each, other, None, True, mark) for each in other.started.memories
            if each.id not in own]


def _constraints(
    sight: Sight, compared: Comparison | None, mark: "_Marks"
) -> list[ScoredRow]:
    shown = list(sight.started.constraints)
    if compared is not None:
        own = {one.id for one in shown}
        shown += [one for one in compared.other.started.constraints if one.id not in own]
    if not shown:
        return []
    return [_head("Constraints", f"{len(sight.started.constraints)}, always"), *(
        _constraint(one, sight if compared is None or one in sight.started.constraints
                    else compared.other, mark) for one in shown)]


def _constraint(one: WalkedConstraint, sight: Sight, mark: "_Marks") -> ScoredRow:
    """Its words stand before what takes them back, so that a narrow list still shows them."""
    way = path_words(one.path, sight.labels)
    if one.disputed is not None:
        way = f"{one.disputed.mark} · {way}"
    return ScoredRow(one.id, one.content, way, "", mark.of("constraint", one.id),
                     sign="constraint", kind="constraint")


def _tried(sight: Sight, mark: "_Marks") -> list[ScoredRow]:
    """The link that this session tries, with what it brings."""
    tried = sight.started.tried
    if tried is None:
        return []
    why = f"confidence {tried.confidence:.2f}: what comes of it changes the link"
    return [_head("Tried link", f"{len(tried.memories)}"), *(
        ScoredRow(each.id, each.marked_text, f"tried: link {tried.sentence}",
                  "", mark.of("memory", each.id), why, kind="memory")
        for each in tried.memories)]


class _Marks:
    """What a comparison says of each line."""

    def __init__(self, compared: Comparison | None) -> None:
        self._compared = compared
        if compared is not None:
            self._with, self._without = _told(compared.with_it), _told(compared.without)
            self._before, self._after = compared.without.scores, compared.with_it.scores

    def of(self, kind: str, id: str) -> str:
        compared = self._compared
        if compared is None:
            return ""
        key, word = (kind, id), compared.word
        if key in self._with and key not in self._without:
            return f"+ with {word}"
        if key in self._without and key not in self._with:
            return f"− with {word}"
        moved = self._after.get(id, 0.0) - self._before.get(id, 0.0)
        if kind != "memory" or id not in self._after or id not in self._before:
            return ""
        if abs(moved) < LIFTED:
            return ""
        return f"{'↑' if moved > 0 else '↓'} from {score_words(self._before[id])}"
