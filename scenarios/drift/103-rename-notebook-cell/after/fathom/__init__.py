__all__ = ["read_soundings"]


def read_soundings(path):
    """Reads a table of soundings."""
    with open(path) as file:
        return [line.split(",") for line in file]
