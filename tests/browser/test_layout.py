"""Every page that every role reaches is laid out well: wide and narrow, light and dark, in German and English.

A page that says to one role what it said to another before is looked at once. What only a form that was sent answers
is not among them, and what is folded is looked at unfolded on the phone.
"""

import re
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db.models import F, Q
from django.test import Client
from django.utils import timezone

from builder.management.commands.demo import GM, PLAYER
from rulesets import systems
from sheets.audit_log.chain import append
from sheets.audit_log.check_codes import grouped
from sheets.character import Character
from sheets.evenings.services import plan
from sheets.faces.pictures import HANDOUT, glance, rewritten
from sheets.faces.services import bring_portrait
from sheets.history.revisions import save_revision
from sheets.models import (
    AskedRoll,
    Event,
    Handout,
    HandoutReader,
    Party,
    Reply,
    Report,
    Review,
    Scene,
    Sheet,
)
from sheets.reviews.comments import comment_fields
from sheets.rolls.widgets import key_of
from sheets.stage.panel import FRESH
from tests.support.browser.layout import WIDTHS, faults, looked_over
from tests.support.guest import guest_of
from tests.support.sheets.files import file_of, thirds
from tests.support.sheets.table_people import keep_waiting
from tests.test_one_language import press_all

pytestmark = pytest.mark.browser

LOCALES = {"de": "de-DE", "en": "en-GB"}
NEITHER = ""
"""In the place of a system: the pages that belong to none."""
STARTS = ("/", "/account/login/", "/account/signup/", "/account/", "/account/2fa/", "/verify/", "/api/v1/docs",
          "/invitations/", "/reports/", "/parties/", "/sheets/trash/", "/account/delete/", "/join/there/", "/nowhere/")
LEFT = re.compile(r"^/(static|media|api/v1/(?!docs)|i18n)|/logout/|/download|\.pdf\b|/export\.\w+$|/health")
OF_ONE = re.compile(
    r"^/parties/[^/]+/(settings|handouts|evening|ready|leave|print|scenes/$)|^/sheets/[^/]+/(export|picture)/")
"""What is laid out for every system as it is for the first."""
KEY = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
NEW = re.compile(r'value="[^"]*"|[0-9a-f]{8}-[0-9a-f-]{27}|\d\d:\d\d')

LINKS = """() => [...document.querySelectorAll("a[href]:not([download])")]
  .filter((one) => one.origin === location.origin).map((one) => one.pathname + one.search)"""


@pytest.fixture
def font():
    """The widest: what fits with it fits."""
    return "wide"


def populated(slug, settings):
    """{role: browser} of all who reach pages, signed in; a system's examples are played and shared, one is broken."""
    settings.DEVELOPMENT = True
    call_command("demo")
    people = get_user_model().objects
    browsers = {who: Client(raise_request_exception=False) for who in ("gm", "player", "guest", "stranger")}
    browsers["gm"].force_login(people.get(username=GM))
    browsers["player"].force_login(people.get(username=PLAYER))
    people.filter(username=GM).update(is_superuser=True)
    Party.objects.filter(ruleset=slug or "condice").update(invitation="there")
    if not slug:
        return browsers
    made = Sheet.objects.filter(ruleset=slug).order_by("pk").first()
    press_all(browsers["player"], f"/sheets/{made.pk}/")
    # What has just fallen lies over the page for a while, and is meant to.
    Event.objects.update(made=F("made") - 2 * FRESH)
    Sheet.objects.filter(pk=made.pk).update(share="x" * 32, share_play=True, notes="Schuldet dem Wirt drei Taler.")
    if made.party:
        if pressed := Event.objects.filter(sheet=made).last():
            # At another sheet, so that this one looks as it mostly does.
            keep_waiting(pressed, made.party.sheets.exclude(pk=made.pk).last() or made)
        Scene.objects.create(party=made.party, name="Der Abend, an dem die Mine einstürzte")
        AskedRoll.objects.create(party=made.party, sheet=made, key=made.pk, note="Knarrt da eine Diele?",
                                 widget=key_of(next(Character(made).rolls())), titles={"de": "Wurf", "en": "Roll"})
        member, large = made.party.members.get(user__username=PLAYER), rewritten(file_of(thirds()), HANDOUT)
        for title in ("Ein Brief, der im Futter des Mantels steckte", "Der Plan der Mine"):
            given = Handout.objects.create(party=made.party, key=uuid4(), title=title, text="Kommt allein.\n\nH.",
                                           large=large, small=glance(large))
            HandoutReader.objects.create(handout=given, member=member)
        HandoutReader.objects.filter(handout=given).update(opened=given.made)
        day = timezone.now().replace(minute=0, second=0, microsecond=0)
        dates = [day + timedelta(days=number) for number in (9, 11, 14)]
        plan(made.party.members.get(user__username=GM), dates if slug == min(systems()) else dates[:1],
             "Europe/Berlin", 2, "Bei Anna; bringt Würfel mit.")
        revision = save_revision(made, "finished", made.owner)
        entry = append("returned", people.get(username=GM), sheet=made, revision=revision,
                       said={"comment": "Fast.", "at": {commented(made): "Das hatten wir anders besprochen."}})
        Reply.objects.create(entry=entry, path=commented(made), author=made.owner, text="Nein?")
    bring_portrait(lambda: made, file_of(thirds().crop((0, 0, 96, 48))))
    Report.objects.create(sheet=made, said="Das ist mein Foto, und ich habe es niemandem gegeben.")
    begun = browsers["guest"].post(f"/build/{slug}/")["Location"].split("/")[2]
    offender = next(iter(systems()[slug].offenders.values()))
    Sheet.objects.filter(pk=begun).update(data=offender["data"])
    browsers["stranger"].post(f"/build/{slug}/")
    assert guest_of(browsers["guest"])
    return browsers


def commented(sheet):
    """The path of the first field of a sheet that can be commented on."""
    return comment_fields(sheet.system, sheet.data, {})[0].path


def starts(slug, who):
    """Addresses from which a role goes on."""
    if not slug:
        return [*STARTS, f"/verify/{grouped(Review.objects.exclude(code=None).first().code)}/"]
    sheets = Sheet.objects.filter(ruleset=slug).order_by("pk")
    own = sheets.filter(owner__isnull=who in ("guest", "stranger"))
    if who in ("guest", "stranger"):
        # The guest's is the broken one.
        broken = Sheet.objects.filter(data=next(iter(systems()[slug].offenders.values()))["data"]).values("pk")
        own = own.filter(pk__in=broken) if who == "guest" else own.filter(name="").exclude(pk__in=broken)
    at = own.first().pk
    found = [f"/drafts/{at}/", f"/sheets/{at}/", f"/rules/{slug}/", f"/dice/{slug}/", f"/compare/{slug}/"]
    return found + [f"/shared/{'x' * 32}/"] * (who == "stranger")


def system_of(address):
    """The system that an address belongs to; "" for those of none, None for one that leads to nothing."""
    path = urlsplit(address).path
    if at := KEY.search(path):
        sheet = Sheet.objects.filter(Q(pk=at[0]) | Q(party=at[0])).first() or Party.objects.filter(pk=at[0]).first()
        return sheet.ruleset if sheet else None
    if path.startswith("/shared/"):
        return Sheet.objects.values_list("ruleset", flat=True).filter(share=path.split("/")[2]).first()
    return next((slug for slug in systems() if f"/{slug}/" in path), "")


def kind(address):
    """What is the same page of another sheet, person or question."""
    path, query = urlsplit(address)[2:4]
    path = re.sub(r"/\d+/", "/*/", KEY.sub("*", path))
    path = re.sub(r"^/(verify|shared)/[^/]+", r"/\1/*", path)
    return path, *sorted({key for key, _value in parse_qsl(query)} - {"next", "page", "last", "before"})


def crawl(page, slug, waiting, seen, done, look, left=LEFT):
    """{address: faults} of what is reached from addresses but those `left`, as `look` finds them on a page.

    `seen` are the pages that anybody has seen before.
    """
    wrong = {}
    while waiting:
        address = waiting.pop(0)
        if LEFT.search(address) or left.search(address) or kind(address) in done or system_of(address) != slug:
            continue
        done.add(kind(address))
        answer = page.goto(address)
        if answer is None or "html" not in answer.headers.get("content-type", ""):
            continue
        waiting += page.evaluate(LINKS)
        done.add(kind(page.url))
        said = NEW.sub("*", page.locator("main").inner_html() if page.locator("main").count() else page.content())
        if said in seen:
            continue
        seen.add(said)
        for how, sentences in look(page).items():
            wrong[(address, *how)] = sentences
    return wrong


@pytest.mark.parametrize("slug", [NEITHER, *systems()])
def test_nothing_is_cut_off_covered_broken_or_too_small(visit, settings, full, slug):
    """Of what is the same in each system the first one's is looked at; in `make prove` everybody's of all."""
    visit.expect("the server responded with a status of")
    browsers, wrong = populated(slug, settings), {}
    # German words are the longest. What GMs and strangers see of a system is laid out as it is for the first one, and
    # what a phone has room for finds it on a wide screen.
    whole = full or slug in (NEITHER, next(iter(systems())))
    for language in LOCALES if full else ["de"]:
        seen, reached, widths = set(), 0, WIDTHS if whole else WIDTHS[:1]
        roles = browsers if whole else ("player",)
        for who in roles:
            page = visit(client=browsers[who], locale=LOCALES[language])
            done = set()
            found = crawl(page, slug, starts(slug, who), seen, done, partial(looked_over, widths=widths),
                          LEFT if whole else OF_ONE)
            wrong |= {(who, language, *key): sentences for key, sentences in found.items()}
            reached += len(done)
            page.context.close()
        assert reached > 10 * len(roles) - 10
    assert wrong == {}, "\n".join(f"{' '.join(map(str, key))}\n  " + "\n  ".join(sentences)
                                  for key, sentences in wrong.items())


PLANTED = """<!doctype html><html lang="{lang}"><head><style>
  body {{ margin: 16px; font: 16px/1.5 sans-serif; overflow-wrap: break-word; }}
  .ear {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
  .big {{ display: inline-block; min-width: 44px; line-height: 44px; }}
</style></head><body>{body}</body></html>"""
GOOD = """
  <p>Im laufenden Satz steht <a href="/x">ein Verweis</a>, so klein wie er will.</p>
  <p style="width: 8em">Ein Wort der Donau-Dampfschiffe und Dampf&shy;schiff&shy;fahrts&shy;gesell&shy;schaft.</p>
  <p style="width: 8em; overflow-wrap: anywhere">https://example.org/eineLangeAdresseOhneEnde</p>
  <span class="ear">Nur für die Ohren, und so lang wie es will</span>
  <div style="overflow: auto; width: 100px"><p style="width: 900px">Was rollt, darf breiter sein.</p></div>
  <details><summary class="big">Mehr davon</summary><button>x</button></details>
  <label style="display: block; line-height: 44px"><input type="checkbox"> Mit seinem Wort</label>
  <a class="big" href="/y">Weiter</a>"""
FAULTS = {
    "scrolls sideways": '<p style="width: 500px">Zu breit</p>',
    "cut off": '<p style="width: 100px; overflow: hidden; white-space: nowrap">Verteidigungswurf gegen</p>',
    "cut off 2": '<div style="height: 20px; overflow: clip"><p>Eine Zeile<br>und noch eine</p></div>',
    "runs": '<p style="width: 60px; white-space: nowrap">Verteidigungswurf</p>',
    "is broken without a hyphen": '<p style="width: 60px">Verteidigungswurf</p>',
    "its centre is covered by": '<div style="position: relative"><a class="big" href="/x">Würfeln</a>'
                                '<p style="position: absolute; inset: 0; margin: 0">Chart</p></div>',
    "wide to a finger": '<button style="width: 30px; height: 44px; padding: 0">−</button>',
    "high to a finger": '<p><a href="/x" style="display: inline-block; width: 80px">Abmelden</a></p>',
    "its figure is": '<input type="number" value="123456" style="width: 44px; height: 44px; padding: 0">',
}


def test_the_look_at_a_page_finds_each_fault_and_no_other(visit):
    page, found = visit(), {}
    for fault, body in {"": "", **FAULTS}.items():
        page.set_content(PLANTED.format(lang="de", body=GOOD + body))
        found[fault] = faults(page, 360)
    assert found.pop("") == []
    for fault, sentences in found.items():
        assert sentences, fault
        assert all(fault.removesuffix(" 2") in one or "reaches to" in one for one in sentences), sentences
