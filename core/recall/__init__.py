"""Finds the memories that a question needs: by words, meaning, graph, neighbourhood and time."""
