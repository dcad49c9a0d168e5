from .wsgi import WSGIDispatch


def open_client(app, dispatch=None):
    dispatch = dispatch or WSGIDispatch(app)
    return send_all(dispatch)


def send_all(dispatch):
    return dispatch.send(None)
