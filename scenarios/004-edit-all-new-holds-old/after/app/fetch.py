def fetch(url):
    self.log("fetch", url)
    for attempt in range(retries):
        self.log("try", attempt)
        try:
            return get(url)
        except Timeout:
            self.log("timeout", url)
    self.log("gave up", url)
