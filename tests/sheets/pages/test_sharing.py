"""What the link of a sheet shows: the sheet as written, or also what becomes of it at the table."""

import re
from contextlib import suppress
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from rulesets import systems
from rulesets.kit import slots
from sheets.character import Character
from sheets.models import Sheet
from sheets.rolls.widgets import key_of
from tests.support.everyday import slow
from tests.support.guest import Guest, text_of, words_in
from tests.support.sheets.secret_game import NEW

pytestmark = pytest.mark.django_db


FIRST, SECOND, *REST = sorted(systems())


@pytest.fixture(params=[FIRST, pytest.param(SECOND, marks=pytest.mark.slow), *map(slow, REST)])
def hero(request):
    """Somebody who has shared a system's first example, the sheet alone."""
    made = Guest(next(iter(systems()[request.param].examples.values())), system=request.param)
    keep(made, "share")
    return made


def keep(guest, do, **more):
    assert guest.client.post(f"/sheets/{guest.pk}/keep/", {"do": do, **more}).status_code == 302


def play(guest):
    """Presses each roll that needs no answer, and has whatever play counts counted."""
    for offer in Character(guest.sheet).rolls():
        guest.client.post(f"/sheets/{guest.pk}/play/", {"w": key_of(offer), "_press": str(uuid4())})
    guest.client.get("/")  # which says what some of them lacked
    shape, counted = guest.sheet.system.play, {}
    for key in (key for key, slot in slots(shape).items() if slot.kind == "number"):
        with suppress(ValueError):  # some count only together with others
            shape.model_validate(guest.sheet.play | counted | {key: 1})
            counted[key] = 1
    assert Sheet.objects.filter(pk=guest.pk).update(play=guest.sheet.play | counted)
    assert guest.sheet.system.play.model_validate(counted) != guest.sheet.system.play()
    assert guest.sheet.events.exists()


def by_link(guest):
    """{address: raw answer} of all that a link leads to, to somebody without an account, and to the owner.

    It is compared with an example, for of oneself one would be shown a sheet of one's own, as it is now.
    """
    sheet = guest.sheet
    other = next(iter(sheet.system.examples))
    page, pdf, compare = (reverse("shared", args=[sheet.share]), reverse("shared-pdf", args=[sheet.share]),
                          reverse("compare", args=[sheet.ruleset]))
    rolls = [f"{page}?w={offer.key}" for offer in list(Character(sheet, others=True, unplayed=True).rolls())[:3]]
    addresses = [page, *rolls, pdf, f"{pdf}?layout=pencil", f"{compare}?a={sheet.share}&b={other}",
                 f"{compare}?a={other}&b_link={page}",
                 *(reverse("shared-file", args=[sheet.share, form]) for form in ("json", "md", "bbcode"))]
    found = {}
    for who, browser in {"reader": Client(), "owner": guest.client}.items():
        for address in addresses:
            found[who, address] = read(browser, address)
    return found


def read(browser, address):
    """A raw answer without what is new in each."""
    answer = browser.get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, address
    return re.sub(NEW, "*", answer.getvalue().decode(errors="replace"))


def test_of_a_sheet_alone_no_answer_hangs_on_what_happens_at_the_table_unless_the_owner_says_so(hero):
    page, files = reverse("shared", args=[hero.sheet.share]), ("export.json", "export.md", "export.bbcode")
    keep(hero, "show", share_play="on")
    before = read(Client(), page)
    keep(hero, "show")
    first = by_link(hero)
    play(hero)
    assert by_link(hero) == first
    keep(hero, "show", share_play="on")
    assert read(Client(), page) != before
    for file in files:
        assert read(Client(), f"{page}{file}") == first["reader", f"{page}{file}"]
    keep(hero, "show")
    assert read(Client(), page) == first["reader", page]
    keep(hero, "share", share_play="on")
    assert (hero.sheet.share_play, hero.sheet.share in page) == (True, False)


def test_a_new_link_shows_the_sheet_alone_unless_it_is_chosen_and_both_pages_say_what_it_shows(juan):
    reader, own = Client(headers={"Accept-Language": "en"}), f"/sheets/{juan.pk}/"
    press = {"w": "roll-attack-attacks-0", "_press": str(uuid4()), "defence": "0"}
    juan.client.post(f"{own}play/", press)
    assert (juan.sheet.events.count(), juan.sheet.share_play) == (1, False)
    keep(juan, "share")
    page = f"/shared/{juan.sheet.share}/"
    assert juan.sheet.share_play is False
    assert "can read the sheet as it is written:" in text_of(juan.client.get(own))
    shown = reader.get(page)
    assert "You see the sheet as it was built" in text_of(shown)
    assert 'class="tray-dice"' not in shown.text
    keep(juan, "show", share_play="on")
    assert "can read the sheet and see what happens at the table:" in text_of(juan.client.get(own))
    told = ("how the character is doing at the table", 'class="tray-dice"')
    assert words_in(reader.get(page), *told) == [*told]
    keep(juan, "revoke")
    assert juan.sheet.share is None
    keep(juan, "share", share_play="on")
    assert juan.sheet.share_play is True


def test_counters_of_the_party_are_not_the_sheets(run, monkeypatch):
    sheet = run.sheet("anna", share="t" * 20)
    monkeypatch.setitem(vars(systems()["condice"]), "shared", ("fate_spent",))
    monkeypatch.setattr(Character, "common", lambda self: pytest.fail("asked"))  # what the party has counted
    assert Client().get(f"/shared/{sheet.share}/").status_code == 200
