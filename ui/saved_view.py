"""What was looked at in a graph, kept when it is closed and shown again when it is opened."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct
from msgspec.structs import asdict, astuple, fields

from core.model.claims_and_assertions import Slot
from core.queries.claims import versions
from core.queries.entities import entities_by_id
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from ui.graph_session import Session
from ui.panels.entities import Entities
from ui.preferences import Preferences

if TYPE_CHECKING:
    from ui.constellation.sky_loader import Sky


class LastLook(Struct, frozen=True):
    """Of one agent's memory in one file.

    Attributes:
        slot: the claim whose history was looked at, as the fields of a `Slot`; empty for none.
        camera: where the sky was looked at: x, y and pixels per world unit; empty for all of it.
    """

    entity_id: str = ""
    slot: tuple[str | None, ...] = ()
    search: str = ""
    types: tuple[str, ...] = ()
    archived_listed: bool = False
    archived_in_sky: bool = False
    camera: tuple[float, ...] = ()

    @classmethod
    def of(cls, session: Session, sky: "Sky | None", entities: object) -> Self:
        """What is looked at now."""
        seen: dict[str, Any] = {}
        if isinstance(entities, Entities):
            seen |= {"types": entities.chips.keys, "archived_listed": entities.archived.isChecked()}
        if sky is not None:
            seen |= {"archived_in_sky": sky.shows_archived, "camera": sky.place}
        selection = session.selection
        slot = astuple(selection.slot) if selection.slot is not None else ()
        return cls(selection.entity_id, slot, selection.search, **seen)

    def keep(self, preferences: Preferences, workspace: Workspace) -> None:
        preferences.set_last_look(workspace.path, workspace.agent, asdict(self))

    @classmethod
    def kept(cls, preferences: Preferences, workspace: Workspace) -> Self:
        """What was kept for this agent; nothing looked at where that can't be read."""
        saved = preferences.last_look(workspace.path, workspace.agent)
        try:
            return cls(**{field.name: _of_kind(saved[field.name], field.default)
                          for field in fields(cls)})
        except (KeyError, TypeError, ValueError):
            return cls()

    def show(self, session: Session, sky: "Sky | None", entities: object) -> None:
        """Look at it again; what is gone from the graph meanwhile is left out.

        Not the search: the field has it from the beginning, and a person may have typed since.
        """
        if isinstance(entities, Entities):
            entities.narrow(self.types, archived=self.archived_listed)
        if sky is not None:
            sky.show_archived(self.archived_in_sky)
            sky.painted.connect(lambda: sky.look_at(self.camera))
        if self.entity_id:
            session.runner.read(self._still_there, partial(self._select, session, sky))

    def _still_there(self, reader: Reader) -> tuple[bool, Slot | None]:
        """Whether the entity is in the graph, and the claim if it has versions there."""
        slot = None
        with suppress(TypeError):
            slot = Slot(*self.slot)  # type: ignore[arg-type]
        return (self.entity_id in entities_by_id(reader, [self.entity_id]),
                slot if slot is not None and versions(reader, slot) else None)

    def _select(self, session: Session, sky: "Sky | None", there: tuple[bool, Slot | None]) -> None:
        entity, slot = there
        if not entity or session.selection.entity_id:
            return
        session.selection.select_entity(self.entity_id)
        if slot is not None and slot.entity_id == self.entity_id:
            session.selection.select_slot(slot, slot.attribute_id or "", step=False)
        if sky is not None:
            sky.look_at(self.camera)


def _of_kind(value: object, default: object) -> Any:
    """The value as a tuple where one belongs; TypeError for another kind than the default's."""
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(value)
    if type(value) is not type(default):
        raise TypeError(f"{value!r} is no {type(default).__name__}")
    return value
