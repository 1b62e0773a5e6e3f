"""Recall: a question, the memories that answer it, and which channels brought each one."""
