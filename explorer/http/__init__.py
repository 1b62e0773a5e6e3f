"""Lets programs in over HTTP, on this machine only: endpoints over the catalogue and queries."""
