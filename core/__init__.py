"""The engine of the constellation: store, reads, operations and the sky's arrays; no Qt."""
