"""Finds the values without a claim key that a new value of a claim would stand beside.

What is imported has no claim keys, so setting a claim supersedes none of it: whoever sets one is
told what else is in force and says about the same.
"""

from collections.abc import Iterator

from core.error_advice import Advice
from core.learning.detect_contradiction import detect
from core.model.memory_text_of_value import states
from core.model.names import canonical, spoken
from core.model.text_formatting import counted, one_line
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

MOST_LOOKED_AT = 1_000
MOST_TOLD = 3
QUOTED = 60
"""Characters of a value that are quoted."""
_KEYLESS = """
SELECT v.id, v.content, s.name AS aspect FROM entity_aspects s
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +s.status = 'active'
  AND v.status = 'active' AND v.kind = :kind AND +v.agent_id = :agent
  AND trim(COALESCE(v.claim_key, '')) = '' LIMIT :most"""


def beside_keyless(
    reader: Reader, entity_id: str, kind: str, claim_key: str, value: str
) -> list[str]:
    """A sentence for each value without a claim key that is close to a new one, and what to do.

    Close is what says the same in most of its words, or would contradict it in one claim. It is
    looked for in all of the entity: what is imported stands under aspects of its own.
    """
    near = list(_near(reader, entity_id, kind, claim_key, value))
    told = [_sentence(row) for row in near[:MOST_TOLD]]
    if len(near) > MOST_TOLD:
        told.append(f"{counted(len(near) - MOST_TOLD, 'more value', 'more values')}"
                    " like that without a claim key")
    return told


def _near(
    reader: Reader, entity_id: str, kind: str, claim_key: str, value: str
) -> Iterator[Row]:
    said = {value, f"{spoken(claim_key)} {value}"}  # `lives in` with the value `Berlin`.
    for row in reader.rows(_KEYLESS, entity=entity_id, kind=kind, most=MOST_LOOKED_AT):
        if any(_is_near(new, text(row["content"])) for new in said):
            yield row


def _is_near(new: str, old: str) -> bool:
    if not canonical(new) or not canonical(old):
        return False
    return states(old, new) or states(new, old) or detect(new, old) is not None


def _sentence(row: Row) -> str:
    what = (f"“{one_line(text(row['content']), QUOTED)}” ({one_line(text(row['aspect']), QUOTED)})"
            " stands beside it without a claim key")
    return Advice(f"{what} (attribute_id {row['id']}): archive_claim_value retires it, move_claim"
                  " gives it a claim key",
                  f"{what}: choose “Archive” or “Turn into a claim…” in its menu")
