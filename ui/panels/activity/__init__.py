"""Changes of the graph, their authors, and undo."""
