class SandpiperError(Exception):
    """Base of all errors."""


class ResponseClosedError(SandpiperError):
    """The body was read after the response was closed."""
