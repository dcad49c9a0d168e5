from .errors import StreamClosedError

__all__ = ["StreamClosedError"]
