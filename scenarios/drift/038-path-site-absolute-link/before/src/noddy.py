def build():
    return None
