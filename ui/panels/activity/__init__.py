"""What was done to the graph, by whom, and the way back."""
