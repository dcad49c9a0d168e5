class Cache:
    def get(self, key):
        if key in self.items:
            self.hits += 1
            return self.items[key]
        return None
