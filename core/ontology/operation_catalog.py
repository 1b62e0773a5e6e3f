"""The list of operations. Undo, dry run, review card, form, command line, HTTP, MCP and the
contract tests all follow from it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, to_builtins

from core.errors import OperationError
from core.model.did_you_mean import choices
from core.ontology import (
    alias_operations,
    archive_and_promote_assertions,
    aspects,
    claim_moves_and_sources,
    claims,
    disputes,
    entities,
    forget_and_link_memories,
    legacy_relations,
    links,
    merges,
    pins_and_mutes,
    policies_and_interfaces,
    splits,
    tasks,
    weights_and_review_dates,
    wording,
)
from core.ontology import (
    claim_versions as versions,
)
from core.ontology import (
    create_and_supersede_assertions as assertions,
)
from core.ontology.change_provenance import UNKNOWN, Provenance
from core.ontology.payload_base import OperationInfo, Payload, Result
from core.store.reader_and_writer import Writer

UNCHANGED = "unchanged"
"""In a result: all was as it was asked for, and no row was touched."""


_SINGULAR = {"entities": "entity", "aspects": "aspect", "relations": "relation"}


class Operation(Struct, frozen=True):
    """One way to change the graph.

    Attributes:
        run: the function that does it, on a Writer inside an open transaction.
        fields: what it takes, with aliases and limits.
        destructive: it removes something (undo restores it): shown in the warning colour,
            and an agent may only propose it.
        steers: it says what the agent is told, or first: an agent may only propose it, too.
        changes: columns that only record the why of other operations, and are what this changes.
    """

    run: Callable[[Writer, Any, Provenance], Result]
    fields: type[Payload]
    destructive: bool = False
    steers: bool = False
    changes: frozenset[str] = frozenset()

    @property
    def of_a_person(self) -> bool:
        """True if a person decides about it, and an agent proposes it."""
        return self.destructive or self.steers

    @property
    def name(self) -> str:
        """`set_claim_value`."""
        return self.run.__name__

    @property
    def words(self) -> tuple[str, str]:
        """Its verb and its noun: `set_claim_value` -> ("set", "claim")."""
        verb, noun, *_ = self.name.split("_")
        return verb, _SINGULAR.get(noun, noun)

    @property
    def label(self) -> str:
        """`Set claim value`."""
        return self.name.replace("_", " ").capitalize()

    @property
    def summary(self) -> str:
        """The help text: the first line of its function's docstring."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @property
    def info(self) -> OperationInfo:
        """Metadata for lists, the sky, the command line and the window."""
        return self.fields.info

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its payload."""
        return {**self.fields.model_json_schema(), "title": self.name, "description": self.summary}


CATALOG: Mapping[str, Operation] = MappingProxyType({operation.name: operation for operation in (
    Operation(entities.create_entity, entities.CreateEntity),
    Operation(entities.rename_entity, entities.RenameEntity),
    Operation(entities.archive_entity, entities.ArchiveEntity, destructive=True),
    Operation(entities.restore_entity, entities.RestoreEntity),
    Operation(merges.merge_entities, merges.MergeEntities, destructive=True),
    Operation(splits.split_entity, splits.SplitEntity),
    Operation(policies_and_interfaces.create_policy, policies_and_interfaces.CreatePolicy,
              steers=True),
    Operation(policies_and_interfaces.create_action_type, policies_and_interfaces.CreateActionType),
    Operation(policies_and_interfaces.create_interface, policies_and_interfaces.CreateInterface),
    Operation(policies_and_interfaces.attach_interface, policies_and_interfaces.AttachInterface),
    Operation(alias_operations.create_alias, alias_operations.CreateAlias),
    Operation(alias_operations.archive_alias, alias_operations.ArchiveAlias, destructive=True),
    Operation(pins_and_mutes.pin_entity, pins_and_mutes.PinEntity, steers=True),
    Operation(pins_and_mutes.unpin_entity, pins_and_mutes.UnpinEntity, steers=True),
    Operation(pins_and_mutes.mute_entity, pins_and_mutes.MuteEntity, steers=True),
    Operation(pins_and_mutes.unmute_entity, pins_and_mutes.UnmuteEntity, steers=True),
    Operation(aspects.create_aspect, aspects.CreateAspect),
    Operation(aspects.rename_aspect, aspects.RenameAspect),
    Operation(aspects.weigh_aspect, aspects.WeighAspect, steers=True),
    Operation(aspects.archive_aspect, aspects.ArchiveAspect, destructive=True),
    Operation(aspects.restore_aspect, aspects.RestoreAspect),
    Operation(aspects.merge_aspects, aspects.MergeAspects, destructive=True),
    Operation(claims.add_claim_value, claims.AddClaimValue),
    Operation(claims.set_claim_value, claims.SetClaimValue),
    Operation(versions.supersede_claim_value, versions.SupersedeClaimValue, destructive=True),
    Operation(versions.archive_claim_value, versions.ArchiveClaimValue, destructive=True),
    Operation(versions.restore_claim_version, versions.RestoreClaimVersion),
    Operation(claim_moves_and_sources.move_claim, claim_moves_and_sources.MoveClaim),
    Operation(claim_moves_and_sources.detach_source, claim_moves_and_sources.DetachSource,
              destructive=True,
              changes=frozenset({"proposal_evidence", *UNKNOWN.columns()})),
    Operation(weights_and_review_dates.weigh_claim, weights_and_review_dates.WeighClaim,
              steers=True),
    Operation(weights_and_review_dates.set_review_date, weights_and_review_dates.SetReviewDate),
    Operation(links.create_link, links.CreateLink),
    Operation(links.update_link, links.UpdateLink),
    Operation(links.archive_link, links.ArchiveLink, destructive=True),
    Operation(links.restore_link, links.RestoreLink),
    Operation(legacy_relations.adopt_relations, legacy_relations.AdoptRelations),
    Operation(tasks.open_task, tasks.OpenTask),
    Operation(tasks.update_task, tasks.UpdateTask),
    Operation(assertions.create_assertion, assertions.CreateAssertion),
    Operation(assertions.link_assertion, assertions.LinkAssertion),
    Operation(assertions.supersede_assertion, assertions.SupersedeAssertion),
    Operation(archive_and_promote_assertions.archive_assertion,
              archive_and_promote_assertions.ArchiveAssertion,
              destructive=True),
    Operation(archive_and_promote_assertions.restore_assertion,
              archive_and_promote_assertions.RestoreAssertion),
    Operation(archive_and_promote_assertions.promote_assertion,
              archive_and_promote_assertions.PromoteAssertion),
    Operation(forget_and_link_memories.link_memory, forget_and_link_memories.LinkMemory),
    Operation(weights_and_review_dates.weigh_assertion, weights_and_review_dates.WeighAssertion),
    Operation(forget_and_link_memories.forget_memory, forget_and_link_memories.ForgetMemory,
              destructive=True),
)})


_OF_SIGNET = {"create_entity_alias": "create_alias", "archive_entity_alias": "archive_alias"}
"""What Signet calls operations that have another name here."""


def find_operation(name: str) -> Operation:
    """The operation called `name`, as here or in Signet; 400 if there is none."""
    name = _OF_SIGNET.get(name, name)
    if name not in CATALOG:
        raise OperationError(
            400, f"Unsupported operation: {wording.short(name)}", field="operation",
            do=choices(name, CATALOG),
        )
    return CATALOG[name]


def operation_of(verb: str, noun: str) -> Operation:
    """The operation of these words: `archive`, `claim`."""
    return next(operation for operation in CATALOG.values() if operation.words == (verb, noun))


def perform(
    writer: Writer, operation: str, payload: Mapping[str, object], provenance: Provenance
) -> Result:
    """Check a payload and run the operation; does not record it.

    If nothing needs to change, no row is touched, not even its time of change, and the result
    is `unchanged`.
    """
    known = find_operation(operation)
    fields = known.fields.read(payload)
    before = writer.journal.position()
    try:
        with writer.savepoint():
            result = known.run(writer, fields, provenance)
            result = {**result, **_disputes(writer, result)}
            if not writer.journal.differs_since(before, provenance.marks - known.changes):
                raise _AlreadySo(result)
    except _AlreadySo as same:
        return {**same.result, UNCHANGED: True}
    return result


def _disputes(writer: Writer, result: Result) -> Result:
    """What a value that the operation has brought seems to take back, and who is to decide."""
    ids = {str(result[key]) for key in ("attributeId", "replacementAttributeId") if result.get(key)}
    asked = disputes.check(writer, ids, newest=True)
    return {"disputes": [to_builtins(one) for one in asked]} if asked else {}


class _AlreadySo(Exception):  # noqa: N818 - no error: it takes the savepoint back
    def __init__(self, result: Result) -> None:
        self.result = result
