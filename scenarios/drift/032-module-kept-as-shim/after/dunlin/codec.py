from dunlin.text.codec import Codec

__all__ = ["Codec"]
