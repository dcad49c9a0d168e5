from .errors import ResponseClosedError

__all__ = ["ResponseClosedError"]
