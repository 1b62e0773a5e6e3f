"""Undo, redo, find and copy."""

from PySide6.QtGui import QGuiApplication, QKeySequence

from core.model.wording import one_line
from ui.action import Action
from ui.context import Context


def undo(context: Context) -> None:
    context.runner.undo()


def redo(context: Context) -> None:
    context.runner.redo()


def undo_words(context: Context) -> str:
    label = context.runner.undo_label
    return f"Undo: {one_line(label, 60)}" if label else "Undo"


def redo_words(context: Context) -> str:
    label = context.runner.redo_label
    return f"Redo: {one_line(label, 60)}" if label else "Redo"


def can_undo(context: Context) -> bool:
    return context.runner.undo_label is not None


def can_redo(context: Context) -> bool:
    return context.runner.redo_label is not None


def find(context: Context) -> None:
    context.shell.focus_search()


def copy_name(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        QGuiApplication.clipboard().setText(row.name)
        context.say(f"Copied “{one_line(row.name, 60)}”")


def copy_id(context: Context) -> None:
    QGuiApplication.clipboard().setText(context.selection.entity_id)
    context.say("Copied the id")


def entity_is_selected(context: Context) -> bool:
    return context.selection.entity is not None


ACTIONS = (
    Action("edit.undo", undo_words, undo, (QKeySequence.StandardKey.Undo,), "undo", "Edit",
           "undo", enabled=can_undo),
    Action("edit.redo", redo_words, redo, (QKeySequence.StandardKey.Redo, "Ctrl+Y"), "redo",
           "Edit", "undo", enabled=can_redo),
    Action("edit.find", "Search names and facts", find, ("/", QKeySequence.StandardKey.Find),
           "search", "Edit", "find"),
    Action("edit.copy_name", "Copy the entity's name", copy_name, ("Ctrl+Shift+C",), "copy",
           "Edit", "copy", enabled=entity_is_selected),
    Action("edit.copy_id", "Copy the entity's id", copy_id, (), "copy", "Edit", "copy",
           enabled=entity_is_selected),
)
