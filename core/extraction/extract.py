"""Takes proposals and assertions out of a text, and writes them: all or nothing."""

from msgspec import Struct
from msgspec.structs import replace

from core.errors import ConstellationError, OperationError
from core.extraction import explicit_statements, provider, read_structured_json
from core.extraction.config import ExtractionSettings
from core.extraction.extracted import Extracted, Request, Text
from core.ingest.config import IngestSettings
from core.ontology import control
from core.ontology.change_provenance import Source
from core.ontology.operation_request import OperationRequest
from core.ontology.store_proposal import create_proposal
from core.queries.find_by_name_or_id import memory_id
from core.queries.rows_to_model import MEMORY_VISIBLE, text
from core.store.reader_and_writer import Reader, Writer

BY = "ontology-extraction"
_KEPT = {
    "transcript": ("session_transcripts", "SELECT content FROM session_transcripts"
                   " WHERE agent_id = :agent AND session_key = :key"),
    "artifact": ("memory_artifacts", "SELECT content FROM memory_artifacts"
                 " WHERE agent_id = :agent AND source_path = :key"),
    "memory": ("memories", f"SELECT m.content FROM memories m WHERE m.id = :key"
               f" AND {MEMORY_VISIBLE}"),
}
"""What the graph itself keeps texts of, and where."""


def kept_text(reader: Reader, name: str) -> Text | None:
    """The text of `transcript:KEY`, `memory:ID` or `artifact:PATH`; None for another name.

    Raises OperationError (404) where there is none of that key.
    """
    kind, _, key = name.partition(":")
    if kind not in _KEPT or not key:
        return None
    table, statement = _KEPT[kind]
    key = memory_id(reader, key) if kind == "memory" else key
    row = reader.row(statement, key=key) if reader.has_table(table) else None
    if row is None:
        raise OperationError(404, f"There is no {kind} {key}", field="from")
    source = {"transcript": Source("session_transcript", key), "memory": Source("memory", key),
              "artifact": Source("memory_artifact", None, key)}[kind]
    return Text(text(row["content"]), source)


def extract(
    reader: Reader, source: Text, settings: ExtractionSettings, ingest: IngestSettings, *,
    use_provider: bool = False, limit: int = 50,
) -> Extracted:
    """What a text says, as proposals and assertions; changes nothing.

    Args:
        use_provider: ask the server that the person has configured. Where none is, or it gives no
            answer, patterns are used instead, and a warning says so.
        limit: the most of each; what is left out is said.
    """
    warnings: list[str] = []
    if len(source.content) > settings.max_characters:
        warnings.append(f"Only the first {settings.max_characters:,} characters were read")
        source = replace(source, content=source.content[:settings.max_characters])
    result = _asked(reader, source, settings, warnings) if use_provider else None
    if result is None:
        data = read_structured_json.json_of(source.content)
        result = (read_structured_json.extracted(data, source, reader.agent) if data is not None
                  else explicit_statements.extracted(reader, source, ingest))
    for what, items in (("proposals", result.proposals), ("assertions", result.assertions)):
        if len(items) > limit:
            warnings.append(f"{len(items) - limit} {what} more were left out")
    return replace(result, proposals=result.proposals[:limit], assertions=result.assertions[:limit],
                   warnings=(*warnings, *result.warnings))


def _asked(
    reader: Reader, source: Text, settings: ExtractionSettings, warnings: list[str]
) -> Extracted | None:
    """What the server makes of it; None, with a warning, where it gives no answer."""
    if not provider.is_on(settings):
        warnings.append("No server is configured (extraction.provider); patterns were used")
        return None
    try:
        answer = provider.ask_for_structure(source.content, settings)
        result = read_structured_json.extracted(answer, source, reader.agent, "provider")
    except ConstellationError as error:
        why = getattr(error, "detail", "") or error.what
        warnings.append(f"The extraction server did not answer ({why}); patterns were used")
        return None
    return replace(result, provider=settings.model or settings.url)


class Written(Struct, frozen=True):
    """What was stored: ids of proposals and of assertions; `refused` says what was not, and why."""

    proposals: tuple[str, ...] = ()
    assertions: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def write(
    writer: Writer, result: Extracted, *, proposals: bool = True, assertions: bool = True
) -> Written:
    """Store what was taken out of a text: one that can't be read takes all of it back.

    Of proposals that were rejected with the same evidence none is stored again; that is said.
    """
    stored: list[str] = []
    refused: list[str] = []
    with writer.savepoint():
        for request in result.proposals if proposals else ():
            try:
                stored.append(create_proposal(writer, _read(request)))
            except OperationError as error:
                if error.status != 409:
                    raise
                refused.append(f"{request['operation']}: {error.what}")
        return Written(tuple(stored), tuple(_asserted(writer, request)
                                            for request in (result.assertions if assertions
                                                            else ())), tuple(refused))


def _read(request: Request) -> OperationRequest:
    return replace(OperationRequest.read(request), created_by=BY)


def _asserted(writer: Writer, request: object) -> str:
    draft = OperationRequest.read(request)
    outcome = control.apply(
        writer, draft.operation, draft.payload, reason=draft.rationale, evidence=draft.evidence,
        source=draft.source)
    return str((outcome.result or {}).get("assertionId", ""))
