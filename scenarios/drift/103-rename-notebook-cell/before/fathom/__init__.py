__all__ = ["load_soundings"]


def load_soundings(path):
    """Reads a table of soundings."""
    with open(path) as file:
        return [line.split(",") for line in file]
