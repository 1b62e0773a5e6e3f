"""What a person needs to decide on a proposal: its target, its effects, what to mind."""
