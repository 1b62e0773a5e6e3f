"""Recall: a question, the matching memories, and the channels that found each one."""
