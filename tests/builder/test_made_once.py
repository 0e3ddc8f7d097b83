"""A form that makes something makes it once: each of them is found on its page, and sent twice."""

import json
import re
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from builder.models import Invitation, SpentKey
from builder.once import KEY_LIFETIME
from builder.sent import PRIVATE
from rulesets.daemmersturm.tests.helpers import LINE
from sheets.models import Handout, Member, Party, PartyEntry, Reply, Report, Review, Revision, Scene, Sheet
from sheets.parties import services as parties
from tests.support.addresses import OPEN, OWN, PARTY
from tests.support.database import undone
from tests.support.everybody import World, address, same
from tests.support.guest import example, words_in
from tests.support.sheets.forms import Forms, ours

pytestmark = pytest.mark.django_db
THINGS = (Sheet, Party, PartyEntry, Member, Scene, Handout, Report, Reply, Review, Revision, Invitation)
DOCUMENT = json.dumps({"format": "bogenschmiede.sheet", "version": 1, "ruleset": "condice", "name": "Juan",
                       "data": example()["data"]})
SAID = ("That has already been done", "Das ist schon passiert")
TYPED = {"name": "Die Runde", "_name": "Wolf", "title": "Ein Brief", "text": "Komm allein.", "said": "Das Bild",
         "document": DOCUMENT, "comment": "Bitte", "budget": "31"}
"""What is typed into fields that stand empty."""
FILE = re.compile("pdf|portrait|preview|page-picture|file|download|:")
"""Addresses of files, and those that are in the table twice."""
PEOPLE = ("gm", "owner", "stranger", "guest")


@pytest.fixture(scope="module")
def made(lasting_database):
    users = get_user_model().objects
    world = World(users)
    users.filter(username="gm").update(is_superuser=True)
    Sheet.objects.filter(pk=world.sheets["private"].pk).update(data=example()["data"], typed={})
    world.scene.delete()
    return world


@pytest.fixture
def world(made):
    return made.again()


def addresses(world):
    """Return those of all pages."""
    found = [f"/join/{world.party.invitation}/", "/invitations/",
             f"/shared/{world.sheets['private'].share}/report/"]
    sheets = [world.sheets[which].pk for which in ("private", "loose", "guests")]
    for rows, keys in ((OWN, sheets), (PARTY, [world.party.pk]), (OPEN, [None])):
        for name, row in rows.items():
            if row.get == 200 and not FILE.search(name) and not {"number", "uuid"} & {*row.given}:
                found += [address(name, row, pk) for pk in keys]
    return found


def forms(world):
    """Yield (who, form, button) of each kind that is not a press, as somebody of each kind finds it."""
    for who in PEOPLE:
        known = set()
        for one in addresses(world):
            answer = world.browsers[who].get(one)
            if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
                continue
            for form in Forms(answer).forms:
                for button in form.buttons or [("", "")]:
                    # Presses have keys of their own; those of accounts are sent in test_account_made_once.py.
                    sends = form.method == "POST" and ours(form) and not form.action.startswith(PRIVATE)
                    if not sends or "_press" in form.said:
                        continue
                    kind = re.sub(r"[0-9a-f-]{36}", "", form.action), button[1].partition(":")[0], len(form.said)
                    if kind not in known:
                        known.add(kind)
                        yield who, form, button


def filled(world, form, button):
    """Return what a browser sends of a form with a button, typed where it stands empty."""
    said = {name: value if "".join(value).strip() else [TYPED.get(name, "")] for name, value in form.said.items()}
    said |= {button[0]: [button[1]]} if button[0] else {}
    if form.action in ("/import/", "/paste/"):
        said |= {"do": ["import"], "document": [LINE if form.action == "/paste/" else DOCUMENT]}
    if said.get("do") == ["lay-out"]:
        said["sheet"] = [str(world.mine.pk)]
    return said


def things():
    """Return how many there are of all that can be made."""
    return {one.__name__: one.objects.count() for one in THINGS}


@pytest.mark.alike
def test_each_form_that_makes_something_makes_it_once_however_often_it_arrives(world):
    world.mine = Sheet.objects.create(ruleset="condice", owner=world.users["gm"], name="Meiner", data=example()["data"])
    makers, twice = set(), []
    for who, form, button in forms(world):
        sent, browser = filled(world, form, button), same(world.browsers[who])
        with undone():
            before = things()
            browser.post(form.action, sent)
            first = things()
            if before == first:
                continue
            makers |= {name for name in first if first[name] > before[name]}
            again = browser.post(form.action, sent)
            if things() != first or ("_once" in sent and not words_in(again, *SAID)):
                twice.append((who, form.action, sent.get("do")))
    assert twice == []
    assert makers == {"Sheet", "Party", "PartyEntry", "Member", "Scene", "Handout", "Report", "Reply", "Review",
                      "Revision", "Invitation"}


@pytest.fixture
def found(django_user_model):
    """Found a party, by a form with this key."""
    browser = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
    browser.force_login(django_user_model.objects.create_user("anna"))

    def send(key, name="Runde", **more):
        return browser.post("/parties/", {"_once": key, "name": name, "ruleset": "condice", **more})

    send.browser = browser
    send.parties = lambda: sorted(Party.objects.filter(members__user__username="anna").values_list("name", flat=True))
    return send


def test_who_sends_it_again_reads_when_it_was_done_is_led_there_and_may_do_it_anew_with_what_was_typed(found):
    key = str(uuid4())
    made = found(key)["Location"]
    answer = found(key, "Andere Runde")
    local = localtime(SpentKey.objects.get().made)
    said = "That has already been done"
    assert words_in(answer, said, date_format(local, "TIME_FORMAT"), "Andere Runde", f"/done/{key}/")
    assert found.browser.get(f"/done/{key}/")["Location"] == made
    form = next(one for one in Forms(answer).forms if one.action == "/parties/")
    again = found.browser.post(form.action, form.said)
    assert (again.status_code, found.parties()) == (302, ["Andere Runde", "Runde"])


def test_a_second_click_is_led_to_what_the_first_one_made(found):
    key = str(uuid4())
    made = found(key)["Location"]
    assert found.browser.get(found(key, _twice="1")["Location"])["Location"] == made


def test_what_made_nothing_spends_no_key(found):
    key = str(uuid4())
    assert found(key, name="").status_code == 422
    assert found(key).status_code == 302


@pytest.mark.parametrize("meanwhile", [parties.found_party, lambda *_words: None], ids=["it writes", "it does not"])
def test_what_arrives_while_the_first_one_is_under_way_makes_nothing(found, monkeypatch, meanwhile):
    key = uuid4()

    def founding(*words):
        SpentKey.objects.create(key=key, place="/parties/")
        with transaction.atomic():
            return meanwhile(*words) or Party(pk=uuid4())

    monkeypatch.setattr("sheets.parties.views.party.parties.found_party", founding)
    assert words_in(found(str(key)), "That has already been done")
    assert not found.parties()


def test_keys_are_forgotten_after_a_week_and_what_is_no_key_is_none(found):
    old = SpentKey.objects.create(key=uuid4(), made=timezone.now() - KEY_LIFETIME)
    assert found("x").status_code == 302
    assert found(str(uuid4())).status_code == 302
    assert not SpentKey.objects.filter(pk=old.pk).exists()
