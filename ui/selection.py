"""The one selection that list, tree, sky and history share."""

from collections.abc import Collection

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from core.model.claims_and_assertions import Slot
from core.model.entity import EntityRow
from core.traversal.focal_signals import Signals

KEPT_STEPS = 200


class Location(Struct, frozen=True):
    """Where the person was: the entity and, if one was open, the claim slot."""

    entity_id: str
    slot: Slot | None


class Selection(QObject):
    """What is selected, and the way back to what was.

    Its attributes are for reading; only its methods set them. Ids are empty strings when nothing
    is selected. A signal is sent only when the value differs.
    Selecting an entity clears the slot; selecting a slot also selects its entity.
    """

    entity_changed = Signal(str)
    entity_loaded = Signal(object)
    slot_changed = Signal(object)
    slot_chosen = Signal(object)
    """A claim was gone to, also if it is the one that is selected; not by Back and Forward."""
    attribute_changed = Signal(str)
    proposal_changed = Signal(str)
    memory_changed = Signal(str)
    hovered = Signal(str)
    search_changed = Signal(str)
    search_found = Signal(object)
    """The ids of all that the search finds, once they are read; None where nothing is searched."""
    types_changed = Signal(tuple)
    """Another choice of entity types; none means all."""
    question_chosen = Signal(object)
    """A question is to be asked again, as its `Signals`."""
    second_changed = Signal()
    """Another entity was marked beside the selected one, or none is any more."""
    history_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entity_id = ""
        self.entity: EntityRow | None = None
        """The selected entity as a row; None until it is read, and when the file has none such."""
        self.second: EntityRow | None = None
        """An entity that was marked beside the selected one, to do something with both."""
        self.slot: Slot | None = None
        self.attribute_id = ""
        """The value within the slot that was chosen; what `slot_of` starts from."""
        self.proposal_id = self.memory_id = self.hover_id = ""
        self.search = ""
        """The text in the search field of the top bar."""
        self.found: Collection[str] | None = None
        """The ids of all that it finds."""
        self.types: tuple[str, ...] = ()
        """The types that list and sky are narrowed to."""
        self._back: list[Location] = []
        self._forward: list[Location] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def select_entity(self, entity_id: str) -> None:
        if entity_id != self.entity_id:
            self._remember()
            self._go(Location(entity_id, None))

    def mark_second(self, row: EntityRow | None) -> None:
        """Mark an entity beside the selected one; the same again, or None, takes the mark away."""
        if row is not None and (row.id == self.entity_id or not self.entity_id):
            return
        marked = None if row is None or (self.second and self.second.id == row.id) else row
        if marked != self.second:
            self.second = marked
            self.second_changed.emit()

    def load_entity(self, row: EntityRow | None) -> None:
        """What the graph knows of the selected entity now; told by the session."""
        if row != self.entity:
            self.entity = row
            self.entity_loaded.emit(row)

    def select_slot(self, slot: Slot, attribute_id: str = "", *, step: bool = True) -> None:
        """Select a claim slot, by one of its values for rows without a claim key.

        Args:
            step: False where it belongs to the selection of its entity, which is one step back.
        """
        if slot != self.slot or attribute_id != self.attribute_id:
            if step:
                self._remember()
            self._go(Location(slot.entity_id, slot), attribute_id)
        self.slot_chosen.emit(slot)

    def select_proposal(self, proposal_id: str) -> None:
        if proposal_id != self.proposal_id:
            self.proposal_id = proposal_id
            self.proposal_changed.emit(proposal_id)

    def select_memory(self, memory_id: str) -> None:
        if memory_id != self.memory_id:
            self.memory_id = memory_id
            self.memory_changed.emit(memory_id)

    def ask_again(self, given: Signals) -> None:
        """Have the question with these signals asked again."""
        self.question_chosen.emit(given)

    def hover_entity(self, entity_id: str) -> None:
        if entity_id != self.hover_id:
            self.hover_id = entity_id
            self.hovered.emit(entity_id)

    def search_for(self, text: str) -> None:
        if text != self.search:
            self.search = text
            self.search_changed.emit(text)

    def show_found(self, ids: Collection[str] | None) -> None:
        """What the search finds, as the list has read it."""
        if ids is not self.found:
            self.found = ids
            self.search_found.emit(ids)

    def filter_types(self, types: tuple[str, ...]) -> None:
        if set(types) != set(self.types):
            self.types = types
            self.types_changed.emit(types)

    @property
    def narrows(self) -> bool:
        """Whether list and sky are narrowed, by a search or to types."""
        return bool(self.search.strip() or self.types)

    def clear_filter(self) -> None:
        """Show everything again in list and sky."""
        self.search_for("")
        self.filter_types(())

    def toggle_type(self, entity_type: str) -> None:
        """Add a type to those chosen, or take it away."""
        others = tuple(word for word in self.types if word != entity_type)
        self.filter_types(others if entity_type in self.types else (*others, entity_type))

    def go_back(self) -> None:
        if self._back:
            self._forward.append(self._location())
            self._go(self._back.pop())
            self.history_changed.emit()

    def go_forward(self) -> None:
        if self._forward:
            self._back.append(self._location())
            self._go(self._forward.pop())
            self.history_changed.emit()

    def clear(self) -> None:
        """Select nothing and forget the way back: another file or agent is shown."""
        self._back.clear()
        self._forward.clear()
        self.hover_entity("")
        self.filter_types(())
        self.select_memory("")
        self.select_proposal("")
        self._go(Location("", None))
        self.history_changed.emit()

    def _location(self) -> Location:
        return Location(self.entity_id, self.slot)

    def _remember(self) -> None:
        if self.entity_id:
            self._back = [*self._back[-KEPT_STEPS:], self._location()]
        self._forward.clear()
        self.history_changed.emit()

    def _go(self, location: Location, attribute_id: str = "") -> None:
        entity_differs = location.entity_id != self.entity_id
        slot_differs = location.slot != self.slot
        attribute_differs = attribute_id != self.attribute_id
        self.entity_id, self.slot = location.entity_id, location.slot
        self.attribute_id = attribute_id
        if entity_differs:
            self.entity = None
            self.mark_second(None)
            self.entity_changed.emit(location.entity_id)
        if slot_differs:
            self.slot_changed.emit(location.slot)
        if attribute_differs:
            self.attribute_changed.emit(attribute_id)
