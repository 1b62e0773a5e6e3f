"""Turns vectors into a map on which texts that mean the same lie side by side."""
