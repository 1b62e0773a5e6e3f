"""The description of every endpoint in the terms of OpenAPI, with examples."""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from explorer.caller_arguments import Json
from explorer.http.endpoint import Endpoint

_ALWAYS = {400: "What is asked makes no sense", 401: "No token, or one that does not hold",
           403: "The caller may not", 413: "The body is too large",
           421: "Another host is named", 503: "The graph can't be read now"}
_FURTHER = {404: "It is not there", 409: "It is in the way of something"}
_ALSO = {201: "It was made", 202: "It waits: for a person to decide, or to be computed"}
_ERROR = {"type": "object", "required": ["error"], "properties": {
    name: {"type": "string"} for name in ("error", "do", "where", "field")}}
_HEADERS = (
    ("x-signet-actor", "Who asks, for the record", "claude"),
    ("x-signet-actor-type", "`operator` where a person asks; anything else is an agent",
     "harness"),
)
_AGENT: Json = {"name": "agent_id", "in": "query", "required": False,
                "schema": {"type": "string"}, "description": "The agent of the token"}


def operation(endpoint: Endpoint) -> Json:
    """What FastAPI does not know of an endpoint: parameters, body, answers."""
    shape = endpoint.input_schema()
    properties: Json = dict(shape.get("properties", {}))
    required = set(shape.get("required", ()))
    parameters = [_parameter(endpoint, name, properties.pop(name), "path", True)
                  for name in endpoint.in_path]
    extra: Json = {"security": [{"bearer": [endpoint.needs]}],
                   "responses": _responses(endpoint)}
    if endpoint.method == "POST":
        if endpoint.takes_body:
            body = {**shape, "properties": properties,
                    "required": sorted(required - set(endpoint.in_path))}
            extra["requestBody"] = {"required": bool(body["required"]), "content": {
                "application/json": {"schema": body, "example": _example(endpoint, body=True)}}}
    else:
        parameters += [_parameter(endpoint, name, part, "query", name in required)
                       for name, part in properties.items()]
    headers = [{"name": name, "in": "header", "required": False, "description": what,
                "schema": {"type": "string"}, "example": example}
               for name, what, example in _HEADERS] if endpoint.needs == "modify" else []
    return {**extra, "parameters": [*parameters, _AGENT, *headers]}


def _example(endpoint: Endpoint, *, body: bool) -> Json:
    return {name: value for name, value in endpoint.example.items()
            if (name in endpoint.in_path) is not body}


def _parameter(endpoint: Endpoint, name: str, part: Any, place: str, required: bool) -> Json:
    parameter: Json = {"name": name, "in": place, "required": required,
                       "description": part.pop("description", ""), "schema": part}
    if name in endpoint.example:
        parameter["example"] = endpoint.example[name]
    return parameter


def _responses(endpoint: Endpoint) -> Json:
    good = {200: "The answer", **{status: _ALSO[status] for status in endpoint.also}}
    bad = {**_ALWAYS, **{status: _FURTHER[status] for status in endpoint.refused}}
    answer = {"type": "array" if endpoint.lists else "object"}
    return {**{str(status): _response(what, answer) for status, what in good.items()},
            **{str(status): _response(what, _ERROR) for status, what in sorted(bad.items())}}


def _response(what: str, schema: Json) -> Json:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def described(app: FastAPI) -> Callable[[], Json]:
    """FastAPI's own description with how a caller shows its token."""
    usual = app.openapi

    def whole() -> Json:
        document = usual()
        document.setdefault("components", {})["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"}}
        return document

    return whole
