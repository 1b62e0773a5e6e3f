"""Other formats: one file for each that can be read into the graph or written out of it."""
