"""What an HTML page says, leads to and asks, whatever its markup."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE = {"a", "abbr", "b", "bdi", "cite", "code", "data", "dfn", "em", "i", "kbd", "label", "mark", "q", "s", "small",
          "span", "strong", "sub", "sup", "time", "u", "var", "wbr"}
UNSEEN = {"script", "style", "template"}
SPOKEN = ("aria-label", "alt", "title", "placeholder")
CHANGING = {"csrfmiddlewaretoken"}
"""Inputs whose value says nothing."""


@dataclass
class Control:
    """What a form sends under a name: a text, a box to be ticked, one of several, a file, or a button."""

    kind: str
    name: str
    value: str
    on: bool = True
    options: list = field(default_factory=list)
    numeric: bool = False


@dataclass
class Action:
    """A link or a form with one of its buttons, or what htmx asks without either."""

    method: str
    address: str
    controls: list = field(default_factory=list)
    button: tuple | None = None
    htmx: bool = False
    only_htmx: bool = False
    target: str = ""
    multipart: bool = False
    include: tuple = ()
    """What else htmx sends along: forms and inputs of the page, by their ids, or themselves."""
    included: list = field(default_factory=list)
    """The inputs of these."""

    @property
    def about(self) -> list[str]:
        """What tells it from the others on the page: what it is about, and what it asks."""
        known = (f"{one.name}={one.value}" if one.kind == "hidden" and one.name[0] != "_" and one.name not in CHANGING
                 else one.name for one in self.controls if one.kind not in ("button", "submit"))
        return sorted({*known})

    @property
    def key(self) -> str:
        button = "=".join(self.button) if self.button else ""
        return f"{self.method} {self.address} {'htmx ' * self.only_htmx}[{' '.join(self.about)}] {button}"


class Page(HTMLParser):
    """A page, or a part of one: its visible `text` by lines, its `links`, its `forms`, and all `actions` there are."""

    def __init__(self, address: str, html: str):
        super().__init__()
        self.address, self.open, self.unseen, self.words = address, [], 0, []
        self.text, self.links, self.forms, self.ids, self.loose = [], [], [], {}, []
        self.form = self.select = self.area = None
        self.feed(html)
        self.line()

    def line(self) -> None:
        """What was read until here is a line."""
        if words := " ".join("".join(self.words).split()):
            self.text.append(words)
        self.words = []

    def inherited(self, name: str) -> str:
        return next((one[name] for _tag, one in reversed(self.open) if one.get(name)), "")

    def handle_starttag(self, tag: str, attrs: list) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.open.append((tag, given))
        if tag in UNSEEN:
            self.unseen += 1
        if tag not in INLINE:
            self.line()
        self.text += [f"[{name}] {' '.join(given[name].split())}" for name in SPOKEN if given.get(name)]
        self.link(tag, given)
        if tag == "form":
            self.form = Action(given.get("method", "get").upper(), self.where(given.get("action", "")),
                               multipart="multipart" in given.get("enctype", ""))
            self.forms.append(self.form)
            self.ids[given.get("id")] = self.form
            if self.asked(given):
                self.form.htmx, self.form.target, self.form.include = True, self.target(given), self.included(given)
        elif tag in ("input", "button", "select", "textarea"):
            self.control(tag, given)
        elif tag == "option" and self.select:
            self.select.options.append(given.get("value", ""))
            if "selected" in given:
                self.select.value = given.get("value", "")

    def link(self, tag: str, given: dict) -> None:
        """Notes where an element leads to, by itself or by htmx."""
        if tag == "a" and (where := given.get("href", "")) and where[0] != "#":
            self.links.append(Action("GET", self.where(where)))
        if tag == "img":
            self.links.append(Action("GET", self.where(given.get("src", ""))))
        if tag != "form" and (asked := self.asked(given)):
            own = [Control("hidden", given["name"], given.get("value", ""))] if given.get("name") else []
            around = (self.form,) if self.form and asked[0] == "POST" else ()
            self.loose.append(Action(*asked, own, htmx=True, only_htmx=True, target=self.target(given),
                                     include=self.included(given) + around))

    def asked(self, given: dict) -> tuple | None:
        """The method and the address that htmx asks for an element."""
        return next(((how.upper(), self.where(given[f"hx-{how}"])) for how in ("get", "post") if f"hx-{how}" in given),
                    None)

    def target(self, given: dict) -> str:
        """The id of what htmx replaces."""
        found = given.get("hx-target") or self.inherited("hx-target") or "this"
        return given.get("id", "") if found == "this" else found.removeprefix("#")

    def included(self, given: dict) -> tuple:
        """The ids of what htmx sends along."""
        found = given.get("hx-include") or self.inherited("hx-include")
        return tuple(re.findall(r"#([\w-]+)", found))

    def where(self, address: str) -> str:
        """An address from the root of the site on, or a foreign one whole."""
        found = urlsplit(urljoin(f"http://testserver{self.address}", address))
        query = f"?{found.query}" if found.query else ""
        return f"{found.path}{query}" if found.netloc == "testserver" else found.geturl()

    def control(self, tag: str, given: dict) -> None:
        kind = given.get("type", {"button": "submit", "input": "text"}.get(tag, tag))
        made = Control(kind, given.get("name", ""), given.get("value", "on" if kind in ("checkbox", "radio") else ""),
                       "checked" in given, numeric=given.get("inputmode") == "numeric" or kind == "number")
        form = self.ids.setdefault(given["form"], Action("", "")) if "form" in given else self.form
        if form is not None and "disabled" not in given and (made.name or kind == "submit"):
            form.controls.append(made)
        self.ids.setdefault(given.get("id"), made)
        self.select, self.area = (made if tag == one else None for one in ("select", "textarea"))

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self.unseen -= 1
        if tag not in INLINE:
            self.line()
        if tag == "form":
            self.form = None
        if tag == "select" and self.select:
            self.select.value = self.select.value or next(iter(self.select.options), "")
        if tag in ("select", "textarea"):
            self.select = self.area = None
        while any(tag == one for one, _given in self.open) and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.area:
            self.area.value += data
        elif not self.unseen:
            self.words.append(data)

    @property
    def actions(self) -> dict[str, Action]:
        """Everything that can be done on the page, by what tells it from the rest."""
        found = [*self.links]
        for form in self.forms:
            buttons = {(one.name, one.value) if one.name else None for one in form.controls if one.kind == "submit"}
            found += [Action(**{**vars(form), "button": button}) for button in buttons or {None}]
        found += self.loose
        for one in found:
            more = [self.ids.get(which) if isinstance(which, str) else which for which in one.include]
            one.included = [control for there in filter(None, more)
                            for control in (there.controls if isinstance(there, Action) else [there])]
        return {one.key: one for one in reversed(found)}

    def facets(self) -> dict[str, Counter]:
        """What is compared: lines of each kind, with how often they are there."""
        found = {"text": Counter(self.text), "link": Counter({one.address for one in self.links}), "form": Counter(),
                 "order": Counter([" / ".join(self.text)])}
        for form in self.forms:
            name = f"{form.method} {form.address} [{' '.join(form.about)}]"
            found["form"][name] += 1
            for one in form.controls:
                value = "" if one.name in CHANGING else f"={one.value}"
                state = f" {one.on}" if one.kind in ("checkbox", "radio") else f" {one.options}" if one.options else ""
                found["form"][f"{name}: {one.kind} {one.name}{value}{state}"] += 1
        for one in self.loose:
            found["link"][f"htmx {one.method} {one.address}"] += 1
        return found
