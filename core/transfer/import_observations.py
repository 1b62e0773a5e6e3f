"""Writes the observations of a memory file, some thousand at a time, so that a long file does not
fill the memory."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from core.learning.rule_reversal_wording import states_rule
from core.model.memory import usual_visibility
from core.model.memory_hash import digest_of, short_hash, short_of
from core.model.names import canonical, name_key
from core.model.vocabulary import IMPORTED, OBSERVATIONS
from core.queries.rows_to_model import tags_in
from core.store.reader_and_writer import Writer
from core.transfer import import_queries
from core.transfer.facts_of_earlier_import import EarlierFacts
from core.transfer.find_or_create_entities import KnownEntity
from core.transfer.mcp_records import McpEntity
from core.transfer.observation_buffer import Observation

ASPECT = OBSERVATIONS
AT_ONCE, CHARACTERS = 8_000, 1_000_000
"""Observations that are looked up and written together, and how long all of them are at most."""

_MEMORY = ("id", "content", "content_hash", "normalized_content", "source_id", "created_at",
           "updated_at", "tags")
_VALUE = ("id", "aspect_id", "memory_id", "kind", "content", "normalized_content", "created_at",
          "updated_at", "version_root_id", "source_id", "source_path")
_MENTION = ("memory_id", "entity_id", "mention_text")
_ASPECT = ("id", "entity_id", "name", "canonical_name", "created_at", "updated_at")

Item = tuple[McpEntity, KnownEntity, Observation]


class _Fresh(Struct, frozen=True):
    """An observation that its entity does not hold yet.

    Attributes:
        key: its text in canonical form.
        digest: the hash of that, `short` as imported memories have it.
    """

    entity: McpEntity
    known: KnownEntity
    observation: Observation
    key: str
    digest: bytes
    short: str


class _Rows(Struct):
    """The rows of one portion, by table."""

    aspects: list[tuple[object, ...]] = field(default_factory=list)
    memories: list[tuple[object, ...]] = field(default_factory=list)
    values: list[tuple[object, ...]] = field(default_factory=list)
    mentions: list[tuple[object, ...]] = field(default_factory=list)


class ObservationWriter:
    """Writes values, the memories that they rest on, and mentions of their entities.

    Attributes:
        new, unchanged, skipped: how many values were written, there already, deleted before.
        grown: new mentions of entities that were there before, by id.
        lacking: mentions that new entities do not get, since their memories were deleted.
        rules: new values of known entities that state a rule.
        filled: how many values the aspects hold at most that got some, by id.
        fields: what else the observations of the last portion say: the id of a value, the JSON.
    """

    def __init__(self, writer: Writer, path: str, who: str, *, anew: bool,
                 most: int, time: Callable[[str | None], str], ids: Iterator[str],
                 earlier: EarlierFacts | None = None) -> None:
        self.writer, self.path, self.who, self.anew = writer, path, who, anew
        self._most = most
        self.time, self.native = time, writer.kind == "native"
        self.ids, self._earlier = ids, earlier
        self.new = self.unchanged = self.skipped = 0
        self.grown: Counter[str] = Counter()
        self.lacking: Counter[str] = Counter()
        self.rules: list[str] = []
        self.filled: dict[str, int] = {}
        self.fields: list[tuple[str, str]] = []
        self._deleted = set() if anew else {
            short_hash(str(row["content_hash"]))
            for row in writer.rows(import_queries.DELETED, kind=IMPORTED)}
        self._own = writer.has_column("memories", "agent_id")
        self._may_have_full = not self.native or bool(writer.rows(import_queries.ANY_MEMORY))
        """Some memory may have its full hash: in a native file one that was there before."""
        self._loaded: dict[str, KnownEntity] = {}

    def write(self, items: Iterable[Item]) -> Iterator[int]:
        """Write all of them; yields how many have been after each portion."""
        done = 0
        for some in _portions(items):
            self.fields = []
            self._load(some)
            self._write(some)
            self._tag(some)
            done += len(some)
            yield done

    def forget(self) -> None:
        """Forget what was only needed for the entities so far; aspects over their limit are kept.
        """
        for known in self._loaded.values():
            known.values = None
        self._loaded = {}
        self.grown.clear()
        self.lacking.clear()
        self.filled = {id: held for id, held in self.filled.items() if held > self._most}

    def _load(self, some: list[Item]) -> None:
        """Look up what known entities hold; forget what only earlier portions needed."""
        known = {entity.id: entity for _, entity, _ in some if not entity.new}
        for id in self._loaded.keys() - known.keys():
            self._loaded.pop(id).values = None
        fresh = {id: entity for id, entity in known.items() if id not in self._loaded}
        for entity in fresh.values():
            entity.values = set()
        for row in self.writer.rows(import_queries.VALUES, ids=sorted(fresh), active=self.anew):
            values = fresh[row["entity_id"]].values
            if values is not None:
                values.add(digest_of(canonical(str(row["content"]))))
        self._loaded |= fresh

    def _write(self, some: list[Item]) -> None:
        fresh = list(self._fresh(some))
        memories, pairs = self._memories(fresh)
        rows = _Rows()
        for each in fresh:
            entity, known, observation = each.entity, each.known, each.observation
            if each.short in self._deleted and each.short not in memories:
                self.skipped += 1
                self.lacking[known.id] += known.new
                continue
            at = self.time(observation.when or entity.when)
            memory = memories.get(each.short)
            if memory is None:
                memory = memories[each.short] = next(self.ids)
                rows.memories.append(self._memory(memory, each, at))
            self._value(rows, each, memory, at)
            if (memory, known.id) not in pairs:
                if not known.new:
                    self.grown[known.id] += 1
                rows.mentions.append((memory, known.id, self._mention(entity, known)))
        self._insert(rows)

    def _tag(self, some: Iterable[Item]) -> None:
        """Give memories that were there before the tags that their text has now."""
        wanted: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        for _, _, observation in some:
            for digest in memory_hashes(observation.key) if observation.tags else ():
                wanted[digest] += tags_in(observation.tags)
        for row in self.writer.rows(import_queries.TAGS, hashes=sorted(wanted), kind=IMPORTED,
                                    own=self._own) if wanted else ():
            had = tags_in(row["tags"])
            tags = dict.fromkeys((*had, *wanted[row["content_hash"]]))
            if len(tags) > len(had):
                self.writer.update("memories", row["id"], tags=",".join(tags),
                                   updated_at=self.writer.now())

    def _fresh(self, some: Iterable[Item]) -> Iterator[_Fresh]:
        """The observations that their entities do not hold yet."""
        for entity, known, observation in some:
            key = observation.key
            digest = digest_of(key)
            if known.values is not None:
                if digest in known.values:
                    self._count_held(known, digest)
                    continue
                known.values.add(digest)
            yield _Fresh(entity, known, observation, key, digest, short_of(digest))

    def _count_held(self, known: KnownEntity, digest: bytes) -> None:
        """Count an observation that its entity holds, or held until a file said it no longer."""
        comes_back = self._earlier is not None and self._earlier.say(known.id, digest)
        self.new += comes_back
        self.unchanged += not comes_back

    def _memories(
        self, fresh: Iterable[_Fresh]
    ) -> tuple[dict[str, str], set[tuple[str, str]]]:
        """The memories of these words by hash, and which known entities they mention already."""
        hashes = {each.short for each in fresh}
        if self._may_have_full:
            hashes.update(each.digest.hex() for each in fresh)
        rows = self.writer.rows(import_queries.MEMORIES, hashes=sorted(hashes), own=self._own)
        memories = {short_hash(str(row["content_hash"])): str(row["id"]) for row in rows}
        pairs = {(row["memory_id"], row["entity_id"]) for row in self.writer.rows(
            import_queries.MENTIONS, ids=sorted(memories.values()))} if memories else set()
        return memories, pairs

    def _memory(self, id: str, each: _Fresh, at: str) -> tuple[object, ...]:
        stored, normal = (each.short, None) if self.native else (each.digest.hex(), each.key)
        return id, each.observation.text, stored, normal, each.entity.key, at, at, (
            each.observation.tags or None)

    def _value(self, rows: _Rows, each: _Fresh, memory: str, at: str) -> None:
        known, observation, value = each.known, each.observation, next(self.ids)
        aspect = self._aspect(rows, known, observation.aspect, at)
        held = len(known.values or ())
        self.filled[aspect] = self.filled.get(aspect, held) + 1
        normal = _kept_key(observation.text, each.key) if self.native else each.key
        # A native file has where a value is from with its memory.
        where = (None, None, None) if self.native else (value, each.entity.key, self.path)
        rows.values.append((value, aspect, memory, observation.kind, observation.text, normal, at,
                            at, *where))
        if observation.source:
            self.fields.append((value, observation.source))
        if not known.new and states_rule(observation.text):
            self.rules.append(value)
        self.new += 1

    def _aspect(self, rows: _Rows, known: KnownEntity, name: str, at: str) -> str:
        """The id of the aspect that a fact goes to, made if there is none."""
        key = name if name == OBSERVATIONS else name_key(name)
        aspect = known.aspect_of(key)
        if not aspect:
            aspect = next(self.ids)
            known.take_aspect(key, aspect)
            stored = key if self.native else self.writer.stored_key(name)
            rows.aspects.append((aspect, known.id, name, stored, at, at))
        return aspect

    def _mention(self, entity: McpEntity, known: KnownEntity) -> str | None:
        """The name that the file uses, unless that is just the entity's own."""
        return None if self.native and entity.name == known.name else entity.name

    def _insert(self, rows: _Rows) -> None:
        writer, agent = self.writer, self.writer.agent
        writer.insert_rows("entity_aspects", _ASPECT, rows.aspects, agent_id=agent, weight=0.5)
        writer.insert_rows(
            "memories", _MEMORY, rows.memories, type="fact", agent_id=agent,
            source_type=IMPORTED, source_path=self.path, who=self.who, updated_by=self.who,
            visibility=usual_visibility(agent))
        writer.insert_rows(
            "entity_attributes", _VALUE, rows.values, agent_id=agent, confidence=0.7,
            importance=0.5, status="active", group_key="general", version=1, source_kind=IMPORTED)
        writer.insert_rows("memory_entity_mentions", _MENTION, rows.mentions, confidence=1.0,
                           created_at=None if self.native else writer.now())


def _portions(items: Iterable[Item]) -> Iterator[list[Item]]:
    some, characters = list[Item](), 0
    for item in items:
        some.append(item)
        characters += len(item[2].text) + len(item[2].source)
        if characters > CHARACTERS or len(some) == AT_ONCE:
            yield some
            some, characters = [], 0
    if some:
        yield some


def _kept_key(text: str, key: str) -> str | None:
    """The canonical form of a text; None where SQLite's own small letters are just that."""
    return None if text.isascii() and text.lower() == key else key


def memory_hashes(key: str) -> tuple[str, str]:
    """The hashes that a memory of a text may have."""
    digest = digest_of(key)
    return short_of(digest), digest.hex()
