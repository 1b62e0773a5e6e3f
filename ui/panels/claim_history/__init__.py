"""How a claim came to be, and the way back."""
