"""Pages as htmx changes them, piece by piece, for tests."""

import html
import re

import pytest

from rulesets import systems
from tests.support.everyday import slow
from tests.support.guest import Guest, example, top

FEW = 8
"""Forms of a page that are tried, unless all of them are, twice."""
piece_by_piece = pytest.mark.parametrize(("slug", "rounds"), [
    *(pytest.param(slug, 1, marks=[pytest.mark.slow] if at > 1 else []) for at, slug in enumerate(systems())),
    *(slow(slug, 2) for slug in systems())])
"""Each system, and how often its forms are pressed."""


def presses(page, rounds):
    """Yield the names of the forms of a page that are pressed, in so many rounds."""
    found = re.findall(r'id="w-([^"]*)"', page)
    for _round in range(rounds):
        yield from found[::1 if rounds > 1 else len(found) // FEW + 1]


class Player(Guest):
    """Somebody whose page is drawn anew by htmx: it knows what the page has seen, and the key of each form."""

    def __init__(self, which="juan", system="condice"):
        """Play an example of a system, the first one without its name."""
        super().__init__(example(which or next(iter(systems()[system].examples)), system), system=system)
        self.keys = {}
        self.page = self.anew()

    def anew(self):
        """The page as it is shown now, which is what the browser then has."""
        return self.take(self.client.get(f"/sheets/{self.pk}/")).text

    def take(self, answer):
        self.seen = re.search(r'name="_seen" value="([^"]*)"', answer.text)[1]
        self.keys |= re.findall(r'id="press-([^"]*)" name="_press" value="([^"]*)"', answer.text)
        return answer

    def press(self, which, **answers):
        given = {"w": which, "_press": self.keys.get(which, ""), "_seen": self.seen, **answers}
        return self.take(self.client.post(f"/sheets/{self.pk}/play/", given, headers={"HX-Request": "true"}))


def ids(answer):
    """What an answer brings, by id, or by where it goes where that is within another."""
    places = (re.search(r'hx-swap-oob="\w+:#([\w-]+)"| id="([^"]*)"', one) for _tag, one in top(answer))
    return {place[1] or place[2] for place in places}


def piece(source, name):
    """An element of a page, by its id: (where it begins, where it ends)."""
    begin = re.search(rf'<([a-z]+)[^>]* id="{name}"', source)
    if begin[1] == "input":
        return begin.start(), source.index(">", begin.end()) + 1
    return begin.start(), end_of(source, begin.start(), begin[1])


def end_of(source, begin, name):
    """Return where an element ends that begins there, by the name of its tag."""
    depth = 0
    for tag in re.finditer(rf"<(/?){name}\b", source[begin:]):
        depth += -1 if tag[1] else 1
        if not depth:
            return source.index(">", begin + tag.end()) + 1
    raise AssertionError(source[begin:begin + 100])


def swapped(page, answer, target):
    """A page once htmx has put the pieces of an answer into their places; what has none goes where its `target` is."""
    if re.search(rf'<[a-z]+[^>]* id="{target}"(?![^>]* hx-swap-oob)', answer):
        begin, end = piece(page, target)
        page = page[:begin] + answer[slice(*piece(answer, target))] + page[end:]
    for name in re.findall(r'<[a-z]+[^>]* id="([^"]*)"[^>]* hx-swap-oob="true"', answer):
        old, new = piece(page, name), answer[slice(*piece(answer, name))]
        for kept in re.findall(r'<[a-z]+[^>]* id="([^"]*)" hx-preserve="true"></', new):
            begin, end = piece(new, kept)
            new = new[:begin] + page[slice(*piece(page, kept))] + new[end:]
        page = page[:old[0]] + new + page[old[1]:]
    for found in re.finditer(r'<([a-z]+) hx-swap-oob="([a-z]+(?:begin|end)):#([\w-]+)">', answer):
        tag, where, name = found.groups()
        brought = answer[found.end():end_of(answer, found.start(), tag)].removesuffix(f"</{tag}>")
        begin, end = piece(page, name)
        at = {"beforebegin": begin, "afterbegin": page.index(">", begin) + 1,
              "beforeend": page.rindex("</", begin, end)}[where]
        page = page[:at] + brought + page[at:]
    return page


def plain(page, name):
    """An element of a page without what is another each time, is folded by hand, or counts without scripts alone."""
    found = page[slice(*piece(page, name))]
    for often in (r' hx-swap-oob="true"', r" open(?=>)", r' fresh( falling)?(?=" id="tray")',
                  r'(?<="reading) (hurt|healed)',
                  r'(?<=name="_press" value=")[^"]*', r'(?<=name="_once" value=")[^"]*',
                  r'(?<=id="known-roll" value=")[^"]*',
                  r' data-word="[^"]*"', r'(?<=\?since=)[^"]*', r'(?<=/messages/)\?[^"]*(?=" hx-post)',
                  r'(?<=/table/)\?[^"]*(?=&amp;tools=)',
                  r'(?<=data-left=")[^<]*(?=<)', r'(?<=data-level=")[^>]*>.*?</span>',
                  r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>',
                  r'<li class="muted">.*?</li>',
                  r'<div hx-swap-oob="innerHTML:#messages">.*?</div>', r"\s+"):
        found = re.sub(often, "", found, flags=re.S)
    return found


def seatless(page):
    """A part of a page without who acts, and whom that is aimed at, which the page adds to it."""
    for often, left in ((r'\?_(by|at)=[^"]*', ""), (r'aria-current="true"', ""), (r'data-said="[^"]*"', ""), (
            r'(class="cardparticipant(?:opponent)?(?:at-turn)?)(?:acting)?(?:aimed-at)?"', r'\1"')):
        page = re.sub(often, left, page)
    return page


def answers(page, which):
    """The inputs of a form as a browser would send them."""
    form = re.search(rf'id="w-{which}".*?</form>', page, re.S)[0]
    inputs = re.findall(r'<input (?!type="checkbox")[^>]*name="([^_"][^"]*)" value="([^"]*)"', form)
    chosen = re.findall(r'<select [^>]*name="([^"]*)">.*?<option value="([^"]*)"', form, re.S)
    ticked = re.findall(r'<input type="checkbox" name="([^"+]*)" value="([^"]*)"', form)
    # The table includes what is asked once for all rolls with whatever is pressed.
    against = re.findall(r'<input [^>]*name="(against\.[^"]*)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in [*against, *inputs, *chosen, *ticked]} | {"points": "2"}
