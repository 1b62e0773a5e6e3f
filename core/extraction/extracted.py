"""What was taken out of a text, and where the text is from."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from core.ontology.change_provenance import Source

Mode = Literal["json", "text", "provider"]
Request = dict[str, Any]
"""An operation with its payload, evidence and source, as `OperationRequest.read` takes it."""
FILES = ("file", "artifact", "memory_artifact")


class Text(Struct, frozen=True):
    """A text and its source."""

    content: str
    source: Source

    def quoting(self, words: str) -> Request:
        """A piece of evidence: the words and where they stand."""
        source = self.source
        place = {"memory_id": source.id} if source.kind == "memory" else {
            "source_kind": source.kind, "source_id": source.id, "source_path": source.path}
        return {"quote": words, **{name: value for name, value in place.items() if value}}

    def columns(self) -> Request:
        """What a request says of its source."""
        return {name: value for name, value in self.source.columns().items() if value}


class Extracted(Struct, frozen=True):
    """What was taken out of a text; nothing of it is in the graph yet.

    Attributes:
        mentions: names of known entities in it, with how often.
        warnings: what was left out and why, and whether the server gave no answer.
        questions: what the server would ask a person.
    """

    mode: Mode
    proposals: tuple[Request, ...] = ()
    assertions: tuple[Request, ...] = ()
    mentions: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    provider: str = ""


def distinct(requests: Sequence[Request]) -> list[Request]:
    """Requests without those that ask for the same; the first keeps the evidence of all."""
    firsts: list[Request] = []
    for request in requests:
        same = next((one for one in firsts if one["operation"] == request["operation"]
                     and one["payload"] == request["payload"]), None)
        if same is None:
            firsts.append(dict(request))
        else:
            same["evidence"] = [*same["evidence"], *(
                piece for piece in request["evidence"] if piece not in same["evidence"])]
    return firsts
