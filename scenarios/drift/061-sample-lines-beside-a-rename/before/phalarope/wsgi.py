class WSGIDispatch:
    def __init__(self, app):
        self.app = app

    def send(self, request):
        return self.app(request)
