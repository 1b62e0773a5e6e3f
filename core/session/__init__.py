"""A session of the agent: what it begins with, and what its end teaches the graph."""
