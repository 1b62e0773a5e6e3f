"""The history of a claim, and restoring versions."""
