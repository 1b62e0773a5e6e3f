"""What the agent sees: the walk, the injected text, and what would be otherwise."""
