"""Writes: one function for each operation, and the catalogue that lists them."""
