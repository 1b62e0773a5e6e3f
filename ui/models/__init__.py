"""What the panels show, as data and as Qt item models; no widgets."""
