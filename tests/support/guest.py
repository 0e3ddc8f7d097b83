"""Somebody who builds without an account, for tests of the wizard."""

import html
import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client

from rulesets import systems
from sheets.guests import SALT
from sheets.models import Sheet
from tests.support.builder.accounts import PASSWORD, sign_in

STEPS = ["figure", "values", "attacks", "abilities", "finish"]
"""ConDice's."""


def example(which="juan", system="condice"):
    """An example's document."""
    return systems()[system].examples[which]


class Guest:
    """A browser without an account and the draft that it works on; `user` signs it in before."""

    def __init__(self, document=None, *, system="condice", user=None, **options):
        # Answers are looked at as people see them, a fault of ours included.
        self.client = Client(raise_request_exception=False, headers={"Accept-Language": "en"}, **options)
        if user:
            self.client.force_login(user)
        answer = self.client.post(f"/build/{system}/")
        self.pk = answer["Location"].split("/")[2]
        if document:
            Sheet.objects.filter(pk=self.pk).update(name=document["name"], data=document["data"])

    @property
    def sheet(self):
        """The draft as it is stored now."""
        return Sheet.objects.get(pk=self.pk)

    @property
    def data(self):
        """What the draft says now."""
        return self.sheet.data

    def url(self, slug=""):
        """A step's address; the draft's own without a step."""
        return f"/drafts/{self.pk}/{slug}/" if slug else f"/drafts/{self.pk}/"

    def get(self, slug="figure", *, htmx=False, **query):
        """A step's page, or what htmx gets of it."""
        return self.client.get(self.url(slug), query, headers=_htmx(htmx))

    def post(self, slug="values", fields=None, *, htmx=False, version=None, **more):
        """Posts a step's form; fields by their paths, from the page as it is now unless `version` says otherwise."""
        version = self.sheet.version if version is None else version
        return self.client.post(self.url(slug), {"_version": version, **(fields or {}), **more}, headers=_htmx(htmx))

    def whole(self, do):
        """Posts a button for the draft as a whole."""
        return self.client.post(self.url(), {"do": do})


def _htmx(on):
    return {"HX-Request": "true"} if on else {}


def text_of(answer):
    """The words of an answer: markup out, entities read, white space made one."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def words_in(said, *words):
    """Return those of the words that a text or an answer holds, in the order in which they are asked for."""
    return [word for word in words if word in (said if isinstance(said, str) else said.text)]


OTHERS = {"csrfmiddlewaretoken", "is", "next", "q", "rows"}
"""Inputs of the forms around the draft's own."""


def inputs_of(answer):
    """{name: value} of the inputs of a draft that an answer shows, as a browser would send them."""
    source = answer.text
    found = {}
    for tag in re.findall(r"<input [^>]*>", source):
        attributes = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        if "name" in attributes and (attributes.get("type") not in ("checkbox", "radio") or " checked" in tag):
            found[attributes["name"]] = html.unescape(attributes.get("value", ""))
    for name, inner in re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>', source, re.S):
        found[name] = html.unescape(inner)
    for name, inner in re.findall(r'<select [^>]*name="([^"]*)"[^>]*>(.*?)</select>', source, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', inner) or re.search(r'<option value="([^"]*)"', inner)
        found[name] = html.unescape(chosen[1])
    return {name: value for name, value in found.items() if name not in OTHERS}


EMPTY = ("input", "br", "link", "meta")
"""Elements that hold nothing."""


def inside(answer):
    """{id: source} of what the elements of an answer hold, each id once."""
    source, found, there = answer.text, {}, []
    for tag in re.finditer(r"<(/?)([a-z0-9]+)([^>]*?)(/?)>", source):
        closing, name, attributes, empty = tag.groups()
        if closing:
            one, start = there.pop()
            if one:
                assert one[1] not in found, one[1]
                found[one[1]] = source[start:tag.start()]
        elif not empty and name not in EMPTY:
            there.append((re.search(r'(?:^| )id="([^"]*)"', attributes), tag.end()))
    return found


def top(answer):
    """[(tag, attributes)] of the outermost elements of a fragment."""
    found, depth = [], 0
    for closing, tag, attributes, empty in re.findall(r"<(/?)([a-z0-9]+)([^>]*?)(/?)>", answer.text):
        if closing:
            depth -= 1
            continue
        if not depth:
            found.append((tag, attributes))
        depth += not empty and tag not in EMPTY
    assert depth == 0
    return found


def guest_of(client):
    """Return the key of the guest who sits at a browser, as its cookie has it."""
    name, request = settings.GUEST_COOKIE_NAME, HttpRequest()
    request.COOKIES[name] = client.cookies[name].value
    return request.get_signed_cookie(name, salt=SALT)


def let_in(client, user):
    """Sign somebody in by the page, at a browser in which a guest may have been before."""
    user.set_password(PASSWORD)
    user.save()
    assert sign_in(client, user.username).status_code == 302


def held(client, url):
    """Return the cookies by which a site knows who sits at a browser, as Chromium takes them."""
    names = (settings.SESSION_COOKIE_NAME, settings.GUEST_COOKIE_NAME)
    return [{"name": name, "value": client.cookies[name].value, "url": url} for name in names if name in client.cookies]


def sits(client, key):
    """Make a browser the one in which a guest made the sheets of a key."""
    answer = HttpResponse()
    answer.set_signed_cookie(settings.GUEST_COOKIE_NAME, key, salt=SALT)
    client.cookies.update(answer.cookies)
