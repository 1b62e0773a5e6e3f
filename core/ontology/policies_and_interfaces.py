"""Operations that name what agents may do: policies, action types, interfaces."""

from pydantic import Field

from core.errors import OperationError
from core.model.names import spoken
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.claims import AddClaimValue, add_claim_value
from core.ontology.links import CreateLink, create_link
from core.ontology.payload_base import (
    ENTITY,
    Key,
    OperationInfo,
    Payload,
    Result,
    Share,
    Text,
    called,
)
from core.ontology.resolve_or_create import resolve_entity
from core.ontology.row_reference_fields import EntityName
from core.store.reader_and_writer import Reader, Writer

POLICY = "policy"
"""The aspect and the group of every policy."""
_UNNAMED = "unknown"


class CreatePolicy(Payload):
    """What `create_policy` takes."""

    info = OperationInfo(
        line="Add policy {content}", past={"Add": "Added"}, effect="appear", makes=True,
        value=("content",), arguments=("entity", "policy_kind", "content"),
    )

    entity: EntityName = Field(validation_alias=ENTITY, description="Whom it binds, by name or id")
    policy_kind: Key = Field(validation_alias=called("policy_kind", "kind"),
                             description="What it is about, such as deploys")
    content: Text = Field(validation_alias=called("content", "policy", "value"),
                          description="What holds")
    confidence: Share = Field(None, description="Confidence, 0 to 1")

    def title(self, reader: Reader) -> str:
        whose = wording.short(self.subject(reader), 30)
        return f"Add policy about {wording.short(spoken(self.policy_kind), 40)} to {whose}"

    def sentence(self, reader: Reader) -> str:
        return (f"Add the policy {wording.quoted(self.content)} about"
                f" {spoken(self.policy_kind)} to {wording.named(reader, self.entity)}: a"
                " constraint on the agent.")


def create_policy(writer: Writer, fields: CreatePolicy, provenance: Provenance) -> Result:
    """Add a policy to an entity: a constraint of its aspect “policy”."""
    result = add_claim_value(writer, AddClaimValue.read({
        "entity": fields.entity, "aspect": POLICY, "group_key": POLICY,
        "claim_key": fields.policy_kind, "kind": "constraint", "value": fields.content,
        "confidence": fields.confidence}), provenance)
    return {**result, "policyKind": fields.policy_kind, "policy": fields.content}


class _OfAType(Payload):
    """An input that names an entity of a type."""

    def subject(self, reader: Reader) -> str:
        return wording.entity_name(reader, getattr(self, "name", ""))


class CreateActionType(_OfAType):
    """What `create_action_type` takes."""

    info = OperationInfo(line="Create action type", past={"Create": "Created"}, effect="appear",
                         makes=True, entity=("name",))

    name: Text = Field(validation_alias=called("name", "action_type"), description="Its name")

    def sentence(self, reader: Reader) -> str:
        return f"Create the action type {wording.quoted(self.name)}."


def create_action_type(
    writer: Writer, fields: CreateActionType, provenance: Provenance
) -> Result:
    """Create an action type: something that agents may do, which policies can name."""
    return _of_type(writer, fields.name, "action", provenance)


class CreateInterface(_OfAType):
    """What `create_interface` takes."""

    info = OperationInfo(line="Create interface", past={"Create": "Created"}, effect="appear",
                         makes=True, entity=("name",))

    name: Text = Field(validation_alias=called("name", "interface"), description="Its name")

    def sentence(self, reader: Reader) -> str:
        return f"Create the interface {wording.quoted(self.name)}."


def create_interface(writer: Writer, fields: CreateInterface, provenance: Provenance) -> Result:
    """Create an interface: what several entities offer in the same way."""
    return _of_type(writer, fields.name, "interface", provenance)


def _of_type(writer: Writer, name: str, entity_type: str, provenance: Provenance) -> Result:
    """The entity of this name and type, made if there is none.

    Signet answers with an entity of any type that is called so, and leaves its type; here one
    without a type gets it, and one of another type is 409.
    """
    entity_id, called_so = resolve_entity(writer, name, provenance, entity_type)
    before = writer.value("SELECT entity_type FROM entities WHERE id = :id AND agent_id = :agent",
                          id=entity_id)
    if before not in (entity_type, _UNNAMED):
        raise OperationError(409, f"“{called_so}” is a {spoken(str(before))}", field="name",
                             do="Choose another name")
    writer.update("entities", entity_id, entity_type=entity_type, updated_at=writer.now(),
                  **provenance.stamp())
    return {"entityId": entity_id, "entity": called_so}


class AttachInterface(Payload):
    """What `attach_interface` takes."""

    info = OperationInfo(
        line="Attach {other}", past={"Attach": "Attached"}, effect="link", makes=True,
        other=("interface",), label="implements",
    )

    entity: EntityName = Field(
        validation_alias=called("entity", "entity_id", "source_entity", "target_entity"),
        description="What implements it, by name or id")
    interface: EntityName = Field(
        validation_alias=called("interface", "interface_name", "target_interface"),
        description="The interface, by name or id")
    reason: Text | None = Field(None, description="The reason")

    def title(self, reader: Reader) -> str:
        name = wording.short(wording.entity_name(reader, self.interface), 30)
        return f"Attach {name} to {wording.short(self.subject(reader), 30)}"

    def sentence(self, reader: Reader) -> str:
        return (f"Link {wording.named(reader, self.entity)} implements"
                f" {wording.named(reader, self.interface)}.")


def attach_interface(writer: Writer, fields: AttachInterface, provenance: Provenance) -> Result:
    """Say that an entity implements an interface, which is made if there is none."""
    return create_link(writer, CreateLink.read({
        "source_entity": fields.entity, "target_entity": fields.interface,
        "link_type": "implements", "target_type": "interface", "reason": fields.reason,
    }), provenance)
