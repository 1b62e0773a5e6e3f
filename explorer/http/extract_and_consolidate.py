"""Proposals and assertions out of texts that the graph keeps, and the folding of waiting ones."""

from typing import Annotated, Literal

from pydantic import Field

from core.errors import OperationError
from core.extraction import extract as extraction
from core.extraction import fold_same_proposals as folding
from core.extraction.config import ExtractionSettings
from explorer.caller_arguments import Arguments, Json
from explorer.extraction_json import consolidated_json, extracted_json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Words, within
from explorer.http.operations import Flag
from explorer.model_json import plain


class Extracting(Arguments):
    """What to read, and whether to write."""

    source: Words = Field(alias="from", description="transcript:KEY, memory:ID or artifact:PATH")
    write_proposals: Flag = Field(False, description="Propose what was found")
    write_assertions: Flag = Field(False, description="Record who said what")
    use_provider: Flag = Field(False, description="Ask the server of extraction.provider")
    provider_timeout_ms: Annotated[int, within(1, 600_000), Field(
        description="How long that may take, up to ten minutes; as set, if left out")] | None = None
    provider_max_tokens: Annotated[int, within(1, 100_000), Field(
        description="How long its answer may be; as set, if left out")] | None = None
    limit: Annotated[int, within(1, 500), Field(description="The most of each, 1 to 500")] = 50

    def provider(self, settings: ExtractionSettings) -> ExtractionSettings:
        """The settings, with what is asked here in their place."""
        asked = {"timeout_s": self.provider_timeout_ms and self.provider_timeout_ms / 1000,
                 "max_tokens": self.provider_max_tokens}
        return settings.model_copy(update={
            name: number for name, number in asked.items() if number is not None})


def extract(door: Door, given: Extracting) -> object:
    """Take proposals and assertions out of a text that the graph keeps; write them on request."""
    settings = door.engine.settings
    with door.read() as reader:
        text = extraction.kept_text(reader, given.source)
        if text is None:
            raise OperationError(404, "from must be transcript:KEY, memory:ID or artifact:PATH",
                                 field="from")
        result = extraction.extract(
            reader, text, given.provider(settings.extraction), settings.ingest,
            use_provider=given.use_provider, limit=given.limit)
    written = extraction.Written()
    wrote = given.write_proposals or given.write_assertions
    if wrote:
        written = door.write(f"Extract from {given.source}", lambda writer: extraction.write(
            writer, result, proposals=given.write_proposals, assertions=given.write_assertions))
    return plain(extracted_json(result, written, wrote))


class Folding(Arguments):
    """What to compare, and whether to write."""

    status: Literal["pending"] = Field("pending", description="What waits is all that is folded")
    write_proposals: Flag = Field(False, description="Propose each in the place of those it folds")
    use_provider: Flag = Field(False, description="Ask the server of extraction.provider")
    limit: Annotated[int, within(1, 1000), Field(
        description="The most waiting proposals to compare, 1 to 1000")] = 200


def consolidate(door: Door, given: Folding) -> Json:
    """Fold waiting proposals that mean the same into one, with the evidence of all."""
    settings = door.engine.settings.extraction
    with door.read() as reader:
        result = folding.consolidate(reader, settings, use_provider=given.use_provider,
                                     limit=given.limit)
    ids: tuple[str, ...] = ()
    if given.write_proposals:
        ids = door.write("Fold proposals", lambda writer: folding.write(writer, result.items))
    answer = plain(consolidated_json(result, ids, given.write_proposals))
    assert isinstance(answer, dict)
    return answer


EXTRACTION = (
    Endpoint("POST", "/api/ontology/extract", extract, Extracting, "modify", refuses=(404, 409),
             example={"from": "memory:3f9a1c20", "write_proposals": False}),
    Endpoint("POST", "/api/ontology/consolidate", consolidate, Folding, "modify",
             refuses=(404, 409), example={"write_proposals": False}),
)
