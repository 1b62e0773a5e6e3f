"""Automatic maintenance of a graph: each task is one change."""
