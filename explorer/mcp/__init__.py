"""Lets agents in by the Model Context Protocol: tools over the catalogue and the queries."""
