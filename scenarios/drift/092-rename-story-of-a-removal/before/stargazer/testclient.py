class TestClient:
    def __init__(self, app):
        self.app = app


class LifespanContext:
    def __init__(self, app):
        self.app = app

    def startup(self):
        return self.app
