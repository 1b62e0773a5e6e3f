"""The past of a graph: two states compared, and what is new since a visit."""
