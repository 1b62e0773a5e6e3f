"""Tests for a memory: what must, or must not, come for a question."""
