from phalarope import WSGIDispatch


def test_send():
    dispatch = WSGIDispatch(app=lambda request: request)
    assert dispatch.send(1) == 1
