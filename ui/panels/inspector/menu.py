"""What can be done with a row of the inspector, as its context menu."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from core.model.claims_and_assertions import Aspect, Assertion, Claim, Value
from core.model.entity import Entity
from core.model.link import Link
from core.model.memory import Memory
from core.model.text_formatting import one_line
from core.ontology.operation_catalog import operation_of
from ui.actions import assertions
from ui.actions.claims import ASKED, give_key
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.ask_operation import ask_operation
from ui.models.inspector_tree import Node
from ui.theme import icon
from ui.widgets.buttons import on_click

Line = tuple[str, str, Callable[[], object]] | None
"""Words, sign and deed; None for a line between groups."""


class NodeMenu:
    """Builds the menu of a row. `edit` edits a value in place, `show` goes to its history."""

    def __init__(
        self, context: Context, edit: Callable[[Node], object], show: Callable[[Node], object]
    ) -> None:
        self._context, self._edit, self._show = context, edit, show

    def make(self, entity: Entity, node: Node, parent: QWidget) -> QMenu | None:
        """The menu for a row; None if it would be empty."""
        lines = self._lines(entity, node)
        if not any(lines):
            return None
        menu = QMenu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for line in lines:
            if line is None:
                menu.addSeparator()
                continue
            words, sign, deed = line
            action = menu.addAction(icon(self._context.theme, sign), words)
            on_click(action, deed)
        return menu

    def _lines(self, entity: Entity, node: Node) -> list[Line]:
        open_ = entity.status == "active"
        thing = node.thing
        if isinstance(thing, Claim) and node.value is not None:
            return self._for_value(entity, node, thing, node.value, open_)
        if isinstance(thing, Aspect):
            return self._for_aspect(entity, thing, open_)
        if isinstance(thing, Link):
            return self._for_link(entity, thing, open_)
        if isinstance(thing, Memory):
            return [*(self._for_memory(thing) if open_ else []),
                    *self._splitting(entity, "memories", thing.id, open_),
                    self._copy(thing.content)]
        if isinstance(thing, Assertion):
            return [*(assertions.lines_of(self._context, thing) if open_ else []),
                    self._copy(thing.content)]
        if node.key == "aliases":
            return [*(self._for_names(entity) if open_ else []), self._copy(node.text)]
        if node.kind == "section":
            return self._for_section(entity, node) if open_ else []
        return [self._copy(node.text)] if node.kind in ("words", "fact") else []

    def _for_value(
        self, entity: Entity, node: Node, claim: Claim, value: Value, open_: bool
    ) -> list[Line]:
        lines: list[Line] = []
        if open_ and not node.gone:
            lines += [("Set another value", "edit", partial(self._edit, node)),
                      ("Add another value…", "add", partial(self._add_beside, entity, value))
                      if claim.claim_key else
                      ("Turn into a claim…", "claim", partial(give_key, self._context, value))]
        if open_ and not node.gone:
            lines += self._upkeep(entity, value)
        lines += self._splitting(entity, "values", value.id, open_ and not node.gone)
        lines.append(("Show history", "history", partial(self._show, node)))
        lines.append(self._copy(value.content))
        if open_:
            binds = value.kind == "constraint" and not node.gone
            lines += self._archiving("claim", node.gone, {"attribute_id": value.id},
                                     "the constraint" if binds else "", force=binds)
        return lines

    def _upkeep(self, entity: Entity, value: Value) -> list[Line]:
        """What keeps a fact in good order."""
        this = {"attribute_id": value.id}
        weight = {"importance": f"{value.importance:g}", "confidence": f"{value.confidence:g}"}
        return [
            ("Record what is said of it…", "evidence",
             partial(assertions.record_voice, self._context, entity.id, value)),
            ("Confirm later…", "history", partial(
                self._ask, "set_review_date", this, title="When to confirm it",
                only=("review_after",))),
            ("Set weight…", "weigh", partial(self._ask, "weigh_claim", this, weight,
                                             title="How much it weighs")),
            ("Move to another aspect…", "merge", partial(
                self._ask, "move_claim", this, title="Move to another aspect",
                only=("aspect", "group_key", "claim_key"))),
        ]

    def _for_memory(self, memory: Memory) -> list[Line]:
        """What else it mentions, and that it is to go."""
        this = {"memory_id": memory.id}
        return [("Link to another entity…", "link", partial(
                    self._ask, "link_memory", this, title="Link to another entity",
                    only=("entity", "mention_text"))),
                ("Forget…", "archive", partial(
                    self._ask, "forget_memory", this, title="Forget the memory",
                    only=("reason",)))]

    def _for_names(self, entity: Entity) -> list[Line]:
        """Another name for an entity, and taking one away."""
        return [("Add another name…", "add", partial(
                    self._ask, "create_alias", {"entity": entity.id}, title="Another name",
                    only=("alias", "source"))),
                *((f"Take away “{one_line(alias, 40)}”", "archive", partial(
                    self._do, "archive_alias", {"entity": entity.id, "alias": alias}))
                  for alias in entity.aliases[:8])]

    def _archiving(
        self, noun: str, gone: bool, payload: Mapping[str, object], what: str = "", *,
        force: bool = False,
    ) -> list[Line]:
        """The line that archives a row, or puts it back where it is archived."""
        verb = "restore" if gone else "archive"
        return [None, (f"{verb.capitalize()} {what}".strip(), verb,
                       partial(self._do, operation_of(verb, noun).name, payload, force=force))]

    def _for_aspect(self, entity: Entity, aspect: Aspect, open_: bool) -> list[Line]:
        there = {"entity": entity.id, "aspect": aspect.id}
        lines: list[Line] = []
        if open_ and aspect.status == "active":
            lines = [
                ("New claim here…", "add", partial(self._ask, "set_claim_value", there,
                                                   title="New claim", only=ASKED)),
                ("Rename…", "rename", partial(self._ask, "rename_aspect", there,
                                              {"new_name": aspect.name})),
            ]
        lines += self._splitting(entity, "aspects", aspect.id, open_ and aspect.status == "active")
        lines.append(self._copy(aspect.name))
        gone = aspect.status != "active"
        binds = bool(aspect.constraints) and not gone
        return lines + self._archiving(
            "aspect", gone, there, "with its constraints" if binds else "", force=binds
        ) if open_ else lines

    def _for_link(self, entity: Entity, link: Link, open_: bool) -> list[Line]:
        lines: list[Line] = []
        if link.other_name:
            lines.append(("Go to entity", "external",
                          partial(self._context.selection.select_entity, link.other_id)))
        if open_ and link.status == "active":
            lines.append(("Change…", "edit", partial(
                self._ask, "update_link", {"id": link.id},
                {"link_type": link.dependency_type, "strength": f"{link.strength:g}",
                 "confidence": f"{link.confidence:g}", "reason": link.reason or ""},
                title="Change the link")))
        lines += self._splitting(entity, "links", link.id, open_ and link.status == "active")
        lines.append(self._copy(link.other_name or link.other_id))
        return lines + self._archiving(
            "link", link.status != "active", {"id": link.id}, "the link") if open_ else lines

    def _splitting(self, entity: Entity, parts: str, id: str, open_: bool) -> list[Line]:
        """The line that moves a part of the entity to another one, which may be new."""
        return [("Move to another entity…", "merge", partial(
            self._ask, "split_entity", {"entity": entity.id, parts: [id]},
            {"entity_type": entity.entity_type}, title="Move to another entity",
            only=("new_name", "entity_type")))] if open_ else []

    def _for_section(self, entity: Entity, node: Node) -> list[Line]:
        run = self._context.actions.run
        if node.key == "constraints":
            given = {"entity": entity.id, "kind": "constraint"}
            return [("New constraint…", "add", partial(
                self._ask, "set_claim_value", given, title="New constraint", only=ASKED))]
        if node.key == "aspects":
            return [("New aspect…", "add", partial(run, "aspects.new")),
                    ("Set a claim…", "edit", partial(run, "claims.set"))]
        if node.key == "voices":
            return [("Record what is said…", "evidence",
                     partial(assertions.record_voice, self._context, entity.id))]
        if node.key == "links":
            return [("Link to…", "link", partial(run, "links.new"))]
        return []

    def _add_beside(self, entity: Entity, value: Value) -> None:
        given = {"entity": entity.id, "aspect": value.aspect_id, "claim_key": value.claim_key,
                 "group_key": value.group_key or "general", "kind": value.kind}
        self._ask("add_claim_value", given, title="Add a value")

    def _ask(
        self, operation: str, given: Mapping[str, object], shown: Mapping[str, str] | None = None,
        *, title: str = "", only: tuple[str, ...] = (),
    ) -> None:
        ask_operation(self._context, operation, given, shown, title=title, only=only)

    def _do(self, operation: str, payload: Mapping[str, object], *, force: bool = False) -> None:
        operate(self._context, operation, payload, force=force)

    def _copy(self, text: str) -> Line:
        return "Copy", "copy", partial(self._copied, text)

    def _copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._context.say("Copied")
