"""Turns text into vectors whose angles tell how alike two texts are."""
