"""An open page, without a browser: it hears of news, asks for them and presses as its scripts do.

`Watched` does what static/components/watched.js does, `Table` what static/parties/table.js does. What a stream says
comes in by `Page.hears` alone, by the name of the event.
"""

import json
import re
import time
from urllib.parse import urlencode, urljoin

from tests.load.document import Document, fields

NOW_AND_THEN = 60
"""Seconds after which a page looks in any case."""
LINES = re.compile(r'<li id="(?:line|event)-(\d+)"')
"""Lines of a log, each with the key of what happened."""
TOKEN = re.compile(r'"X-CSRFToken": "(\w+)"')


def filled_in(sent, filled):
    """Return the values that a form sends, with those that are filled in."""
    return [(key, value) for key, value in sent if key not in filled] + [*filled.items()]


class Page:
    """A page that somebody has open; `ask` sends for it and returns (status, headers, text), `drawn` is told of it.

    What is `heard` is a word, or nothing since the page looked last.
    """

    every, part, of_look, includes, whole, looks = 4, "watched", "watched", (), "", "look elsewhere"
    """Seconds between two thoughts of it; the ids of what has the word, of what looks, of what goes along with a press,
    of what an answer draws anew; what looks are called."""

    def __init__(self, ask, address, opens, drawn=lambda _page: None):
        self.ask, self.address, self.opens, self.drawn = ask, address, opens, drawn
        self.document, self.word, self.news = Document(), "", 0
        self.heard, self.heard_at, self.pressed, self.looked, self.begun = None, 0.0, 0.0, 0.0, 0.0
        self.forced = self.hidden = self.looking = False
        self.presses = 0

    def open(self, name=""):
        """It is loaded, or loaded anew."""
        _status, _headers, text = self.ask("GET", self.address, name or self.opens)
        self.takes(text)

    def takes(self, text):
        """The browser shows another document."""
        self.document, self.heard, self.looked = Document(text), None, time.monotonic()
        self.forced = self.looking = False
        self.token = "".join(TOKEN.findall(text)[:1])
        self.word = self.told.get("data-word", "")
        self.drawn(self)

    @property
    def told(self):
        """What stands in the tag that says by which word the page knows what it shows, and where it hears of news."""
        return self.document.attributes(self.part)

    @property
    def stream(self):
        """The address of its stream; "" for a page without one."""
        address = self.told.get("data-live", "")
        return address and f"{address}?{urlencode({'since': self.word, 'language': 'de'})}"

    @property
    def lines(self):
        """The keys of what its log tells."""
        return set(LINES.findall(self.document.text))

    def hears(self, name, data):
        """An event of its stream; one that the page does not listen for is nothing to it."""
        if name in self.EVENTS:
            self.EVENTS[name](self, data)

    def hears_word(self, word=""):
        """There is news, by this word of it; without one in any case."""
        if word:
            self.heard, self.heard_at = word, time.monotonic()
            self.news += word != self.word
        else:
            self.forced = True
        self.look()

    def hears_pieces(self, data):
        """Others have done something that leaves this page as it is."""
        since, word = (json.loads(data)[name] for name in ("since", "word"))
        if since == self.word and not self.stale:
            self.word = word
        self.hears_word(word)

    EVENTS = {"message": hears_word, "pieces": hears_pieces}
    """{name of an event: what the page does with its data}; one without a name is a message."""

    def thinks(self, *, live):
        """What it does every few seconds; `live` says whether it has a stream."""
        self.look(not live or time.monotonic() - self.looked > NOW_AND_THEN)

    # What it asks.

    @property
    def stale(self):
        """True if there may be something new."""
        return self.forced or (self.heard is not None and self.heard != self.word)

    def look(self, anyway=False):
        """Asks what is new if there may be something; not while it asks, or while a press is under way."""
        while (anyway or self.stale) and not (self.hidden or self.looking or self.presses):
            anyway, self.looking, self.forced = False, True, False
            self.looked = self.begun = time.monotonic()
            document = self.document
            address, sent = self.question()
            status, headers, text = self.ask("GET", f"{address}{'&' if '?' in address else '?'}{urlencode(sent)}",
                                             self.looks, self.htmx(self.of_look))
            if self.document is not document:
                # The page was loaded anew meanwhile, which drops what the one before it had asked for.
                return
            self.looking = False
            if status not in (200, 204):
                self.forced = True
                return
            # What was asked for before a press is no answer to it.
            if status == 200 and self.pressed > self.begun:
                self.forced = True
            elif status == 200:
                self.draws_news(headers, text)
            self.has_looked()

    def press(self, button, name, **filled):
        """Presses a button of a form that htmx sends; returns (status, text) of the answer, which is drawn then."""
        form, sent = self.document.form_of(button)
        return self.sends(form, filled_in(sent, filled), name)

    def sends(self, form, sent, name):
        """Sends a form by htmx: what its tag says, and what it sends."""
        self.presses, self.pressed = self.presses + 1, time.monotonic()
        own = {key for key, _value in sent}
        body = [*sent, *((key, value) for key, value in self.included(self.includes) if key not in own), *self.adds()]
        status, headers, text = self.ask("POST", urljoin(self.address, form["hx-post"]), name,
                                         self.htmx(form.get("id", "")), body)
        if status == 200:
            anew = (headers.get("HX-Reswap") or form.get("hx-swap")) != "none"
            self.document.swap(text, headers.get("HX-Retarget", self.whole).removeprefix("#") if anew else "")
            self.was_answered(anew)
            self.drawn(self)
        self.presses -= 1
        return status, text

    def drawn_anew(self, answer):
        """Whether the answer to a press is the whole of what a press may change, and not pieces of it."""
        return any(Document(answer).span(one) for one in (self.whole, self.of_look))

    def follow(self, link, name):
        """A link that htmx asks for, whose answer is put in its places and whose address is the page's from then on."""
        self.address = urljoin(self.address, self.leads_to(self.document.attributes(link)))
        _status, _headers, text = self.ask("GET", self.address, name, self.htmx(link))
        self.document.swap(text)
        self.word = self.told.get("data-word", "")
        self.drawn(self)

    def leads_to(self, told):
        """Return the address of a link by the attributes of its tag."""
        return told["hx-get"]

    def fill(self, form, **filled):
        """A form of an id as it stands, but for what is filled in: (what its tag says, what it sends)."""
        tag, sent = self.document.form(form)
        return tag, filled_in(sent, filled)

    def htmx(self, element):
        """Return the headers that htmx sends."""
        named = {"HX-Trigger": element} if element else {}
        return {"HX-Request": "true", "HX-Current-URL": self.address, "X-CSRFToken": self.token, **named}

    def included(self, names):
        """Return the values of the fields in these elements."""
        return [pair for name in names for pair in fields(self.document.element(name))]


class Watched(Page):
    """A page of which a part is watched: a sheet, its approval, the builder."""

    includes = ("seen", "against", "rolls-page")

    def question(self):
        self.asking, self.heard, self.drawn_whole = self.heard, None, False
        told, seen = self.told, self.document.attributes("seen")
        sent = [("known", self.word)]
        if seen:
            waits = self.document.attributes("landings")
            sent = [*self.included(self.includes[1:]), *sent, ("seen", seen.get("data-shown", "")),
                    ("landings", waits.get("data-shown", ""))]
        return told["hx-get"], sent

    def draws_news(self, headers, text):
        told = self.told
        where, select = (headers.get(name, told[usual]).removeprefix("#") for name, usual in (
            ("HX-Retarget", "hx-target"), ("HX-Reselect", "hx-select")))
        self.document.swap(text, where, select)
        self.drawn_whole = where != "landings"
        self.said(anew=self.drawn_whole)
        self.drawn(self)

    def has_looked(self):
        """Take over the word that the look was about, unless the page was drawn as a whole or must look in any case."""
        if not (self.drawn_whole or self.forced) and self.asking:
            self.word = self.asking

    def adds(self):
        asked = 'class="landed asked"' in self.document.element("landings")
        return [("_word", self.word)] * bool(self.document.span("seen")) + [("_asked", "1")] * asked

    def was_answered(self, anew):
        # What was heard before that press was answered with it.
        if self.said(anew=anew):
            self.forced = False
            self.heard = None if self.heard_at < self.pressed else self.heard

    def said(self, *, anew):
        """Goes by the word that an answer has brought, if it has brought one."""
        seen = self.document.attributes("seen").get("data-word")
        if seen or anew:
            self.word = seen or self.told.get("data-word", "")
        if seen:
            self.document.replace("seen", self.document.element("seen").replace(f' data-word="{seen}"', ""))
        return bool(seen or anew)


class Sheet(Watched):
    """The page of one's own sheet."""

    whole, looks = "table", "look at the sheet"


class Builder(Watched):
    """A step of the builder."""

    whole = "workspace"

    def was_answered(self, anew):
        # What one has saved oneself is no news.
        super().was_answered(anew)
        if version := self.document.attributes("saved").get("data-version"):
            self.word = re.sub(r"^\d+", version, self.word)


class Table(Page):
    """The page of a party's table."""

    every, part, of_look, includes = 3, "newest", "table-live", ("seats", "against")
    whole, looks = "party-table", "look at the table"

    def leads_to(self, told):
        seats = dict(self.included(("seats",)))
        names = {"_by": "data-acts", "_at": "data-aims"}
        chosen = {one: told.get(named) or seats.get(one) for one, named in names.items()}
        query = urlencode({one: key for one, key in chosen.items() if key})
        return f"{told['hx-get']}?{query}" if told.keys() & {*names.values()} else told["hx-get"]

    def hears_pieces(self, data):
        """Others have changed these pieces of the page since a word, which is mostly the one that it has."""
        news = json.loads(data)
        self.heard, self.heard_at, seats = news["word"], time.monotonic(), self.included(("seats",))
        self.news += self.heard != self.word
        every = "data-all" in self.document.attributes("table-live")
        waits = news["touched"] and (every or any(key in news["touched"] for _name, key in seats))
        if news["since"] == self.word and not (waits or self.presses or self.looking or "_asked" in dict(self.adds())):
            self.document.swap(news["html"])
            self.document.text = self.document.text.replace(f'data-word="{self.word}"', f'data-word="{self.heard}"')
            self.word, self.looked = self.heard, time.monotonic()
            self.drawn(self)
        self.look()

    EVENTS = Page.EVENTS | {"pieces": hears_pieces}

    def question(self):
        sent = self.included(("seats", "against", "turn-shown"))
        return self.document.attributes("table-live")["hx-get"], [*sent, ("since", self.word)]

    def draws_news(self, _headers, text):
        self.document.swap(text, "table-live")
        self.word = self.told["data-word"]
        self.drawn(self)

    def has_looked(self):
        if self.heard_at < self.begun:
            self.heard = None

    def adds(self):
        asked = ('class="landed asked"' in self.document.element("landings")
                 or "gathered" in self.document.element("asked"))
        return [("_since", self.word), *[("_asked", "1")] * asked]

    def was_answered(self, anew):
        word, self.word = self.word, self.told["data-word"]
        # A press that has told the page of all that is new has told of what was heard before it.
        if word != self.word and self.heard_at < self.pressed:
            self.heard, self.forced = None, False
