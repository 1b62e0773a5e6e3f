"""Looks up entities by what names are known by, along an index in any generation of the file."""

from core.store.compat_views import (
    LIST_OF_ALL_KEYS,
    LIST_OF_ALL_NAMES,
    LIST_OF_KEYS,
    LIST_OF_NAMES,
    key_sql,
)
from core.store.reader_and_writer import Reader, Writer


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
        reader.list_once("keys of names", LIST_OF_NAMES if stored else LIST_OF_ALL_NAMES)
    unless = "" if or_name else " AND k.by_name = 0"
    as_stored = (f"SELECT r.rowid FROM main.entities r WHERE r.canonical_name IN ({keys})"
                 " UNION ALL " if stored else "")
    return (f"+{entity}.agent_id = :agent AND {entity}.rowid IN ({as_stored}"
            f"SELECT k.place FROM temp.other_spellings k WHERE k.key IN ({keys}){unless})")


def list_spellings(reader: Reader) -> bool:
    """List what entities of a Signet file are known by beside what it stores; False if it stores
    nothing."""
    stored = reader.has_column("entities", "canonical_name")
    reader.list_once("name keys", LIST_OF_KEYS if stored else LIST_OF_ALL_KEYS)
    return stored
