"""Health: what is wrong with the graph, with a fix for each."""
