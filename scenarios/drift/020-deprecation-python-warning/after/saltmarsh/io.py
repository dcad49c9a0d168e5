import warnings


def load_table(path):
    """Reads a table."""
    warnings.warn(
        "`load_table` is deprecated, use `read_table` instead",
        DeprecationWarning,
        stacklevel=2,
    )
    return open(path)


def read_table(path, encoding="utf-8"):
    """Reads a table in an encoding."""
    return open(path, encoding=encoding)
