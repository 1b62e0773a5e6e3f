"""Gives every entity its position in the sky."""
