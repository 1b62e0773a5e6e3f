"""Reads the structure that a JSON text holds already: claims, links, entities, assertions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from core.errors import OperationError
from core.extraction.extracted import Extracted, Mode, Request, Text, distinct
from core.ontology.control import check_payload
from core.ontology.foreign_assertions import request_of

_GROUNDS = ("evidence", "quote", "confidence", "rationale", "reason", "risk")
Maker = Callable[[Mapping[str, Any]], tuple[str, Request]]


def json_of(text: str) -> object:
    """The JSON object or array of a text, also between the fences that models put around it; None
    where it is none."""
    plain = text.strip()
    if plain.startswith("```"):
        plain = plain.split("\n", 1)[-1].rsplit("```", 1)[0]
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict | list) else None


def extracted(data: object, text: Text, agent: str, mode: Mode = "json") -> Extracted:
    """What a JSON value holds; what is no operation is left out with a warning.

    It has the keys `entities`, `claim_values`, `links`, `actions_or_policies`, `proposals`,
    `assertions` and `questions`; an array holds proposals.
    """
    whole: Mapping[str, Any] = data if isinstance(data, Mapping) else {"proposals": data}
    warnings: list[str] = []
    requests = [request for key, make in _MAKERS.items()
                for request in _made(_listed(whole, key), make, text, warnings, key)]
    assertions = [_with_source(request_of(item, agent), item, text)
                  for item in _listed(whole, "assertions")]
    return Extracted(
        mode, tuple(distinct(requests)), tuple(assertions), warnings=tuple(warnings),
        questions=tuple(str(each) for each in _listed(whole, "questions")))


def _listed(whole: Mapping[str, Any], key: str) -> Sequence[Any]:
    first, *rest = key.split("_")
    items = whole.get(key, whole.get(first + "".join(word.title() for word in rest)))
    return items if isinstance(items, list) else []


def _made(
    items: Sequence[Any], make: Maker, text: Text, warnings: list[str], key: str
) -> Iterator[Request]:
    for number, item in enumerate(items, 1):
        if not isinstance(item, Mapping):
            warnings.append(f"{key} {number} is no object")
            continue
        try:
            operation, payload = make(item)
            payload = {name: value for name, value in payload.items() if value not in (None, "")}
            check_payload(operation, payload)
        except OperationError as error:
            warnings.append(f"{key} {number}: {error.what}")
            continue
        yield _with_source({"operation": operation, "payload": payload}, item, text)


def _with_source(request: Any, item: Any, text: Text) -> Any:
    if not isinstance(request, dict) or not isinstance(item, Mapping):
        return request
    given = {name: item[name] for name in _GROUNDS if item.get(name) not in (None, "")}
    quote = given.pop("quote", "")
    evidence = given.pop("evidence", None)
    if not isinstance(evidence, list) or not evidence:
        evidence = [text.quoting(str(quote) or json.dumps(item, ensure_ascii=False)[:300])]
    own = {name: value for name, value in request.items() if name.startswith("source_")}
    if request["operation"] == "create_assertion":
        given.pop("confidence", None)  # It is the assertion's own.
    return {**request, **given, **(own or text.columns()), "evidence": evidence}


def _entity(item: Mapping[str, Any]) -> tuple[str, Request]:
    return "create_entity", {"name": item.get("name") or item.get("entity"),
                             "entity_type": item.get("entity_type") or item.get("type")}


def _claim(item: Mapping[str, Any]) -> tuple[str, Request]:
    return "add_claim_value", {
        "entity": item.get("entity"), "entity_type": item.get("entity_type"),
        "aspect": item.get("aspect"), "group_key": item.get("group_key") or item.get("group"),
        "claim_key": item.get("claim_key") or item.get("claim"),
        "value": item.get("value") or item.get("content"), "kind": item.get("kind"),
        "confidence": item.get("confidence"), "importance": item.get("importance")}


def _link(item: Mapping[str, Any]) -> tuple[str, Request]:
    return "create_link", {
        "source_entity": item.get("source_entity") or item.get("source"),
        "target_entity": item.get("target_entity") or item.get("target"),
        "link_type": item.get("link_type") or item.get("relationship") or item.get("type"),
        "source_type": item.get("source_type"), "target_type": item.get("target_type"),
        "reason": item.get("reason"), "strength": item.get("strength"),
        "confidence": item.get("confidence")}


def _policy(item: Mapping[str, Any]) -> tuple[str, Request]:
    target = item.get("target_entity") or item.get("entity")
    if not target:
        return "create_action_type", {"name": item.get("name") or item.get("action_type")}
    return "create_policy", {"entity": target, "policy_kind": item.get("kind"),
                             "content": item.get("content") or item.get("policy")}


def _proposal(item: Mapping[str, Any]) -> tuple[str, Request]:
    payload = item.get("payload")
    if not isinstance(payload, Mapping):
        raise OperationError(400, "payload object is required", field="payload")
    return str(item.get("operation") or "").strip(), dict(payload)


_MAKERS: Mapping[str, Maker] = {
    "entities": _entity, "claim_values": _claim, "links": _link, "actions_or_policies": _policy,
    "proposals": _proposal}
