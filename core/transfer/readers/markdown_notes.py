"""Reads a folder of notes in Markdown, as Obsidian and basic-memory keep them, or some of it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from posixpath import normpath

from msgspec import Struct, field

from core.model.names import name_key
from core.model.text_formatting import counted
from core.progress import Report
from core.transfer.markdown_pages import DESCRIBED
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import collect
from core.transfer.readers.exported_page import is_index, read_page
from core.transfer.readers.front_matter import split_matter
from core.transfer.readers.markdown_links import in_double_brackets
from core.transfer.readers.note_templates import is_template, template_folders
from core.transfer.readers.note_text import Fact, Link, blocks_of, is_file, item, name_in_heading
from core.transfer.readers.property_facts import facts_of
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed
from core.transfer.record_kinds import MUTED, PINNED
from core.transfer.stand_ins import NOTE

NOTE_ENDINGS = (".md", ".markdown")
_ENDING = re.compile(r"\.(md|markdown)\Z", re.IGNORECASE)
_TIMES = ("created", "created_at", "date")
PROPERTIES = "properties"
"""The aspect of what the front matter says about the entity."""
_NOT_SAID = frozenset((
    *_TIMES, "updated", "updated_at", "modified", "modified_at", "tags", "description", "permalink",
    "cssclass", "cssclasses", "publish", "id", "uid", "pinned", "muted", "importance", "confidence",
    "relations", "source", "url"))
"""Fields that are no facts about the entity: what a note or its program has for itself."""
_MOST = 20_000_000
"""Bytes of one note that are read."""
UNREAD = f"is larger than {_MOST:,} bytes, or can't be read"
_MEDIA = frozenset((".base", ".canvas", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp",
                    ".bmp", ".avif", ".mp3", ".m4a", ".wav", ".ogg", ".flac", ".mp4", ".mov",
                    ".webm"))
"""Files that are no entity although a note links to them."""
_LEAST_SAID = 3
"""Words of a first paragraph of nothing but links or tags that is a fact; fewer say nothing."""

Fields = dict[str, object]


class _Vault(Struct):
    """The notes of a folder by all that a link may call them."""

    top: Path
    notes: Notes
    names: dict[Path, str] = field(default_factory=dict)
    _by_key: dict[str, str] = field(default_factory=dict)
    _by_link: dict[str, str] = field(default_factory=dict)
    _headings: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, fields: Fields, line: int, heading: str) -> None:
        """Give a note its name: its title, told apart from an earlier one by its folder."""
        self._headings[name_key(heading)] += 1
        title = fields.get("title")
        name = title.strip() if isinstance(title, str) and title.strip() else path.stem
        inner = self._inner(path)
        if self._by_key.setdefault(name_key(name), str(path)) != str(path):
            told = f"{name} ({inner.parent if inner.parent != Path() else inner.name})"
            self.notes.remark(line, f"another note is called “{name}”: this is “{told}”", "title")
            name = told
        self.names[path] = name
        for link in (inner.with_suffix("").as_posix(), inner.stem, fields.get("permalink")):
            if isinstance(link, str):
                self._by_link.setdefault(name_key(link), name)

    def aliases(self, heading: str) -> list[str]:
        """What the heading of a note calls it, where it is no other note that is called so."""
        key = name_key(heading)
        return [heading] if key and key not in self._by_key and self._headings[key] <= 1 else []

    def target(self, link: str, note: Path) -> str:
        """The name of the note that a link in a note leads to; what it says where there is none.
        """
        place = link.split("|")[0].split("#")[0].split("^")[0].strip().strip("/")
        bare = _ENDING.sub("", place)
        beside = normpath((self._inner(note).parent / bare).as_posix())
        for key in (name_key(beside), name_key(bare)):
            if place and key in self._by_link:
                return self._by_link[key]
        return bare if name_key(bare) in self._by_key else bare.rsplit("/", 1)[-1]

    def _inner(self, path: Path) -> Path:
        return path.relative_to(self.top) if self.top.is_dir() else Path(path.name)


def _knows(look: Look) -> bool:
    if look.is_folder:
        return look.has(NOTE_ENDINGS)
    return look.path.suffix.lower() in NOTE_ENDINGS and b"\0" not in look.beginning[:200]


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    vault = _Vault(look.path, notes)
    files: list[tuple[Path, int]] = []
    templates, left = template_folders(look.path), 0
    for path in look.files(NOTE_ENDINGS):
        name = path.relative_to(look.path).as_posix() if look.is_folder else path.name
        if is_template(name, templates):
            left += 1
            continue
        raw = _bytes(path)
        lines = raw.count(b"\n") + 1 if raw is not None else 1
        start = notes.begin(name, lines) if look.is_folder else 0
        if raw is None:
            notes.complain(start + 1, UNREAD)
            continue
        fields, body, *_ = _split(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
        vault.add(path, fields, start + 1, name_in_heading(body))
        files.append((path, start))
        report(0.0)
    _tell_others(look, notes, left)
    for number, (path, start) in enumerate(files, 1):
        yield from _note(vault, path, start, _bytes(path) or b"")
        report(number / len(files))


def _split(text: str) -> tuple[Fields, str, int, str]:
    """As `split_matter`; what a page of an export says below its title is no text either."""
    fields, body, above, wrong = split_matter(text)
    told, body = read_page(body)
    return told | fields, body, above, wrong


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= _MOST else None
    except OSError:
        return None


def _tell_others(look: Look, notes: Notes, templates: int) -> None:
    """Say how many files of the folder are no notes."""
    if templates:
        are = counted(templates, "template of Obsidian is", "templates of Obsidian are")
        notes.remark(0, f"{are} left out")
    if look.is_folder:
        count = sum(1 for each in look.path.rglob("*") if each.suffix.lower() not in NOTE_ENDINGS
                    and not any(part.startswith(".") for part in each.relative_to(look.path).parts)
                    and not each.is_symlink() and each.is_file())
        if count:
            are = counted(count, "file that is no note is", "files that are no notes are")
            notes.remark(0, f"{are} left out; a memory file is imported by itself")


def _tag_list(given: object) -> list[str]:
    """The tags of front matter: a list, or one text."""
    words = given if isinstance(given, list) else str(given or "").replace(",", " ").split()
    return [tag for each in words if (tag := str(each).strip().lstrip("#"))]


def _take_tags(record: Fields, *, pins: bool) -> list[str]:
    """Take the tags of a note from its record; what an export writes as tags becomes fields."""
    given = _tag_list(record.pop("tags", None))
    marks = (*PINNED, *MUTED)
    record |= {mark: True for mark in marks if pins and mark in given}
    return [tag for tag in given if tag not in marks]


def _note(
    vault: _Vault, path: Path, start: int, raw: bytes, *, pins: bool = True
) -> Iterator[Placed]:
    """The records of a note.

    Args:
        pins: a note with the tag `pinned` or `muted` is so, as an export writes it.
    """
    notes = vault.notes
    text = notes.text(raw, start).replace("\0", "")
    fields, body, above, wrong = _split(text)
    if wrong:
        notes.complain(start + 1, wrong)
    if is_index(path.name, body):
        return
    name = vault.names[path]
    rest = _kept(fields, name)
    said = {key: words for key, value in rest.items()
            if key not in _NOT_SAID and (words := facts_of(key, value))}
    record: Fields = {**{key: value for key, value in rest.items() if key not in said},
                      "type": "entity", "name": name, "entityType": _type(fields)}
    tags = _take_tags(record, pins=pins)
    if others := [*_aliases(fields), *vault.aliases(name_in_heading(body))]:
        record["aliases"] = others
    yield start + 1, record
    described: list[Fact] = []
    has_fact = False
    properties = (item(start + 1, words, PROPERTIES) for each in said.values() for words in each)
    for part in chain(*properties, blocks_of(in_double_brackets(body), start + above)):
        if isinstance(part, Link):
            yield from _link(vault, path, part)
            continue
        if part.opens and len(described) < (_described(fields) or 1):
            described.append(part)
            if _described(fields) or part.is_bare and len(part.text.split()) < _LEAST_SAID:
                continue
        yield part.line, {"type": "entity", "name": name, "observations": [_fact(part, tags)]}
        has_fact = True
    if tags and not has_fact:
        yield start + 1, {"type": "entity", "name": name, "tags": tags}
    if described:
        yield described[0].line, {"type": "entity", "name": name, "description": "\n\n".join(
            each.text for each in described)}


class NoteName(Struct, frozen=True):
    """What a note may be called by, apart from its place: its title, permalink and heading."""

    title: str = ""
    permalink: str = ""
    heading: str = ""


def name_of(path: Path) -> NoteName | None:
    """What a note calls itself; None if it can't be read or is too large."""
    raw = _bytes(path)
    if raw is None:
        return None
    fields, body, *_ = _split(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    title, permalink = fields.get("title"), fields.get("permalink")
    return NoteName(title if isinstance(title, str) else "",
                    permalink if isinstance(permalink, str) else "", name_in_heading(body))


def read_notes(
    top: Path, names: Mapping[str, NoteName], wanted: Iterable[str]
) -> Iterator[tuple[str, McpFile]]:
    """Some notes of a folder, each as a file of its own; links lead as in the whole folder.

    One that can't be read is left out.

    Args:
        names: every note of the folder by its place; of two with one title the first keeps it.
    """
    vault = _Vault(top, Notes())
    for place, name in names.items():
        vault.add(top / place, {"title": name.title, "permalink": name.permalink or None}, 0,
                  name.heading)
    for place in wanted:
        raw = _bytes(top / place)
        if raw is None:
            continue
        notes = vault.notes = Notes()
        notes.begin(place, raw.count(b"\n") + 1)
        records = _note(vault, top / place, 0, raw, pins=False)
        yield place, collect(str((top / place).absolute()), records, notes, NOTES.title,
                             is_text=True, untyped=NOTES.untyped)


def _described(fields: Fields) -> int:
    """How many paragraphs an export wrote that describe the entity and are none of its facts.

    In any other note the first one describes it, and all of them are facts: what a person writes
    in sentences is to be found as what they write in lists.
    """
    count = fields.get(DESCRIBED)
    return int(count) if isinstance(count, int | str) and str(count).isdecimal() else 0


def _type(fields: Fields) -> str:
    value = fields.get("type") or fields.get("entity_type")
    return value if isinstance(value, str) else ""


def _kept(fields: Fields, name: str) -> Fields:
    """The fields of a note that are no part of its record, with its time."""
    rest = {key: value for key, value in fields.items()
            if key not in ("type", "entity_type", "aliases", "alias", "observations", DESCRIBED)
            and not (key == "title" and value == name)}
    for key in _TIMES:
        if isinstance(rest.get(key), str):
            rest["created_at"] = rest.pop(key)
            break
    return {key: value for key, value in rest.items() if value not in (None, "", [])}


def _aliases(fields: Fields) -> list[object]:
    """What the front matter of a note calls it beside its title."""
    given = fields.get("aliases", fields.get("alias"))
    if isinstance(given, list):
        return given
    return [each.strip() for each in str(given).split(",")] if given else []


def _fact(fact: Fact, tags: Iterable[str]) -> Fields:
    """The record of a fact, which has the tags of its note, too."""
    every = [*dict.fromkeys((*tags, *fact.tags))]
    return {"text": fact.text, "aspect": fact.aspect, **({"tags": every} if every else {}),
            **({"kind": "constraint"} if fact.is_constraint else {})}


def _link(vault: _Vault, note: Path, link: Link) -> Iterator[Placed]:
    target = vault.target(link.target, note)
    if is_file(target) and (link.is_embedded or Path(target).suffix.lower() in _MEDIA):
        vault.notes.remark(link.line, f"the file {target} is left out", "embedded")
    elif target:
        yield link.line, {"type": "relation", "from": vault.names[note], "to": target,
                          "relationType": link.words,
                          **({"context": link.context} if link.context else {})}
    # A link to a heading of the same note leads nowhere else.


NOTES = ImportFormat("obsidian", "folder of notes (Obsidian, basic-memory)", _knows, _read,
                     title_of_file="note in Markdown", is_text=True, untyped=NOTE)
