"""A session of the agent: its start, and what the graph learns at its end."""
