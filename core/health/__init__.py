"""What is wrong with a graph, each thing found with the operation that mends it."""
