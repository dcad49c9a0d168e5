from phalarope import WSGITransport


def test_send():
    transport = WSGITransport(app=lambda request: request)
    assert transport.send(1) == 1
