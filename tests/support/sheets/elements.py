"""The elements of a page."""

from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page with the names of their attributes, and what its fields hold whose id is `asked`."""

    def __init__(self, answer, asked=""):
        super().__init__()
        self.found, self.values, self.asked = [], [], asked
        self.feed(answer.text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, *(name for name, _value in attrs)))
        self.values += [value for name, value in attrs if name == "value" and ("id", self.asked) in attrs]
