"""The write path: what is to be remembered becomes rows of the graph."""
