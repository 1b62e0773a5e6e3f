"""Looks up entities by what names are known by, along an index in any generation of the file."""

from core.store.compat_views import key_sql
from core.store.handles import Reader, Writer

# What is stored in small plain letters is its own key; nearly all is.
_BY_KEY = (
    "DELETE FROM temp.other_spellings WHERE by_name = 0",
    "INSERT OR IGNORE INTO temp.other_spellings SELECT e.canonical_name, e.rowid, 0"
    " FROM entities e WHERE e.rowid IN (SELECT r.rowid FROM main.entities r"
    " WHERE r.canonical_name IS NULL OR r.canonical_name GLOB '*[^ -~]*'"
    " OR r.canonical_name <> lower(r.canonical_name))")
_BY_KEY_ALONE = (
    _BY_KEY[0], "INSERT OR IGNORE INTO temp.other_spellings SELECT e.canonical_name, e.rowid, 0"
    " FROM entities e")
"""The same for a file that stores no keys."""
_BY_NAME = (
    "DELETE FROM temp.other_spellings WHERE by_name = 1",
    f"INSERT OR IGNORE INTO temp.other_spellings SELECT {key_sql('r.name')}, r.rowid, 1"
    " FROM main.entities r WHERE {stored} IS NOT lower(r.name) OR r.name GLOB '*[^ -~]*'")


def known_by(reader: Reader, entity: str, keys: str, *, or_name: bool = False) -> str:
    """SQL that is true of the agent's entity (by its table's alias) known by one of some keys.

    Signet stores other keys than ours where a name is not in plain letters. So where a file is
    only read, what differs is listed once after each change; a writer, whose every change would
    end the list, looks at all names.

    Args:
        keys: SQL of the keys, as `name_key` makes them: a list or a query.
        or_name: also what the name itself says, where what is stored is out of date.
    """
    if reader.kind == "native":
        return f"{entity}.agent_id = :agent AND {entity}.canonical_name IN ({keys})"
    if isinstance(reader, Writer):
        own = f" OR {key_sql(f'{entity}.name')} IN ({keys})" if or_name else ""
        return f"{entity}.agent_id = :agent AND ({entity}.canonical_name IN ({keys}){own})"
    stored = list_spellings(reader)
    if or_name:
        reader.list_once("keys of names", [_BY_NAME[0], _BY_NAME[1].format(
            stored="r.canonical_name" if stored else "NULL")])
    unless = "" if or_name else " AND k.by_name = 0"
    as_stored = (f"SELECT r.rowid FROM main.entities r WHERE r.canonical_name IN ({keys})"
                 " UNION ALL " if stored else "")
    return (f"+{entity}.agent_id = :agent AND {entity}.rowid IN ({as_stored}"
            f"SELECT k.place FROM temp.other_spellings k WHERE k.key IN ({keys}){unless})")


def list_spellings(reader: Reader) -> bool:
    """List what entities of a Signet file are known by beside what it stores; False if it stores
    nothing."""
    stored = reader.has_column("entities", "canonical_name")
    reader.list_once("name keys", _BY_KEY if stored else _BY_KEY_ALONE)
    return stored
