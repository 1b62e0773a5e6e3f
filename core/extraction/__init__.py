"""Takes structure out of texts: proposals and assertions, each with its evidence."""
