"""Makes a command of every operation in the catalogue: its fields are the arguments and flags."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from core.ontology.operation_catalog import CATALOG, Operation
from core.ontology.payload_base import clamped
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    ByTriggers,
    Commands,
    DryRun,
    EvidenceFile,
    Json,
    Propose,
    Reason,
    Store,
)
from explorer.cli.run_operation import Asked, decide
from explorer.cli.values_named_by_words import (
    SET,
    SUPERSEDE,
    arguments,
    fewer_will_do,
    takes_words,
    with_value_found,
)


def groups() -> dict[str, Commands]:
    """One group of commands per noun: `entity create`, `claim set`, `link archive` and so on."""
    by_noun: dict[str, Commands] = {}
    for operation in CATALOG.values():
        verb, noun = operation.words
        if noun not in by_noun:
            by_noun[noun] = Commands(help=f"Change {_plural(noun)}.", no_args_is_help=True)
        by_noun[noun].command(verb, help=operation.summary)(command(operation))
    return by_noun


def _plural(noun: str) -> str:
    if noun.endswith("y"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith("s") else "s")


def command(operation: Operation) -> Callable[..., None]:
    """The function behind one command; Typer reads its signature as if it were written out."""
    own = list(_parameters(operation))
    named = arguments() if takes_words(operation) else ()
    by_words = named or operation.name in (SUPERSEDE, SET)
    shared = [
        _option("store", Store, None), _option("agent", AgentName, EVERYONE),
        _option("actor", Actor, OPERATOR), _option("reason", Reason, ""),
        _option("evidence_file", EvidenceFile, None), _option("dry_run", DryRun, False),
        _option("propose", Propose, False), _option("as_json", Json, False),
    ]
    taken = {parameter.name for parameter in own}
    by_triggers = [] if "force" in taken else [_option("force", ByTriggers, False)]

    def run(**given: Any) -> None:
        payload = {name: given[name] for name in taken if _is_given(given[name])}
        if given["reason"] and "reason" in operation.fields.model_fields:
            payload["reason"] = given["reason"]
        decide(operation.name, payload, Asked(
            force=given["force"], **{p.name: given[p.name] for p in shared}),
            partial(with_value_found, operation.name, given) if by_words else None)

    parameters = [*named, *own, *by_triggers, *shared]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def _is_given(value: object) -> bool:
    """False for what was left out; 0 and 0.0 are given."""
    return value is not None and value is not False and value != []


def _option(name: str, annotation: Any, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default,
                             annotation=annotation)


def _parameters(operation: Operation) -> Iterator[inspect.Parameter]:
    """The fields of an operation: arguments first, in order, then what has a flag."""
    fields = operation.fields.model_fields
    places = operation.info.arguments
    if places is None:
        places = tuple(name for name, field in fields.items() if field.is_required())
    if takes_words(operation):
        places = places[1:]
    for name in places:
        # A value may be named by fewer words than a claim.
        default = None if fewer_will_do(operation, name) else inspect.Parameter.empty
        yield _option(name, Annotated[
            _type(fields[name]), typer.Argument(metavar=_metavar(name), help=_help(fields[name]),
                                                show_default=False)
        ], default)
    for name, field in fields.items():
        if name not in places and name != "reason" and not _stands_for(name, places):
            yield _flag(operation, name, field)


def _metavar(name: str) -> str:
    """`claim_key` -> `CLAIM`."""
    return name.removesuffix("_key").replace("_", "-").upper()


def _stands_for(name: str, arguments: tuple[str, ...]) -> bool:
    """True for `target_entity_id` beside the argument `target_entity`, which takes ids too."""
    stem = name.split("_")[0]
    return name.endswith(("_id", "_ids")) and any(one.startswith(stem) for one in arguments)


def _flag(operation: Operation, name: str, field: FieldInfo) -> inspect.Parameter:
    noun = operation.words[1]
    flag = "type" if name == f"{noun}_type" else name.replace("_", "-")
    kind, default = _type(field), None if field.is_required() else field.default
    flags = [f"--{flag}", *(["--value"] if name == "new_value" else [])]
    if field.is_required() and not (name == "attribute_id" and takes_words(operation)):
        return _option(name, Annotated[kind, typer.Option(f"--{flag}", help=_help(field))],
                       inspect.Parameter.empty)
    # Left out means left out of the payload, so that the operation's own default holds.
    annotation = bool if kind is bool else kind | None
    least, most = _bounds(field)
    return _option(
        name,
        Annotated[annotation, typer.Option(*flags, help=_help(field, default),
                                           show_default=False, min=least, max=most)],
        False if kind is bool else None,
    )


def _type(field: FieldInfo) -> Any:
    """The field's type without `None`."""
    kind = field.annotation
    if get_origin(kind) in (Union, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return list[str] if get_origin(kind) is list else kind


def _bounds(field: FieldInfo) -> tuple[float, float] | tuple[None, None]:
    """The limits of a share: a payload's is clamped, what a person types is refused instead."""
    is_share = any(isinstance(rule, BeforeValidator) and rule.func is clamped
                   for rule in field.metadata)
    return (0.0, 1.0) if is_share else (None, None)


def _help(field: FieldInfo, default: object = None) -> str:
    text = field.description or ""
    return f"{text} [{default}]" if isinstance(default, str) and default else text
