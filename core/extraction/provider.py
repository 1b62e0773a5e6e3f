"""Asks a language model for the structure of a text: off until the person has configured one."""

import json
import os
from collections.abc import Mapping, Sequence

from core.errors import ConstellationError
from core.extraction.config import ExtractionSettings
from core.extraction.read_structured_json import json_of
from core.model.vocabulary import DEPENDENCY_TYPES, PREDICATES
from core.model_server_request import NoAnswer, checked_url, post

MOST_BYTES = 8_000_000
_SHAPE = (
    'Answer with one JSON object and nothing else: {"entities":[{"name","entity_type","quote"}],'
    '"claim_values":[{"entity","aspect","group","claim","value","kind","confidence","quote"}],'
    '"links":[{"source","target","link_type","reason","confidence","quote"}],'
    '"assertions":[{"entity","predicate","content","speaker","asserted_at","quote"}],'
    '"questions":["…"]}. kind is attribute or constraint. '
    f"predicate is one of {', '.join(PREDICATES)}. link_type is one of"
    f" {', '.join(DEPENDENCY_TYPES)}. quote repeats words of the text that say it. Leave out what"
    " the text does not say.")
_EXTRACT = f"You take facts out of a text for a person's knowledge graph. {_SHAPE}"
_FOLD = ("You are given changes that wait for a person's decision. Fold those that mean the same"
         ' into one. Answer with one JSON object and nothing else: {"proposals":[{"operation",'
         '"payload","confidence","rationale","quote"}],"questions":["…"]}, with the operations and'
         " the payload fields that you were given.")


def is_on(settings: ExtractionSettings) -> bool:
    """True if the person has configured a server."""
    return settings.provider != "off"


def ask_for_structure(text: str, settings: ExtractionSettings) -> object:
    """The JSON that the model answers for a text."""
    return _ask(_EXTRACT, text, settings)


def ask_to_fold(proposals: Sequence[Mapping[str, object]], settings: ExtractionSettings) -> object:
    """The JSON that the model answers for waiting proposals."""
    return _ask(_FOLD, json.dumps(proposals, ensure_ascii=False, default=str), settings)


def _ask(task: str, text: str, settings: ExtractionSettings) -> object:
    """Raises ConstellationError where the server gives no answer, or none in JSON."""
    url = checked_url(settings.url)
    body = {"model": settings.model, "max_tokens": settings.max_tokens, "temperature": 0,
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": text}]}
    try:
        raw = post(f"{url}/chat/completions", body, timeout_s=settings.timeout_s,
                   key=os.environ.get(settings.key_variable, ""), most_bytes=MOST_BYTES)
        answer = json_of(json.loads(raw)["choices"][0]["message"]["content"])
    except NoAnswer as error:
        raise _refused(url, str(error)) from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise _refused(url, "its answer is no chat completion") from error
    if answer is None:
        raise _refused(url, "what the model wrote is no JSON")
    return answer


def _refused(url: str, detail: str) -> ConstellationError:
    return ConstellationError("The extraction server did not answer", where=url, detail=detail,
                              do="Check that it runs and knows the model")
