"""The window: Qt widgets over `core`, without SQL and without decisions about the graph."""
