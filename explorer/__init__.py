"""Every way into the program: the window and the command line."""
