"""The write path: stores memories as rows of the graph."""
