import sandpiper


def test_base():
    assert issubclass(sandpiper.StreamClosedError, Exception)
