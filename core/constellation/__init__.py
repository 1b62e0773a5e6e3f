"""The sky as arrays: what is where, how large, how bright and when it is seen; no colour, no Qt."""
