class SandpiperError(Exception):
    """Base of all errors."""


class StreamClosedError(SandpiperError):
    """The body was read after the response was closed."""
