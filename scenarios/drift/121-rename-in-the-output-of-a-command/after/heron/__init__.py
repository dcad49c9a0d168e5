from heron.nest import MarshLoader

__all__ = ["MarshLoader"]
