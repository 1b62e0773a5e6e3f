"""Walks the graph from a session's focal entities, and explains why each thing is in or out."""
