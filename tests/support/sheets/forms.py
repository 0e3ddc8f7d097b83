"""The forms of a page as a browser sends them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit


@dataclass
class Form:
    """Where it goes, what it says by itself, and by which buttons it is sent."""

    method: str
    action: str
    said: dict[str, list[str]] = field(default_factory=dict)
    room: dict[str, int] = field(default_factory=dict)
    """How many characters an input says that it takes."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    upload: bool = False


class Forms(HTMLParser):
    """What stands in the forms of an answer (`forms`), those too that say from elsewhere which form they belong to."""

    def __init__(self, answer):
        super().__init__()
        self.here = answer.request["PATH_INFO"]
        self.forms, self._of, self._open, self._text, self._select = [], {}, None, None, None
        self._parts = []
        self.feed(answer.text)
        for attributes, found in self._parts:
            form = self._of.get(attributes["form"]) if "form" in attributes else found
            if form:
                self._add(form, attributes)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs) | {"tag": tag}
        if tag == "form":
            action = urljoin(self.here, attributes.get("action") or "")
            self._open = Form(attributes.get("method", "get").upper(), action)
            self._of[attributes.get("id", "")] = self._open
            self.forms.append(self._open)
        elif tag in ("input", "button", "textarea", "select"):
            self._parts.append((attributes, self._open))
            self._text = attributes if tag == "textarea" else None
            self._select = attributes if tag == "select" else None
        elif tag == "option" and self._select is not None and ("selected" in attributes or "value" not in self._select):
            self._select["value"] = attributes.get("value", "")

    def handle_data(self, data):
        if self._text is not None:
            self._text["value"] = self._text.get("value", "") + data

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None
        elif tag == "textarea":
            self._text = None
        elif tag == "select":
            self._select = None

    @staticmethod
    def _add(form, attributes):
        name, value, kind = attributes.get("name"), attributes.get("value") or "", attributes.get("type", "text")
        if attributes["tag"] == "button" or kind in ("submit", "button", "image", "reset"):
            form.buttons.append((name or "", value))
        elif kind == "file":
            form.upload = True
        elif name and (kind not in ("checkbox", "radio") or "checked" in attributes):
            form.said.setdefault(name, []).append(value)
            if "maxlength" in attributes:
                form.room[name] = int(attributes["maxlength"])


def ours(form):
    """Whether it is sent to the site itself."""
    return not urlsplit(form.action).netloc


def pressed(browser, page, button):
    """Return the answer to a button of a page that was loaded before."""
    form = next(one for one in Forms(page).forms if ("do", button) in one.buttons)
    return browser.post(form.action, {**form.said, "do": button}, follow=True)
