from curlew.transport import Channel


def test_send():
    assert Channel("a").send(1) == ("a", 1)
