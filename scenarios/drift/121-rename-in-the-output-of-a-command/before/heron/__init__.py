from heron.nest import Marsh2Loader

__all__ = ["Marsh2Loader"]
