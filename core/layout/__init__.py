"""Gives every entity its place in the sky."""
