"""`python -m explorer` is the same as `constellation`."""

from explorer.main import main

if __name__ == "__main__":
    main()
