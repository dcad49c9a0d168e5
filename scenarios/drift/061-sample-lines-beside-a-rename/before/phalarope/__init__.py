from .wsgi import WSGIDispatch

__all__ = ["WSGIDispatch"]
