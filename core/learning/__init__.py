"""How the graph learns from what happens: feedback, decay, contradictions."""
