"""One thing that is wrong with a graph, and the operation that mends it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal

from msgspec import Struct, field

from core.health.config import HealthSettings
from core.ingest.config import IngestSettings
from core.learning.config import SupersessionSettings
from core.maintenance.config import MaintenanceSettings
from core.store.reader_and_writer import Reader

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The worst first: what tells an agent something wrong, what may, what is only untidy."""


class Rules(Struct, frozen=True):
    """The settings that say what counts as a finding."""

    health: HealthSettings = field(default_factory=HealthSettings)
    ingest: IngestSettings = field(default_factory=IngestSettings)
    maintenance: MaintenanceSettings = field(default_factory=MaintenanceSettings)
    supersession: SupersessionSettings = field(default_factory=SupersessionSettings)


class Fix(Struct, frozen=True):
    """The operation that mends a finding, with its payload."""

    operation: str
    payload: Mapping[str, object]


def finding_id(kind: str, rows: Iterable[str]) -> str:
    """Twelve letters and digits, the same as long as kind and rows are."""
    return sha256("\0".join((kind, *rows)).encode()).hexdigest()[:12]


class Finding(Struct, frozen=True):
    """One thing that is wrong.

    Attributes:
        kind: a name of `core.health.kinds.KINDS`.
        rows: the ids of the rows that it is about; with the kind they make it the same finding
            in every report.
        entity_id, entity_name: where it is; None and empty where it is no one entity's.
        fix: None where only a person can say what it should be, or the file can't store it.
    """

    kind: str
    severity: Severity
    rows: tuple[str, ...]
    entity_id: str | None
    entity_name: str
    text: str
    fix: Fix | None = None

    @property
    def id(self) -> str:
        """What names it in commands (`finding_id`)."""
        return finding_id(self.kind, self.rows)


class Unmade(Struct, frozen=True):
    """A finding about one row of which only that is known."""

    kind: str
    row: str

    @property
    def id(self) -> str:
        """That of the finding."""
        return finding_id(self.kind, (self.row,))


class Findings:
    """Findings about one row each, of which only those are made that are given: there may be as
    many as there are values."""

    def __init__(
        self, kind: str, rows: Iterable[str], made: Callable[[Sequence[str]], list[Finding]]
    ) -> None:
        self._kind, self._rows, self._made = kind, rows, made

    def __iter__(self) -> Iterator[Unmade]:
        return (Unmade(self._kind, row) for row in self._rows)

    def made(self, some: Iterable[Unmade]) -> list[Finding]:
        """These findings in full."""
        return self._made([one.row for one in some])


class SomeFindings(list[Finding]):
    """Findings of a kind that did not look at everything."""


_COLUMNS = {"archive_entity": ("entities", "status"),
            "archive_aspect": ("entity_aspects", "status"),
            "archive_link": ("entity_dependencies", "status"),
            "move_claim": ("entity_attributes", "claim_key"),
            "supersede_claim_value": ("entity_attributes", "claim_key")}


def fix(reader: Reader, operation: str, **payload: object) -> Fix | None:
    """The operation, None where the file can't store what it does."""
    column = _COLUMNS.get(operation)
    if column is not None and not reader.has_column(*column):
        return None
    return Fix(operation, payload)
