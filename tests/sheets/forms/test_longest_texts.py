"""The longest text in every field of every form and address: an answer comes, and costs what is reserved for it.

Forms are those of all pages, as those who press there see them; fields of systems stand in the forms of their examples.
Each field gets one of the texts in its turn: some in `.ci/run`, all of them in `make prove`, which measures time.
"""

import re
from time import process_time
from urllib.parse import quote, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.core.signals import request_finished
from django.db import close_old_connections
from django.urls import reverse

from builder.limits import WRITE
from builder.wizard.steps import steps
from rulesets import systems
from rulesets.document import BYTES, canonical
from rulesets.kit import patched, slots
from sheets.api import openapi
from sheets.forms import inputs, part_inputs
from sheets.models import Member, Party, Sheet
from tests.support.addresses import OPEN, OWN, PARTY
from tests.support.database import undone
from tests.support.everybody import World, address, same
from tests.support.everyday import everyday
from tests.support.sheets.forms import Forms, ours

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
RUNS = (" ", "\t", "9", "W", "LP ", "LP" + " " * part_inputs.MAX_FIELD_TEXT, "+", "1W6 ", "(N=", "1,", "://", ".a",
        "<&", "😀", "a\u0301", "\u0315\u0300")
"""What patterns match, over and over; marks above a letter are put in order wherever a text is made whole."""
PEOPLE = ("anonymous", "guest", "owner", "gm")
LONGEST = (inputs.MAX_ROLL_ANSWER, part_inputs.MAX_FIELD_TEXT)
"""The longest texts that are read, where a page states no other length."""
EACH = 25
"""Of so many fields one is asked in `.ci/run`."""
SITE = "what there is but once"
PARTS = (SITE, *systems())


class Timed:
    """The program without the browser, which takes its time for an address, too."""

    def __init__(self, handler):
        self.handler, self.took = handler, 0.0

    def __call__(self, environ):
        began = process_time()
        answer = self.handler(environ)
        self.took = process_time() - began
        return answer


class Asked:
    """Everybody, and for each system an example that its owner plays in a party of it."""

    def __init__(self):
        self.world = World(get_user_model().objects)
        self.parts = {slug: self._played(ruleset) for slug, ruleset in systems().items()}

    def _played(self, ruleset):
        owner, gm = self.world.users["owner"], self.world.users["gm"]
        party = Party.objects.create(name="Runde", ruleset=ruleset.slug)
        for user, role in ((gm, "gm"), (owner, "player")):
            Member.objects.create(party=party, user=user, role=role)
        document = next(iter(ruleset.examples.values()))
        sheet = Sheet.objects.create(owner=owner, party=party, ruleset=ruleset.slug, name=document["name"],
                                     data=document["data"])
        return party, sheet

    def pages(self, part):
        """The addresses of a part: a system's own, or those that there are but once."""
        if part in self.parts:
            party, sheet = self.parts[part]
            named = [reverse("step", args=[sheet.pk, slug]) for slug in steps(systems()[part])]
            named += [reverse(name, args=[sheet.pk]) for name in ("sheet", "review", "history", "export", "print")]
            named += [reverse(name, args=[party.pk]) for name in ("party", "table", "opponents", "house", "scenes")]
            return [*named, *(reverse(name, args=[part]) for name in ("dicebox", "compare", "rules"))]
        sheet, party = self.world.sheets["private"].pk, self.world.party.pk
        given = [(name, row, sheet) for name, row in OWN.items()] + [(name, row, party) for name, row in PARTY.items()]
        given += [(name, row, None) for name, row in OPEN.items()]
        plain = [one for one in given if not {"number", "token", "uuid"} & set(one[1].given) and ":" not in one[0]]
        return [address(name, row, pk) for name, row, pk in plain]

    def fields(self, part):
        """Yield (who, form, button, name) of each field of each form of its pages, everything once."""
        seen = set()
        for who in PEOPLE if part == SITE else ("owner", "gm"):
            for page in self.pages(part):
                answer = self.ask(who, "GET", page)
                if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
                    continue
                for form in filter(ours, Forms(answer).forms):
                    for button in form.buttons or [("", "")]:
                        for name in form.said:
                            alike = tuple(re.sub(r"\d+|[0-9a-f-]{36}", "0", one) for one in (
                                urlsplit(form.action).path, *button, name))
                            if alike not in seen and name != "csrfmiddlewaretoken":
                                seen.add(alike)
                                yield who, form, button, name

    def ask(self, who, method, url, said=None):
        """The answer, which changes nothing in the end, with what it `took` of the processor."""
        browser = same(self.world.browsers[who])
        browser.handler = timed = Timed(browser.handler)
        with undone():
            answer = (browser.get if method == "GET" else browser.post)(url, said or {})
            answer.took = timed.took
            request_finished.disconnect(close_old_connections)
            answer.close()
            request_finished.connect(close_old_connections)
        return answer


@pytest.fixture(scope="module")
def asked(lasting_database):
    return Asked()


def long(run, most):
    return (run * (most // len(run) + 1))[:most]


def wrong(fields, full):
    """What is wrong with answers: faults of ours, and those far dearer than the answer to a short text.

    Each field is (what it is, what sends a text there, how long a text may be).
    """
    found, fields = [], [*fields]
    assert fields
    for number, (what, send, most) in enumerate(fields[::1 if full else EACH]):
        run, usual = RUNS[number % len(RUNS)], 0.0
        lengths = (most,) if most else LONGEST if full else (LONGEST[number % len(LONGEST)],)
        for text in (*run[:full], *(long(run, length) for length in lengths)):
            answer = send(text)
            if len(text) == 1:
                usual = answer.took
            # Once may be chance: what was thrown away is gathered now and then.
            dear = full and answer.took - usual > WRITE and send(text).took - usual > WRITE
            if answer.status_code >= 500 or dear:
                found.append((what, run[:9], len(text), answer.status_code, answer.took, usual))
    return found


def addressed(text):
    """As much of it as an address takes: no server reads one that is far longer."""
    return text[:part_inputs.MAX_FIELD_TEXT * len(text) // len(quote(text))]


@pytest.mark.prove
@pytest.mark.parametrize("part", everyday(PARTS, each=3))
@pytest.mark.alike
def test_every_field_of_every_form_takes_the_longest_text(asked, part, full):
    def sends(who, form, button, name):
        room = addressed if form.method == "GET" else str
        return lambda text: asked.ask(who, form.method, form.action,
                                      {**form.said, button[0]: [button[1]], name: [room(text)]})

    assert not wrong((((one[0], one[1].action, *one[2:]), sends(*one), one[1].room.get(one[3]))
                      for one in asked.fields(part)), full)


@pytest.mark.prove
@pytest.mark.parametrize("slug", systems())
def test_every_parameter_of_every_roll_takes_the_longest_text(asked, slug, full):
    def sends(roll, key):
        return lambda text: asked.ask("anonymous", "GET", reverse("odds", args=[slug, roll]), {key: addressed(text)})

    assert not wrong((((roll, key), sends(roll, key), None) for roll, shape in systems()[slug].rolls.items()
                      for key in (*slots(shape), *openapi.PART, openapi.LANGUAGE)), full)


@pytest.mark.prove
@pytest.mark.parametrize("slug", systems())
def test_every_text_of_a_document_may_be_as_long_as_a_document_is(asked, slug, full):
    document = next(iter(systems()[slug].examples.values()))
    room = BYTES - len(canonical(document))

    def sends(path):
        # A tab is written with two signs.
        return lambda text: asked.ask("anonymous", "POST", reverse("validator"), {"document": canonical(patched(
            document, {path: text.encode()[:room // 2].decode(errors="ignore")})).decode()})

    assert not wrong(((path, sends(path), None) for path in leaves(document)), full)


def leaves(tree, path=""):
    """Yield the paths of all texts in a document."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        here = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict | list):
            yield from leaves(value, here)
        elif isinstance(value, str):
            yield here
