"""What was looked at in a graph, kept when it is closed and shown again when it is opened."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from core.queries.entities import entities_by_id
from ui.constellation.sky_loader import Sky
from ui.graph_session import Session
from ui.panels.entities import Entities
from ui.preferences import Preferences


@dataclass(frozen=True, slots=True)
class LastLook:
    """Of one agent's memory in one file.

    Attributes:
        camera: where the sky was looked at: x, y and pixels per world unit; empty for all of it.
    """

    agent: str = ""
    entity_id: str = ""
    search: str = ""
    types: tuple[str, ...] = ()
    archived_listed: bool = False
    archived_in_sky: bool = False
    camera: tuple[float, ...] = ()

    @classmethod
    def of(cls, session: Session, sky: object, entities: object) -> Self:
        """What is looked at now."""
        seen: dict[str, Any] = {}
        if isinstance(entities, Entities):
            seen |= {"types": entities.chips.keys, "archived_listed": entities.archived.isChecked()}
        if isinstance(sky, Sky):
            seen |= {"archived_in_sky": sky.shows_archived, "camera": sky.place}
        selection = session.selection
        return cls(session.workspace.agent, selection.entity_id, selection.search, **seen)

    def keep(self, preferences: Preferences, path: Path) -> None:
        preferences.set_last_look(path, asdict(self))

    @classmethod
    def kept(cls, preferences: Preferences, path: Path, agent: str) -> Self:
        """What was kept for this agent; nothing looked at where that can't be read."""
        saved = preferences.last_look(path)
        if saved.get("agent") != agent:
            return cls(agent)
        try:
            return cls(**{field.name: _of_kind(saved[field.name], field.default)
                          for field in fields(cls)})
        except (KeyError, TypeError, ValueError):
            return cls(agent)

    def show(self, session: Session, sky: object, entities: object) -> None:
        """Look at it again; what is gone from the graph meanwhile is left out."""
        if isinstance(entities, Entities):
            entities.narrow(self.types, archived=self.archived_listed)
        session.selection.search_for(self.search)
        if isinstance(sky, Sky):
            sky.show_archived(self.archived_in_sky)
            sky.painted.connect(lambda: sky.look_at(self.camera))
        if self.entity_id:
            session.runner.read(lambda reader: self.entity_id in entities_by_id(
                reader, [self.entity_id]), lambda there: self._select(there, session, sky))

    def _select(self, there: bool, session: Session, sky: object) -> None:
        if there and not session.selection.entity_id:
            session.selection.select_entity(self.entity_id)
            if isinstance(sky, Sky):
                sky.look_at(self.camera)


def _of_kind(value: object, default: object) -> Any:
    """The value as a tuple where one belongs; TypeError for another kind than the default's."""
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(value)
    if type(value) is not type(default):
        raise TypeError(f"{value!r} is no {type(default).__name__}")
    return value
