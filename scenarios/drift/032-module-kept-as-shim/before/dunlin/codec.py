class Codec:
    def encode(self, text):
        return text.encode()

    def decode(self, data):
        return data.decode()
