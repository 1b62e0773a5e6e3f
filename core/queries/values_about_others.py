"""Finds values that rest on a memory which is about other entities and does not say them."""

from collections.abc import Sequence

from core.model.memory_text_of_value import states
from core.queries.memory_subjects import name_words, names_any, other_names
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

# A memory of one entity is about that one, however it calls it.
_OF_OTHERS = """
SELECT f.key AS place FROM json_each(:pairs) f WHERE EXISTS (
  SELECT 1 FROM entity_attributes r CROSS JOIN entity_aspects s ON s.id = r.aspect_id
  WHERE r.memory_id = json_extract(f.value, '$[0]')
    AND s.entity_id <> json_extract(f.value, '$[1]') AND +r.agent_id = :agent)"""


def without_values_about_others(reader: Reader, rows: Sequence[Row]) -> list[Row]:
    """Rows of values without those of an entity that the memory neither names nor says this of,
    where a value of another one rests on it, too.

    Only a native file has the index by which that is found.

    Args:
        rows: each a value with the `memory_id` that it rests on, that memory's text as `told`, and
            its own `content`, `entity_id` and `entity`.
    """
    unsaid = [row for row in rows if not _says(row)] if reader.kind == "native" else []
    if not unsaid:
        return list(rows)
    aliases = other_names(reader, {row["entity_id"] for row in unsaid})
    unnamed = [row for row in unsaid
               if not names_any(text(row["told"]), aliases.get(row["entity_id"], ()))]
    pairs = [(row["memory_id"], row["entity_id"]) for row in unnamed]
    gone = [unnamed[row["place"]] for row in reader.rows(_OF_OTHERS, pairs=pairs)] if pairs else ()
    return [row for row in rows if row not in gone]


def _says(row: Row) -> bool:
    """True if the memory says the value, or a word of its entity's name; a value that is told
    itself does."""
    told, value, name = (text(row[each]) for each in ("told", "content", "entity"))
    return (not told or not name or value in told or name in told or states(told, value)
            or names_any(told, name_words(name)))
