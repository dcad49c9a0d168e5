def fetch(url):
    log("fetch", url)
    for attempt in range(retries):
        log("try", attempt)
        try:
            return get(url)
        except Timeout:
            log("timeout", url)
    log("gave up", url)
