"""The inspector's tree: sections, and the aspects, claims, links and memories in them."""

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct, field
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.model.claims_and_assertions import Aspect, Assertion, Claim, Value, key_of_group
from core.model.link import Link
from core.model.memory import Memory
from core.model.names import spoken
from core.model.text_formatting import one_line, unturned
from core.model.vocabulary import HELD
from ui.models.inspector_facts import (
    CONSTRAINTS,
    FIRST_ROWS,
    MORE_MEMORIES,
    MORE_SAID,
    Inspection,
    memory_byline,
    origin,
    review_words,
    shine,
    voice_byline,
    voices_words,
)
from ui.widgets.load_more import more_words

Kind = Literal["section", "words", "constraint", "aspect", "group", "claim", "link", "memory",
               "voice", "fact", "more"]
Index = QModelIndex | QPersistentModelIndex

NodeRole = Qt.ItemDataRole.UserRole
LINKS = "links"
"""The key of the section of links, of which no more are read than are shown."""
VOICES = "voices"
"""The key of the section of assertions."""
GONE = "a deleted entity"
NOTHING = "Nothing else is known yet. Use the menu above to set a claim or add a link."


class Node(Struct, eq=False):
    """One row of the tree.

    `key` stays the same between reads; `thing` is the object of the row.
    """

    kind: Kind
    key: str
    text: str
    label: str = ""
    thing: Aspect | Claim | Value | Link | Memory | Assertion | None = None
    value: Value | None = None
    pending: int = 0
    versions: int = 1
    voices: str = ""
    """How many voices agree and disagree with it."""
    review: str = ""
    """When it is to be confirmed."""
    due: bool = False
    """True if that day has come."""
    held: str = ""
    """That no agent is told it before a person has seen it."""
    weight: float = 0.0
    line: tuple[float, ...] = ()
    """How the weight came to be what it is, each 0 to 1."""
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    row: int = 0
    number: int = 0

    def add(self, child: "Node") -> "Node":
        child.parent, child.row = self, len(self.children)
        self.children.append(child)
        return child

    @property
    def gone(self) -> bool:
        """True if it is archived."""
        status = getattr(self.value or self.thing, "status", "active")
        return status != "active"

    @property
    def depth(self) -> int:
        """Indentation level: 0 for sections and their direct rows."""
        above, parent = -1, self.parent
        while parent is not None:
            above, parent = above + 1, parent.parent
        return max(0, above - 1)


def build(inspection: Inspection, shown: dict[str, int]) -> Node:
    """The tree of an inspection; `shown` says how many rows of a parent to show, by its key."""
    root = Node("section", "", "")
    entity = inspection.entity
    if entity is None:
        return root
    if entity.description.strip():
        root.add(Node("words", "description", entity.description))
    if entity.aliases:
        names = ", ".join(one_line(alias, 60) for alias in entity.aliases[:20])
        root.add(Node("words", "aliases", f"also called {names}"))
    _fill(root.add(Node("section", CONSTRAINTS, "Constraints")), shown,
          inspection.constraints, _constraint, total=inspection.constraint_total)
    _fill(root.add(Node("section", "aspects", "Aspects")), shown, inspection.aspects,
          lambda aspect: _aspect(aspect, shown, inspection.weights.get(aspect.id, ())))
    _fill(root.add(Node("section", LINKS, "Links")), shown, inspection.links, _link,
          total=inspection.link_total)
    _add_voices(root, inspection)
    _add_memories(root, inspection)
    _mark(root, inspection)
    if not any(node.children for node in root.children):
        root.add(Node("words", "nothing", NOTHING))
    lights = root.add(Node("section", "shine", "In the sky and in sessions"))
    for at, (what, words) in enumerate(shine(inspection)):
        lights.add(Node("fact", f"shine/{at}", words, what))
    facts = root.add(Node("section", "provenance", "Provenance"))
    for what, words in origin(entity):
        facts.add(Node("fact", f"fact/{what}", words, what))
    root.children = [node for node in root.children if node.kind != "section" or node.children]
    for row, node in enumerate(root.children):
        node.row = row
    return root


def _fill(
    parent: Node, shown: dict[str, int], things: tuple, make: Callable[..., Node],
    total: int = 0,
) -> Node:
    """Add a row for each thing, and a last row that offers the rest.

    Args:
        total: how many things there are, where not all were read.
    """
    limit = shown.get(parent.key, FIRST_ROWS)
    for thing in things[:limit]:
        parent.add(make(thing))
    rest = max(total, len(things)) - limit
    if rest > 0:
        parent.add(Node("more", f"more/{parent.key}", more_words(FIRST_ROWS, rest),
                        parent.key))
    return parent


def _add_memories(root: Node, inspection: Inspection) -> None:
    section = root.add(Node("section", "memories", "Memories"))
    for memory in inspection.memories:
        byline = " · ".join(filter(None, (
            inspection.outdated.get(memory.id, ""), memory_byline(memory))))
        section.add(Node("memory", memory.id, memory.content, byline, memory))
    rest = inspection.memory_total - len(inspection.memories)
    if rest > 0:
        section.add(Node("more", "more/memories", more_words(MORE_MEMORIES, rest),
                         "memories"))


def _add_voices(root: Node, inspection: Inspection) -> None:
    section = root.add(Node("section", VOICES, "Said about it"))
    for voice in inspection.said:
        section.add(Node("voice", voice.id, voice.content, voice_byline(voice), voice))
    rest = inspection.said_total - len(inspection.said)
    if rest > 0:
        section.add(Node("more", f"more/{VOICES}", more_words(MORE_SAID, rest),
                         VOICES))


def _mark(node: Node, inspection: Inspection) -> None:
    """Put to each value which voices speak of it, and when it is to be confirmed; and what waits
    until a person has seen it.
    """
    if node.value.held if node.value is not None else node.key in inspection.held:
        node.held = HELD
    if node.value is not None:
        node.voices = voices_words(*inspection.voices.get(node.value.id, (0, 0)))
        when = inspection.reviews.get(node.value.id, "")
        node.review, node.due = review_words(when) if when else ("", False)
    for child in node.children:
        _mark(child, inspection)


def _constraint(claim: Claim) -> Node:
    value = claim.values[0]
    return Node("constraint", f"always/{value.id}", value.content, "", claim, value,
                claim.pending, claim.versions)


def _aspect(aspect: Aspect, shown: dict[str, int], line: tuple[float, ...]) -> Node:
    claims = [claim for group in aspect.groups for claim in group.claims]
    node = Node("aspect", aspect.id, aspect.name, "", aspect, weight=aspect.weight, line=line,
                pending=sum(claim.pending for claim in claims))
    for group in aspect.groups:
        # Constraints stand in a section of their own.
        lines = tuple((claim, value) for claim in group.claims if claim.kind != "constraint"
                      for value in claim.values)
        parent = node
        if lines and group.key != "general":
            parent = node.add(Node("group", key_of_group(aspect.id, group.key), spoken(group.key)))
        _fill(parent, shown, lines, _claim, total=group.attributes)
    return node


def _claim(line: tuple[Claim, Value]) -> Node:
    claim, value = line
    first = value is claim.values[0]
    label = spoken(claim.claim_key) if claim.claim_key else ""
    return Node("claim", value.id, value.content, label, claim, value,
                claim.pending if first else 0, claim.versions if first else 1)


def _link(link: Link) -> Node:
    return Node("link", link.id, link.other_name or GONE, link.words, link,
                weight=link.strength)


READABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
EDITABLE = READABLE | Qt.ItemFlag.ItemIsEditable


class InspectorTree(QAbstractItemModel):
    """The nodes as a Qt tree."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.root = Node("section", "", "")
        self._nodes: list[Node] = []

    def set_root(self, root: Node) -> None:
        """Show another tree."""
        self.beginResetModel()
        self.root = root
        # Qt is given numbers: a pointer to a node that is gone would crash an old index.
        self._nodes = list(self.walk())
        for number, node in enumerate(self._nodes):
            node.number = number
        self.endResetModel()

    def node(self, index: Index) -> Node | None:
        number = index.internalId() if index.isValid() else len(self._nodes)
        return self._nodes[number] if number < len(self._nodes) else None

    def index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, 0, node.number)

    def find(self, key: str) -> Node | None:
        """The row with that key; None if there is none such now."""
        return next((node for node in self.walk() if node.key == key), None) if key else None

    def walk(self) -> Iterator[Node]:
        """All rows, from top to bottom."""
        waiting = list(reversed(self.root.children))
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        above = self.node(parent) or self.root
        if column or not 0 <= row < len(above.children):
            return QModelIndex()
        return self.createIndex(row, 0, above.children[row].number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        node = self.node(index)
        above = node.parent if node is not None else None
        if above is None or above is self.root:
            return QModelIndex()
        return self.createIndex(above.row, 0, above.number)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len((self.node(parent) or self.root).children)

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self.node(index)
        if node is None:
            return None
        if role == NodeRole:
            return node
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return unturned(spoken_node(node))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self.node(index)
        if node is None:
            return Qt.ItemFlag.NoItemFlags
        return EDITABLE if can_edit(node) else READABLE


def can_edit(node: Node) -> bool:
    """True for a value that may be given other words in place."""
    return node.kind in ("claim", "constraint") and node.value is not None and not node.gone


def spoken_node(node: Node) -> str:
    """A row for a screen reader."""
    words = one_line(node.text)
    if node.kind == "constraint":
        words = f"constraint: {words}"
    elif node.kind == "link":
        link = node.thing
        assert isinstance(link, Link)
        words = f"{'to' if link.direction == 'out' else 'from'} {words}, {node.label}, " \
                f"strength {node.weight:.2f}"
    elif node.kind == "aspect":
        words = f"{words}, weight {node.weight:.2f}"
    elif node.label and node.kind != "more":
        words = f"{one_line(node.label)}: {words}"
    if node.versions > 1:
        words += f", version {node.value.version if node.value is not None else node.versions}"
    if node.pending:
        words += f", {node.pending} pending"
    words += "".join(f", {part}" for part in (node.voices, node.review, node.held) if part)
    return words + (", archived" if node.gone else "")
