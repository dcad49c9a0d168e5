import time


def wait(retries):
    limit = 30
    time.sleep(limit)
    return retries
