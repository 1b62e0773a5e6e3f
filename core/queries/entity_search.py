"""The SQL that finds entities by what a person types: words, phrases, tags, type, pin, time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain

import msgspec
from msgspec import Struct

from core.model.names import name_key
from core.model.text_matches import densest, match_spans
from core.model.unspaced_scripts import has_unspaced
from core.queries.rows_to_model import MEMORY_VISIBLE, same_words
from core.queries.search_syntax import SearchText
from core.store.bound_values import bindable
from core.store.reader_and_writer import Reader

FACTS = 4000
"""Matching facts that are looked at for one word, so that a common word costs no more than a rare
one."""
FACTS_TOGETHER = 40_000
"""The same for each of several words, where the entities that hold all of them are looked for."""
FEW = 3000
"""So many entities are asked one by one whether they hold another word, too."""
RECENT = 8
"""Searches of several words whose result is kept until the file changes."""
RECENT_WORDS = 4
"""Words of such searches for which the same is done; those of a common one take a megabyte."""

_BY_NAME = """
SELECT f.rowid FROM entities_fts f WHERE entities_fts MATCH :{query}"""

_BY_NAME_LIKE = """
SELECT n.rowid FROM entities n WHERE n.agent_id = :agent AND {holds}"""

_BY_ALIAS = """
SELECT n.rowid FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent AND a.status = 'active' AND {holds}"""

_BY_FACT = """
SELECT s.entity_id AS id, v.id AS fact
FROM attributes_fts f CROSS JOIN entity_attributes v ON v.rowid = f.rowid
CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE attributes_fts MATCH :{query} AND +v.agent_id = :agent AND +v.status = 'active'
  AND +s.status = 'active' LIMIT :facts"""

_BY_FACT_LIKE = """
SELECT s.entity_id AS id, v.id AS fact
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND +s.status = 'active' AND {holds}
LIMIT :facts"""

_BY_FACT_AMONG = """
SELECT s.entity_id AS id, v.id AS fact
FROM json_each(:among) c CROSS JOIN entity_aspects s ON s.entity_id = c.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +s.agent_id = :agent AND +s.status = 'active' AND +v.agent_id = :agent
  AND +v.status = 'active' AND {holds}"""
_IN_FULL_TEXT = """
+v.rowid IN (SELECT f.rowid FROM attributes_fts f WHERE attributes_fts MATCH :{query})"""

_TAGGED = f"""
e.id IN (SELECT n.entity_id FROM memories m CROSS JOIN memory_entity_mentions n
  ON n.memory_id = m.id
  WHERE {{holds}} AND {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0)"""

_Columns = Mapping[str, str | list[str]]
"""By their names, each a list or the text of a JSON array."""
_DECODE = msgspec.json.Decoder(list[str]).decode
_Holders = dict[str, str | None]
"""Of entities, by their ids, the fact that holds most of the words."""

_WIDTH = 140


def needs_substring(words: tuple[str, ...]) -> bool:
    """True if full text can't find the words: signs and emoji, or a script without spaces."""
    return any(has_unspaced(word) or not any(map(str.isalnum, word)) for word in words)


def like(text: str) -> str:
    """A LIKE pattern (ESCAPE '\\') for `text` anywhere, its wildcards taken literally."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def snippet(content: str, words: tuple[str, ...], width: int = _WIDTH) -> str:
    """The part of `content` where the most of the words stand, on one line, cut with `…` where
    it is."""
    first = densest(content, match_spans(content, words), width * 2 // 3)
    start = max(first - width // 3, 0)
    if start:  # Begin at a word, unless there is no space near.
        space = content.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    cut = " ".join(content[start:start + width * 2].split())
    tail = "…" if len(cut) > width or start + width * 2 < len(content) else ""
    return ("…" if start else "") + cut[:width].rstrip() + tail


def has_tag(name: str) -> str:
    """SQL that is true of a memory `m` with the tag that is bound as `name`, by `tag_pattern`.

    Tags are one text, parted by commas; some writers store a JSON array.
    """
    flat = "m.tags"
    for sign, instead in (("[", ","), ("]", ","), ('"', ""), (", ", ",")):
        flat = f"replace({flat}, '{sign}', '{instead}')"
    return (f"(m.tags LIKE :{name}_in ESCAPE '\\'"  # which is quick and leaves few
            f" AND ',' || {flat} || ',' LIKE :{name} ESCAPE '\\')")


def tag_patterns(name: str, tag: str) -> dict[str, object]:
    """What `has_tag` needs bound."""
    return {name: like(f",{tag.strip()},"), f"{name}_in": like(tag.strip())}


class _Term(Struct, frozen=True):
    """A word, with what is looked for in its place, or a phrase; any of `texts` is a match.

    Attributes:
        starts: it may be the beginning of a word; a phrase is found as it stands.
    """

    texts: tuple[str, ...]
    starts: bool = True

    @property
    def full_text(self) -> str:
        """The FTS5 query; empty where full text can't find it."""
        end = "*" if self.starts else ""
        return " OR ".join('"' + text.replace('"', '""') + f'"{end}' for text in self.texts)

    @property
    def plain(self) -> bool:
        return needs_substring(self.texts)


def _terms(search: SearchText) -> tuple[_Term, ...]:
    return (*(_Term(search.instead.get(word, (word,))) for word in search.words),
            *(_Term((phrase,), starts=False) for phrase in search.phrases))


class Search:
    """One search of one reader: every word must begin a word in a name, an alias or a fact of an
    entity, be it in different ones.

    Full text is used where the file has it and can find the words, else LIKE.

    Attributes:
        words: whether there is anything to look for in names and facts.
        by_name: condition on `entities e`: its name or one of its aliases contains every word. It
            is checked along the order of the list, so a word that all names hold costs no more
            than one that none holds.
        found: SQL for the row numbers of `entities` that `list_entities` would give for the words:
            looked up one by one, which takes less than to go through all.
        by_fact: a table `(id, fact, named)`: entities that hold every word, in their facts or
            beside them, each with the active fact that holds most of them, and how many of the
            words its name or an alias holds.
        where: conditions on `entities e` beside the words, each after an `AND`.
        parameters: what all of them need bound that were asked for. Of several words, what holds
            all of them is looked for when `by_fact` or `found` is.
    """

    def __init__(self, reader: Reader, search: SearchText) -> None:
        terms = _terms(search)
        self.words = bool(terms)
        self.where = "".join(f" AND {condition}" for condition in _conditions(search))
        self.parameters: dict[str, object] = {
            "exact": name_key(search.plain), "facts": FACTS_TOGETHER if terms[1:] else FACTS,
            "s_types": list(search.types), "s_since": search.since.replace("T", " "),
        }
        for number, tag in enumerate(search.tags):
            self.parameters |= tag_patterns(f"s_tag{number}", tag)
        self._reader = reader
        self._terms = terms
        if terms:
            self.by_name = self._by_name(terms, "all")

    @cached_property
    def by_fact(self) -> str:
        return self._together(self._terms) if self._terms[1:] else self._one(self._terms[0])

    @cached_property
    def found(self) -> str:
        facts = self.by_fact if self._terms[1:] else f"({self._facts(self._terms[0], 'one')})"
        return " UNION ".join((
            *self._names(self._terms, "all"),
            f"SELECT e.rowid FROM {facts} b CROSS JOIN entities e ON e.id = b.id"))

    def _by_name(self, terms: tuple[_Term, ...], name: str) -> str:
        return f"+e.rowid IN ({' UNION '.join(self._names(terms, name))})"

    def known(self, term: _Term) -> str:
        """SQL that is true if a name, an alias or an active fact of the agent holds a word.

        One after the other, each only as far as its first row.
        """
        named = (f"EXISTS (SELECT 1 FROM ({rows}) n CROSS JOIN entities e ON e.rowid = n.rowid"
                 " WHERE +e.agent_id = :agent)" for rows in self._names((term,), "one"))
        return " OR ".join((*named, f"EXISTS ({self._facts(term, 'one')})"))

    def _names(self, terms: tuple[_Term, ...], name: str) -> tuple[str, str]:
        """The row numbers of entities: those whose names hold every term, and whose aliases do."""
        plain = any(term.plain for term in terms)
        if plain or not self._reader.has_table("entities_fts"):
            # The name as it is, too: old files lack some canonical names, and SQLite itself
            # knows the small letters of ASCII only.
            holds = self._like("n.canonical_name", f"{name}_key", terms, name_key)
            typed = self._like("n.name", f"{name}_typed", terms, str)
            names = _BY_NAME_LIKE.format(holds=f"({holds} OR {typed})")
        else:
            self.parameters[f"{name}_query"] = " AND ".join(
                f"({term.full_text})" for term in terms)
            names = _BY_NAME.format(query=f"{name}_query")
        aliases = _BY_ALIAS.format(holds=self._like(
            "(' ' || a.canonical_alias)", f"{name}_alias", terms,
            lambda text: " " + name_key(text)))
        return names, aliases

    def _facts(self, term: _Term, name: str, *, among: bool = False) -> str:
        """The facts that hold a word, with the entities they are of: all, or those of some."""
        if term.plain or not self._reader.has_table("attributes_fts"):
            holds = self._like(same_words("v"), f"{name}_fact", (term,), str.lower)
        elif not among:
            self.parameters[f"{name}_query"] = term.full_text
            return _BY_FACT.format(query=f"{name}_query")
        else:
            self.parameters[f"{name}_query"] = term.full_text
            holds = _IN_FULL_TEXT.format(query=f"{name}_query")
        return (_BY_FACT_AMONG if among else _BY_FACT_LIKE).format(holds=holds)

    def _one(self, term: _Term) -> str:
        return (f"(SELECT id, MIN(fact) AS fact, 0 AS named FROM ({self._facts(term, 'one')})"
                " GROUP BY id)")

    def _together(self, terms: tuple[_Term, ...]) -> str:
        """The table of what holds all of several terms, which is looked for once and then bound."""
        recent: dict[tuple[_Term, ...], object] = self._reader.once(
            f"entities that hold words {self._reader.agent}", dict)
        if terms not in recent:
            if len(recent) >= RECENT:
                recent.clear()
            recent[terms] = bindable(self._holders(terms))
        self.parameters["together"] = recent[terms]
        return ("(SELECT f.key AS id, f.value AS fact, CAST(g.key AS INTEGER) AS named"
                " FROM json_each(:together) g CROSS JOIN json_each(g.value) f)")

    def _holders(self, terms: tuple[_Term, ...]) -> dict[int, _Holders]:
        """The entities that hold every term, by how many of them their names hold; the rarest is
        looked for first."""
        names: list[set[str]] = []
        facts: list[Mapping[str, list[str]]] = []
        ids: set[str] | None = None
        frequency = self._reader.each_once("how many facts hold a word", terms, self._frequencies)
        for term in sorted(terms, key=frequency.__getitem__):
            named, found = (self._among(term, ids) if ids is not None and len(ids) <= FEW
                            else self._anywhere(term))
            holding = named.union(found["id"])
            ids = holding if ids is None else ids & holding
            names.append(named)
            facts.append(found)
        best = _best_facts(facts)
        holders: defaultdict[int, _Holders] = defaultdict(dict)
        for id in ids or ():
            holders[sum(id in named for named in names)][id] = best.get(id)
        return holders

    def _anywhere(self, term: _Term) -> tuple[set[str], Mapping[str, list[str]]]:
        """The entities whose names hold a term, and the facts that do with the entities they are
        of; kept as text, for the words that are typed next."""
        recent: dict[_Term, tuple[_Columns, _Columns]] = self._reader.once(
            f"names and facts that hold a word {self._reader.agent}", dict)
        holding = recent.pop(term, None)
        if holding is None:
            holding = self._columns(self._named(term)), self._columns(self._facts(term, "one"))
        recent[term] = holding  # The one that was used last stands last.
        if len(recent) > RECENT_WORDS:
            del recent[next(iter(recent))]
        named, found = holding
        return set(_lists(named)["id"]), _lists(found)

    def _among(self, term: _Term, ids: set[str]) -> tuple[set[str], Mapping[str, list[str]]]:
        """The same, with no other facts than those of some entities."""
        return (set(_lists(self._columns(self._named(term)))["id"]), _lists(
            self._columns(self._facts(term, "one", among=True), among=list(ids))))

    def _named(self, term: _Term) -> str:
        return (f"SELECT e.id FROM entities e WHERE +e.agent_id = :agent AND"
                f" {self._by_name((term,), 'one').removeprefix('+')}")

    def _frequencies(self, terms: Iterable[_Term]) -> dict[_Term, int]:
        """How many facts hold each term; those that full text can't find count as many."""
        return {term: FACTS_TOGETHER if term.plain or not self._reader.has_table("attributes_fts")
                else int(self._reader.value(
                    "SELECT COUNT(*) FROM (SELECT 1 FROM attributes_fts"
                    " WHERE attributes_fts MATCH :query LIMIT :most)",
                    query=term.full_text, most=FACTS_TOGETHER)) for term in terms}

    def _columns(self, sql: str, **more: object) -> "_Columns":
        bound = {name: value for name, value in self.parameters.items() if f":{name}" in sql}
        return self._reader.rows_by_column(sql, ("id", "fact"), **bound, **more)

    def _like(
        self, column: str, name: str, terms: Iterable[_Term], spelled: Callable[[str], str]
    ) -> str:
        """The condition that a column holds one of the texts of each term."""
        every = []
        for n, term in enumerate(terms):
            bound = {f"{name}{n}_{m}": like(spelled(text)) for m, text in enumerate(term.texts)}
            self.parameters |= bound
            every.append("(" + " OR ".join(
                f"{column} LIKE :{key} ESCAPE '\\'" for key in bound) + ")")
        return " AND ".join(every)


def _lists(columns: _Columns) -> dict[str, list[str]]:
    """Columns that came as text, as lists."""
    return {name: _DECODE(column) if isinstance(column, str) else column
            for name, column in columns.items()}


def _best_facts(facts: Collection[Mapping[str, list[str]]]) -> dict[str, str]:
    """The fact of each entity that holds most of the terms, the first of several."""
    ids = list(chain.from_iterable(found["id"] for found in facts))
    every = list(chain.from_iterable(found["fact"] for found in facts))
    best = dict(zip(reversed(ids), reversed(every), strict=True))  # The first is written last.
    held = {fact: many for fact, many in Counter(every).items() if many > 1}
    most: dict[str, int] = {}
    for id, fact in zip(ids, every, strict=True) if held else ():
        if fact in held and held[fact] > most.get(id, 1):
            best[id], most[id] = fact, held[fact]
    return best


def _conditions(search: SearchText) -> Iterable[str]:
    if search.types:
        yield "lower(e.entity_type) IN (SELECT value FROM json_each(:s_types))"
    if search.pinned is not None:
        yield f"e.pinned = {int(search.pinned)}"
    if search.since:
        yield "substr(replace(e.updated_at, 'T', ' '), 1, 19) >= :s_since"
    for number in range(len(search.tags)):
        yield _TAGGED.format(holds=has_tag(f"s_tag{number}"))


def is_known(reader: Reader, word: str) -> bool:
    """True if a name, an alias or an active fact of the agent holds a word that begins so."""
    search = Search(reader, SearchText())
    return bool(reader.value(f"SELECT {search.known(_Term((word,)))}",
                             **search.parameters | {"facts": 1}))
