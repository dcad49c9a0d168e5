def load_table(path):
    """Reads a table."""
    return open(path)


def read_table(path, encoding="utf-8"):
    """Reads a table in an encoding."""
    return open(path, encoding=encoding)
