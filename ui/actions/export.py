"""Actions that write the open graph, or the selected entity, for other programs.

What writes all the formats is loaded when something is exported.
"""

from ui.action import Action
from ui.context import Context


def export_all(context: Context) -> None:
    """Ask where to, and in which format, then write everything."""
    from ui.dialogs.export_graph import ask  # noqa: PLC0415  see above

    ask(context, context.workspace.path.stem)


def export_entity(context: Context) -> None:
    """The same for the selected entity alone."""
    from ui.dialogs.export_graph import ask_for_entity  # noqa: PLC0415  see above

    row = context.selection.entity
    if row is not None:
        ask_for_entity(context, row)


ACTIONS = (
    Action("file.export", "Export…", export_all, ("Ctrl+Shift+S",), "export", "File", "import"),
    Action("file.export_entity", "Export the entity…", export_entity, (), "export", "File",
           "import", enabled=lambda context: context.selection.entity is not None,
           why="select an entity first"),
)
