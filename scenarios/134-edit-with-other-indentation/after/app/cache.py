class Cache:
    def get(self, key):
        return self.items.get(key)
        return None
