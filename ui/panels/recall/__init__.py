"""Recall: a question, the memories that answer it, and which channels brought each one."""

from ui.panels.recall.panel import RecallPanel

__all__ = ["RecallPanel"]
