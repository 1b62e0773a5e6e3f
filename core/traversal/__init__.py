"""Walks the graph from what a session is about, and can say why each thing is in or out."""
