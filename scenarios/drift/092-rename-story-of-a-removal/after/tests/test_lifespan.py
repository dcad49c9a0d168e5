from stargazer.testclient import TestClient


def test_startup():
    TestClient(lambda: None)
