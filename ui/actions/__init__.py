"""What a person can do, one file for each noun; `catalogue` lists all of it."""
