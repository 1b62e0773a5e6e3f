"""Automatic maintenance of a graph: each chore is one change."""
