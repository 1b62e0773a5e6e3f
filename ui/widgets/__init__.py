"""Small widgets that know colours and gestures but nothing of the graph."""
