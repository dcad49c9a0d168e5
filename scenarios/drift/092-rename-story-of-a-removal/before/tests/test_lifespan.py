from stargazer.testclient import LifespanContext


def test_startup():
    LifespanContext(lambda: None).startup()
