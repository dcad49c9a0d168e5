class Cache:
    def get(self, key):
        if key in self.items:
            return self.items[key]
        return None
