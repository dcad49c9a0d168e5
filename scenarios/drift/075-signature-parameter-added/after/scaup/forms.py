class FormRequest:
    def __init__(self, url):
        self.url = url

    @classmethod
    def from_response(cls, response, formname=None, formid=None, formnumber=0, clickdata=None):
        return cls(response.url)
