"""The review of what the agent would like to change."""
