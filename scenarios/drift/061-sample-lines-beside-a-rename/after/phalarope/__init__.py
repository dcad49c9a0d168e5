from .wsgi import WSGITransport

__all__ = ["WSGITransport"]
