"""Operations on tasks: open, update. Entities grow, tasks close (seed 002)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from core.errors import OperationError
from core.model.names import canonical
from core.model.times import day_words, parse_time
from core.model.vocabulary import FINISHED_TASKS, TASK_STATUSES
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.payload_base import OperationInfo, Payload, Result, Text, called
from core.ontology.resolve_or_create import resolve_entity
from core.ontology.row_reference_fields import EntityName
from core.queries.find_by_name_or_id import find_entity
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, stamp

TASK = "task"


def _moment(value: str) -> str:
    moment = parse_time(value)
    if moment is None:
        raise ValueError("must be a time, such as 2026-03-14 or 2026-03-14T21:40:00Z")
    return stamp(moment)


def _word(value: object) -> object:
    return canonical(value).replace(" ", "_") if isinstance(value, str) else value


Moment = Annotated[Text, AfterValidator(_moment)]
Status = Annotated[Literal["open", "in_progress", "blocked", "done", "cancelled"],
                   BeforeValidator(_word), Field(json_schema_extra={"enum": list(TASK_STATUSES)})]


class OpenTask(Payload):
    """What `open_task` takes."""

    info = OperationInfo(
        line="Open", past={"Open": "Opened"}, effect="appear", makes=True, entity=("name",),
    )

    name: EntityName = Field(validation_alias=called("name", "task", "entity", "entity_id"),
                       description="The task, by name or id")
    expires_at: Moment | None = Field(None, description="When it expires")

    def sentence(self, reader: Reader) -> str:
        until = f" until {day_words(self.expires_at)}" if self.expires_at else ""
        return f"Open the task {wording.named(reader, self.name)}{until}."


def open_task(writer: Writer, fields: OpenTask, provenance: Provenance) -> Result:
    """Open a task: it is archived some time after it is done.

    A closed one is opened again. An entity of another type is refused (409), because it would
    be released with the task.
    """
    entity_id, name = resolve_entity(writer, fields.name, provenance, TASK)
    if writer.value("SELECT entity_type FROM entities WHERE id = :id AND agent_id = :agent",
                    id=entity_id) != TASK:
        raise OperationError(409, f"“{name}” is an entity of another type", field="name",
                             do="Choose another name for the task")
    _put(writer, entity_id, "open", fields.expires_at)
    writer.update("entities", entity_id, updated_at=writer.now(), **provenance.stamp())
    return {"entityId": entity_id, "entity": name, "status": "open"}


class UpdateTask(Payload):
    """What `update_task` takes."""

    info = OperationInfo(line="Update", past={"Update": "Updated"})

    entity: EntityName = Field(validation_alias=called("entity", "entity_id", "task", "name"),
                         description="The task's name or id")
    status: Status | None = Field(None, description="Its status")
    expires_at: Moment | None = Field(None, description="When it expires")

    @model_validator(mode="after")
    def _says_something(self) -> "UpdateTask":
        if self.status is None and self.expires_at is None:
            raise ValueError("status or expires_at is required")
        return self

    def sentence(self, reader: Reader) -> str:
        parts = [f"is {self.status.replace('_', ' ')}" if self.status else "",
                 f"expires on {day_words(self.expires_at)}" if self.expires_at else ""]
        name = wording.quoted(self.subject(reader))
        return f"The task {name} {' and '.join(part for part in parts if part)}."


def update_task(writer: Writer, fields: UpdateTask, provenance: Provenance) -> Result:
    """Change a task's status or expiry date.

    A task that is done or cancelled stays available for a while and is then archived.
    """
    row = find_entity(writer, fields.entity, field="entity")
    old = _row(writer, row["id"])
    if old is None and row["entity_type"] != TASK:
        raise OperationError(409, f"“{row['name']}” is not a task", field="entity")
    status = fields.status or (old["status"] if old else "open")
    _put(writer, row["id"], status, fields.expires_at)
    writer.update("entities", row["id"], updated_at=writer.now(), **provenance.stamp())
    return {"entityId": row["id"], "status": status}


def _row(writer: Writer, entity_id: str) -> Row | None:
    return writer.row(
        "SELECT status, expires_at, completed_at FROM task_meta"
        " WHERE entity_id = :id AND agent_id = :agent", id=entity_id)


def _put(writer: Writer, entity_id: str, status: str, expires_at: str | None) -> None:
    """Write the state of a task; a closed one remembers since when, an open one does not."""
    old, now = _row(writer, entity_id), writer.now()
    ended = status in FINISHED_TASKS
    since = old["completed_at"] if old and old["status"] in FINISHED_TASKS else None
    values = {"status": status, "completed_at": (since or now) if ended else None,
              "retention_until": None, "updated_at": now}
    if expires_at is not None:
        values["expires_at"] = expires_at
    elif not ended and old is not None and old["status"] in FINISHED_TASKS:
        # The date of a task that is taken up again is past.
        values["expires_at"] = None
    if old is None:
        writer.insert("task_meta", entity_id=entity_id, agent_id=writer.agent, **values)
    else:
        writer.update("task_meta", entity_id, **values)
