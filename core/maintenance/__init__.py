"""What keeps a graph in order while nobody looks: each chore is one change of its own."""
