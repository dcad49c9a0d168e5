import sandpiper


def test_base():
    assert issubclass(sandpiper.ResponseClosedError, Exception)
