"""A page as text: its elements by their ids, what its forms send, and answers swapped into it as htmx does.

Nothing is parsed as a whole: a driver that shares its core with nobody but many players has no time for that.
"""

import re
from html import unescape
from uuid import uuid4

ATTRIBUTE = re.compile(r'([\w.:-]+)(?:="([^"]*)")?')
CONTROL = re.compile(r"<(input|select|textarea)\b([^>]*)>")
OPTION = re.compile(r"<option\b([^>]*)>")
OUT_OF_BAND = re.compile(r'<\w+\b[^>]*\shx-swap-oob="([^"]*)"[^>]*>')
EMPTY = ("input", "br", "img", "hr", "meta", "link")
"""Tags that nothing ends."""
KEYS = ("_press", "_once")
"""Fields whose value scripts make anew for each press."""
SENT = ("checkbox", "radio")
"""Kinds of fields that send something only where they are ticked."""


def attributes(tag):
    """Return the attributes of the tag that a text begins with, by name; "" for one without a value."""
    return {name: unescape(value) for name, value in ATTRIBUTE.findall(tag[tag.find("<") + 1:tag.find(">")])[1:]}


def end_of(text, start):
    """Return the end of the element that starts there."""
    tag = re.compile(r"<(\w+)").match(text, start)[1]
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(text, start):
        depth += -1 if found[1] else 1
        if tag in EMPTY or not depth:
            return found.end()
    return len(text)


def inside(element):
    """Return the content of an element."""
    return element[element.find(">") + 1:element.rfind("<")]


def fields(text):
    """Return the values of the fields in a part of a page, [(name, value)], without buttons."""
    found = []
    for control in CONTROL.finditer(text):
        kind, own = control[1], attributes(control[0])
        if "name" not in own or "disabled" in own or own.get("type") in ("submit", "button", "file"):
            continue
        value = own.get("value", "")
        if kind == "textarea":
            value = unescape(text[control.end():text.find("</textarea>", control.end())]).removeprefix("\n")
        elif kind == "select":
            options = [attributes(one[0]) for one in OPTION.finditer(text, control.end(), text.find(
                "</select>", control.end()))]
            value = next((one for one in options if "selected" in one), (options or [{}])[0]).get("value", "")
        elif own.get("type") in SENT and "checked" not in own:
            continue
        found.append((own["name"], value))
    return found


class Document:
    """A page, or nothing yet."""

    def __init__(self, text=""):
        self.text = text

    def span(self, name):
        """Return (start, end) of the element with an id, None where there is none."""
        if (found := re.search(rf'\sid="{re.escape(name)}"', self.text)) is None:
            return None
        start = self.text.rfind("<", 0, found.start())
        return start, end_of(self.text, start)

    def element(self, name):
        """The element of an id as text, "" where there is none."""
        there = self.span(name)
        return self.text[slice(*there)] if there else ""

    def attributes(self, name):
        """Return the attributes of the element with an id."""
        return attributes(self.element(name))

    def form_of(self, button):
        """The form that a button stands in: (what its tag says, what it sends when it is pressed by that button)."""
        start = self.text.rfind("<form", 0, self.span(button)[0])
        form, pressed = self.text[start:end_of(self.text, start)], self.attributes(button)
        chosen = [(pressed["name"], pressed["value"])] if "name" in pressed else []
        return attributes(form), self.sent_by(form) + chosen

    def form(self, name):
        """The form of an id, likewise, without a button."""
        return self.attributes(name), self.sent_by(self.element(name))

    def sent_by(self, form):
        """What a form sends, with those of its fields that stand elsewhere; what has a key by a new one each time."""
        own = f' form="{attributes(form).get("id")}"'
        beyond = [pair for one in CONTROL.finditer(self.text) if own in one[0] for pair in fields(one[0])]
        return [(name, str(uuid4()) if name in KEYS else value) for name, value in fields(form) + beyond]

    def swap(self, answer, where="", select=""):
        """Puts the pieces of an answer in their places, and the rest of it (`select`, if named) in place of an id."""
        rest, at = [], 0
        while found := OUT_OF_BAND.search(answer, at):
            end = end_of(answer, found.start())
            rest.append(answer[at:found.start()])
            self._put(answer[found.start():end], found[1])
            at = end
        drawn = "".join([*rest, answer[at:]])
        if where:
            self.replace(where, Document(drawn).element(select) if select else drawn)

    def replace(self, name, text):
        """Another element in place of that of an id."""
        if there := self.span(name):
            self.text = self.text[:there[0]] + text + self.text[there[1]:]

    def _put(self, piece, how):
        way, _colon, where = how.partition(":")
        there = self.span(where.removeprefix("#") or attributes(piece).get("id", ""))
        if there is None:
            return
        start, end = there
        old, within = self.text[start:end], inside(piece)
        for kept in re.findall(r'<\w+ id="([^"]*)" hx-preserve="true"></', piece):
            piece = Document(piece)
            piece.replace(kept, self.element(kept))
            piece = piece.text
        first, last = old.find(">") + 1, old.rfind("<")
        new = {"innerHTML": old[:first] + within + old[last:], "afterbegin": old[:first] + within + old[first:],
               "beforeend": old[:last] + within + old[last:], "beforebegin": within + old,
               "afterend": old + within, "delete": ""}.get(way, piece.replace(f' hx-swap-oob="{how}"', "", 1))
        self.text = self.text[:start] + new + self.text[end:]
