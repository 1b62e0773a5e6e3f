"""Reads what other programs keep: a module for each format, which knows it and reads it."""
