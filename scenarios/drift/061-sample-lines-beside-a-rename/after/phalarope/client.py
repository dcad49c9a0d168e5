from .wsgi import WSGITransport


def open_client(app, transport=None):
    transport = transport or WSGITransport(app)
    return send_all(transport)


def send_all(transport):
    return transport.send(None)
