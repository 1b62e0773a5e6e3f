"""Keeps a graph in step with what lies outside of it: folders of notes."""
