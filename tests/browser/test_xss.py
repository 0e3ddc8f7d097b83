"""What people wrote stays text: payloads in every text field, on every page that shows it, without the policy's help.

The browser ignores the content policy here, so that whatever got through would run; each page is looked through for
elements and addresses that no template writes.
"""

import json
import re
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import blank, slots, tag_of
from sheets.history.revisions import save_revision
from sheets.models import Event, Sheet
from tests.support.browser.kinds import every_system
from tests.support.browser.payloads import PAYLOADS
from tests.support.browser.sheet_actions import unfold
from tests.support.browser.waits import LONGEST, quiet
from tests.support.everyday import everyday
from tests.support.guest import Guest, held

pytestmark = pytest.mark.browser

WATCH = """
window.ran = [];
window.x = (...what) => window.ran.push(String(what));
for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = window.x;
"""
FOUND = """() => [...window.ran, ...[...document.querySelectorAll("*")].flatMap(one => [...one.attributes]
  .filter(it => /^on/i.test(it.name) || (/^(srcdoc|style|background|xlink:href)$/i.test(it.name)
      && !/^--tall: \\d+px;$/.test(it.value))
    || (/^(href|src|action|formaction|data)$/i.test(it.name) && !/^(\\/(?!\\/)|#|\\?|$)/.test(it.value)
      && !(one.matches("head > link[rel=canonical]") && it.value === location.origin + location.pathname)))
  .map(it => one.tagName + " " + it.name + "=" + it.value)),
  ...[...document.querySelectorAll("iframe, object, embed, base, math, marquee, video, audio, meta[http-equiv], " +
    "img:not([src^='/sheets/']), " +
    "svg script, foreignObject, body style, [contenteditable], xss")].map(one => one.outerHTML)]"""


def packed(most=200) -> list[str]:
    """The payloads, as many in one text as a name holds."""
    found = [""]
    for one in PAYLOADS:
        if len(found[-1]) + len(one) > most:
            found.append("")
        found[-1] += one
    return found


def filled(slug) -> dict:
    """The first example of a system with a payload in each text of each row, and a row for each payload."""
    document = json.loads(json.dumps(next(iter(systems()[slug].examples.values()))))
    for key, slot in slots(systems()[slug].sheet).items():
        if slot.kind == "rows":
            tag = tag_of(slot.parts[-1], slot.tag) if slot.tag else None
            sample = blank(slot.member(tag), **({slot.tag: tag} if tag else {}))
            rows = [{**sample, **worded(slot.member(tag), number)} for number in range(len(PAYLOADS))]
            document["data"][key] = rows
    data = systems()[slug].sheet.model_validate(document["data"]).model_dump()
    return document | {"name": packed()[0], "data": data}


def worded(part, number) -> dict:
    """A payload for each free text of a row that takes it."""
    texts = [key for key, slot in slots(part).items() if slot.kind == "text"]
    found = {key: PAYLOADS[(number + place) % len(PAYLOADS)] for place, key in enumerate(texts)}
    return {key: text for key, text in found.items() if takes(slots(part)[key], text)}


def takes(slot, text) -> bool:
    """Whether a field takes a text at all."""
    try:
        slot.adapter.validate_python(text)
    except ValidationError:
        return False
    return True


@pytest.fixture
def looked(chromium, transactional_db, live_server):
    """Answers a function that opens an address of a guest's and looks through the page."""
    context = chromium.new_context(base_url=live_server.url, bypass_csp=True, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(LONGEST)
    context.add_init_script(WATCH)
    page, wrong = context.new_page(), []
    page.on("dialog", lambda dialog: (dialog.type == "beforeunload" or wrong.append(dialog.message), dialog.accept()))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda one: None if one.url.startswith(live_server.url) else wrong.append(one.url))
    page.on("popup", lambda one: wrong.append(f"window {one.url}"))

    def look(address=""):
        if address:
            page.goto(address)
        page.wait_for_load_state()
        assert page.evaluate(FOUND) == [], page.url
        assert page.url.startswith(live_server.url)
        assert wrong == []
        return page

    look.sit = lambda guest: context.add_cookies(held(guest.client, live_server.url))
    yield look
    context.close()
    assert wrong == []


def played(guest):
    """The sheet as it looks after a session in which everything was named by payloads."""
    sheet = guest.sheet
    sheet.notes, sheet.share, sheet.share_play = "\n".join(PAYLOADS)[:4000], "s" * 32, True
    sheet.typed = {key: PAYLOADS[0] for key, value in sheet.data.items() if isinstance(value, int)}
    shape = systems()[sheet.ruleset].play
    for key, slot in slots(shape).items():
        named = slot.kind == "rows" and any(one.kind == "text" for one in slots(slot.parts[0]).values())
        if named and not slots(slot.parts[0]).get("target"):
            sheet.play[key] = [{**blank(slot.parts[0]), **worded(slot.parts[0], number)} for number in range(60)]
    shape.model_validate(sheet.play)
    sheet.save()
    for one in PAYLOADS[:40]:
        Event.objects.create(sheet=sheet, key=f"{len(sheet.events.all()):032x}", widget="x", title=one, act="damage",
                             text=one[::-1] + one, before={})


def test_the_watch_sees_what_runs(chromium):
    """A payload that is written as it is does show: without this the tests below would prove little."""
    context = chromium.new_context(bypass_csp=True)
    context.add_init_script(WATCH)
    context.route("**", lambda route: route.abort())
    context.route(re.compile(r"control\.example/\d+$"), lambda route: route.fulfill(
        body=f"<!doctype html><body>{PAYLOADS[int(route.request.url.rsplit('/', 1)[1])]}", content_type="text/html"))
    page, unseen = context.new_page(), []
    for number, payload in enumerate(PAYLOADS):
        if "<" not in payload or "refresh" in payload or payload.startswith(("[", "{", "&")):
            continue
        page.goto(f"http://control.example/{number}", wait_until="commit")
        page.wait_for_load_state("domcontentloaded")
        if not page.evaluate(FOUND):
            unseen.append(payload)
    context.close()
    assert len(unseen) < 12, unseen


@pytest.mark.parametrize("slug", everyday([*systems()]))
def test_nothing_that_was_written_runs_on_any_page_of_its_sheet(looked, slug):
    guest = Guest(filled(slug), system=slug)
    looked.sit(guest)
    played(guest)
    for stage in guest.get().context["wizard"].stages:
        looked(f"/drafts/{guest.pk}/{stage.step.slug}/")
    for where in ("", "print/", "export/"):
        page = looked(f"/sheets/{guest.pk}/{where}")
        assert PAYLOADS[5] in page.locator("body").inner_text() + page.locator("body").inner_html()
    looked(f"/shared/{'s' * 32}/")
    page = looked(f"/sheets/{guest.pk}/")
    row = page.locator("article.roll-row").first
    unfold(page, row)
    row.locator("button.roll").click()
    quiet(page)
    expect(page.locator("#tray .tray-outcome")).to_be_visible()
    looked()
    page.locator("button[name=_event]").first.click()
    expect(page.locator(".log > .undone").first).to_be_visible()
    looked()


@every_system
def test_nothing_runs_in_conflict_validator_and_import(looked, slug):
    document = filled(slug)
    guest = Guest(document, system=slug)
    looked.sit(guest)
    listed = {key for key, slot in slots(systems()[slug].sheet).items() if slot.kind == "rows"}
    stage = next(one for one in guest.get().context["wizard"].stages if listed.intersection(one.keys))
    page = looked(f"/drafts/{guest.pk}/{stage.step.slug}/")
    sheet = guest.sheet
    lists = [value for value in sheet.data.values() if isinstance(value, list)]
    for row in [row for rows in lists for row in rows if isinstance(row, dict)]:
        row.update({key: text + "</b>" for key, text in row.items() if isinstance(text, str) and text in PAYLOADS})
    sheet.version += 1
    sheet.save()
    page.locator("[name$='.name']").first.fill(PAYLOADS[3] + PAYLOADS[4])
    expect(page.locator(".conflict fieldset").first).to_be_visible()
    assert page.locator(".conflict fieldset").count() > 1
    looked()

    broken = json.loads(json.dumps(document))
    broken["data"] |= dict.fromkeys(PAYLOADS, PAYLOADS[0])
    for tree in (document, broken, document | {"ruleset": PAYLOADS[0]}, document | dict.fromkeys(PAYLOADS, 1)):
        for address in ("/validate/", "/import/"):
            page = looked(address)
            page.locator("#document").fill(json.dumps(tree))
            with page.expect_navigation():
                page.locator("#check button[value=check]:not([tabindex])").last.click()
            looked()
    page = looked("/validate/")
    page.locator("#document").fill("{" + "".join(PAYLOADS))
    expect(page.locator("#verdict .note").first).to_be_visible()
    looked()


def test_nothing_runs_that_is_a_sheets_name(looked, full):
    """Lists, titles, headings; and the search that repeats what was asked."""
    guest = Guest()
    looked.sit(guest)
    key = guest.sheet.guest
    data = guest.data
    named = [Sheet.objects.create(ruleset="condice", name=one, data=data, guest=key, notes=one) for one in packed()]
    # Each page forgets to treat a text as one for all names or for none.
    for sheet in named if full else named[::6]:
        save_revision(sheet, "finished", None)
        save_revision(sheet, "finished", None, {"name": sheet.name[::-1], "data": data, "house": {}})
        for address in (f"/sheets/{sheet.pk}/", f"/sheets/{sheet.pk}/print/", f"/drafts/{sheet.pk}/finish/",
                        f"/sheets/{sheet.pk}/history/", f"/sheets/{sheet.pk}/history/?of=1"):
            page = looked(address)
        assert page.locator("title").count() == 1
    pages, page = 1, looked("/sheets/")
    while page.get_by_role("link", name=re.compile("^(Mehr|More)$")).count():
        page.get_by_role("link", name=re.compile("^(Mehr|More)$")).click()
        looked()
        pages += 1
    looked("/")
    Sheet.objects.filter(pk__in=[one.pk for one in named[:3]]).update(deleted=timezone.now())
    looked("/sheets/trash/")
    looked(f"/sheets/trash/?burn={named[0].pk}")
    for one in packed() if full else packed()[::6]:
        looked(f"/sheets/?{urlencode({'q': one})}")
