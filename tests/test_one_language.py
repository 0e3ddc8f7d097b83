"""A page is in one language: no word of the other but the games' own terms and what people wrote (all pages)."""

import html
import json
import re
import uuid
from functools import cache
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.utils.translation import override

from rulesets import generate, systems
from rulesets.battle_dice.cards import CATALOGUE as CARDS
from rulesets.battle_dice.keywords import KEYWORDS
from rulesets.daemmersturm.catalogue import ABILITIES, ACTION_LABELS
from rulesets.dice_rumble.talents import KNOWN_TALENTS
from sheets.api.docs_page import LISTED_SHAPES
from sheets.models import Sheet
from sheets.parties import services as parties
from tests.support.everyday import everyday
from tests.support.guest import Guest
from tests.support.rulesets.contract import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database("sqlite")]
ROOT = Path(settings.BASE_DIR)
LANGUAGES = ("en", "de")
WORD = re.compile(r"[^\W\d_]{3,}")
TERMS = [
    *KNOWN_TALENTS, *ABILITIES, *map(str, ACTION_LABELS.values()), *map(str, KEYWORDS.values()),
    *(str(card.title) for card in CARDS.values()),
    *(str(one["name"]) for card in CARDS.values() for one in card.printed_effects),
    *(str(system.title) for system in systems().values()),
]
"""The games' own terms, in their sources' German (or English) whatever the page speaks."""
NAMES = ["Deutsch English Bogenschmiede BBCode GET POST optional", *LISTED_SHAPES]
"""What is called the same in both."""


SAMPLED = re.compile(r"/($|samples/|compare/)")
"""Where sample sheets are shown, which are as somebody wrote them."""


def words(text):
    return {word.casefold() for word in WORD.findall(str(text))}


@cache
def spoken():
    """{language: every word that the program itself has in it}."""
    english, german = [], []
    for file in [*ROOT.glob("locale/**/*.po"), *ROOT.glob("rulesets/*/locale/**/*.po")]:
        for entry in polib.pofile(file):
            english += [entry.msgid, entry.msgid_plural]
            german += [entry.msgstr, *entry.msgstr_plural.values()]
    for language, texts in zip(LANGUAGES, (english, german), strict=True):
        texts += [file.read_text() for file in ROOT.glob(f"rulesets/*/rules.{language}.md")]
        texts += [file.read_text() for file in ROOT.glob(f"rulesets/*/concepts.{language}.toml")]
    return {"en": words(" ".join(english)), "de": words(" ".join(german))}


@cache
def sampled():
    """Every word that sample sheets hold."""
    return words(" ".join(json.dumps(one, ensure_ascii=False)
                          for system in systems().values() for one in system.examples.values()))


def foreign(text, language):
    """Words of a page that only the other language has; ss for ß is either way of writing German."""
    own, other = spoken()[language], spoken()["de" if language == "en" else "en"]
    return words(text) & (other - own - words(" ".join([*TERMS, *NAMES])))


def seen(answer):
    """The words that people see or hear of a page: no scripts, addresses, names of fields, keys, code or markup."""
    source = re.sub(r"<(script|style|code|pre|kbd)\b.*?</\1>", " ", answer.text, flags=re.S)
    # Time zones are called alike everywhere.
    source = re.sub(r"<option( selected)?>(?:[A-Z][\w+-]*/[\w/+-]+)", "<option>", source)
    told = re.findall(r'\b(?:title|aria-label|placeholder|alt)="([^"]*)"', source)
    return html.unescape(" ".join([re.sub(r"<[^>]*>|\[/?(?:b|i|list)\]", " ", source), *told]))


def links(answer):
    """Addresses of pages that a page leads to."""
    aside = re.compile(r"^/(static|api/v1/(rulesets|openapi))|logout|download|\.pdf|/export\.")
    found = re.findall(r'(?:href|hx-get)="(/[^"#]*)', answer.text)
    return [html.unescape(one) for one in found if not aside.search(one)]


def kind(address):
    """What is the same page of another sheet of the system, another query."""
    path, _mark, query = address.partition("?")
    at = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", path)
    sheet = Sheet.objects.filter(Q(pk=at[0]) | Q(party=at[0])).first() if at else None
    keys = ",".join(sorted(part.partition("=")[0] for part in query.split("&")))
    return sheet.ruleset if sheet else "", path.replace(at[0], "*") if at else path, keys


def everything(language, sheets):
    """A GM with a party and sheets in each system, made in the language; what is pressed is said in the other."""
    user = User.objects.create_user("vbxq", password="vbxq")
    abroad = "de" if language == "en" else "en"
    browser, other = (Client(headers={"Accept-Language": one}) for one in (language, abroad))
    browser.force_login(user)
    other.force_login(user)
    for slug, system in systems().items():
        party = parties.found_party(user, "vbxq", system)
        for seed in range(sheets):
            with override(language):
                made = generate.character(system, seeded(seed))
            sheet = Sheet.objects.create(owner=user, party=party, ruleset=slug, name="vbxq", data=made.document["data"],
                                         concept=made.concept)
            other.post(f"/drafts/{sheet.pk}/", {"do": "finish"})
            press_all(other, f"/sheets/{sheet.pk}/")
    return browser


def press_all(browser, address):
    """Every button of the sheet that makes sense as it is filled is pressed once."""
    for widget in dict.fromkeys(re.findall(r'name="w" value="([^"]+)"', browser.get(address).text)):
        browser.post(f"{address}play/", {"w": widget, "_press": str(uuid.uuid4())})


def crawl(browser, language, waiting):
    """{address: words of the other language} of all pages that are reached from some, and how many kinds there are."""
    done, wrong = set(), {}
    while waiting:
        address = waiting.pop()
        if kind(address) in done:
            continue
        done.add(kind(address))
        answer = browser.get(address)
        if answer.status_code not in (200, 404) or "html" not in answer["Content-Type"]:
            continue
        written = sampled() if SAMPLED.match(address) else set()
        if found := foreign(seen(answer), language) - written:
            wrong[address] = found
        waiting += links(answer)
    return wrong, len(done)


@pytest.mark.prove
@pytest.mark.parametrize("language", everyday(LANGUAGES[::-1]))
def test_no_page_holds_a_word_of_the_other_language(language, full):
    """With one sheet of each system, with two at full counts."""
    browser = everything(language, 2 if full else 1)
    Sheet.objects.update(share=Concat(Value("share-"), Cast("pk", CharField())), share_play=True)
    sheets = Sheet.objects.all()
    for visitor, least, starts in (
            (browser, 100, ["/", "/account/", "/api/v1/docs", "/nowhere/", *(
                address for one in sheets for address in (f"/sheets/{one.pk}/", f"/parties/{one.party_id}/table/"))]),
            (Client(headers={"Accept-Language": language}), 30, [
                "/", "/account/login/", "/account/signup/", "/verify/", "/validate/", "/import/", "/nowhere/",
                *(f"/shared/{one.share}/" for one in sheets)])):
        wrong, kinds = crawl(visitor, language, starts)
        assert kinds > least
        assert wrong == {}


@pytest.mark.parametrize(("ruleset", "key"), everyday([
    (ruleset, key) for ruleset in systems().values() for key in ruleset.offenders], each=3),
                         ids=lambda one: getattr(one, "slug", one))
def test_no_finding_and_no_mend_holds_a_word_of_the_other_language(ruleset, key):
    data = ruleset.offenders[key]["data"]
    guest = Guest({"name": "vbxq", "data": data}, system=ruleset.slug)
    for language in LANGUAGES:
        shown = guest.client.get(guest.url("finish"), headers={"Accept-Language": language})
        assert shown.status_code == 200
        assert foreign(seen(shown), language) - words(json.dumps(data, ensure_ascii=False)) == set()


@pytest.mark.parametrize(("text", "language", "found"), [
    ("Wundheilung: 3 Leben bekommen, von Aggro ziehen", "en", {"von", "ziehen", "leben", "bekommen"}),
    ("Das Leben, taken back", "de", {"taken", "back"})])
def test_a_word_of_the_other_language_is_found(text, language, found):
    assert foreign(text, language) == found
