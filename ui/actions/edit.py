"""Undo, redo, find and copy."""

from PySide6.QtGui import QGuiApplication, QKeySequence

from core.model.text_formatting import one_line
from ui.action import Action
from ui.context import Context


def undo_words(context: Context) -> str:
    label = context.runner.undo_label
    return f"Undo: {one_line(label, 60)}" if label else "Undo"


def redo_words(context: Context) -> str:
    label = context.runner.redo_label
    return f"Redo: {one_line(label, 60)}" if label else "Redo"


def copy_name(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        QGuiApplication.clipboard().setText(row.name)
        context.say(f"Copied “{one_line(row.name, 60)}”")


def copy_id(context: Context) -> None:
    QGuiApplication.clipboard().setText(context.selection.entity_id)
    context.say("Copied the id")


ACTIONS = (
    Action[Context]("edit.undo", undo_words, lambda context: context.runner.undo(),
                    (QKeySequence.StandardKey.Undo,), "undo", "Edit", "undo",
                    enabled=lambda context: context.runner.undo_label is not None,
                    why="nothing to undo", bare="Undo"),
    Action[Context]("edit.redo", redo_words, lambda context: context.runner.redo(),
                    (QKeySequence.StandardKey.Redo, "Ctrl+Y"), "redo", "Edit", "undo",
                    enabled=lambda context: context.runner.redo_label is not None,
                    why="nothing to redo", bare="Redo"),
    Action[Context]("edit.find", "Search names and facts",
                    lambda context: context.shell.focus_search(),
                    ("/", QKeySequence.StandardKey.Find), "search", "Edit", "find"),
    Action("edit.copy_name", "Copy the entity's name", copy_name, ("Ctrl+Shift+C",), "copy",
           "Edit", "copy", enabled=lambda context: context.selection.entity is not None,
           why="select an entity first"),
    Action("edit.copy_id", "Copy the entity's id", copy_id, (), "copy", "Edit", "copy",
           enabled=lambda context: context.selection.entity is not None),
)
