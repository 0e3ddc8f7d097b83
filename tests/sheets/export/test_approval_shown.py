"""What is printed and exported is what is played, and says how it stands; the draft says that it is one."""

import json
import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from rulesets.document import BYTES, read
from sheets.audit_log import chain
from sheets.documents import document_of, length
from sheets.history.revisions import save_revision
from sheets.models import Sheet
from sheets.models.reviews import PLAYED
from sheets.reviews import services as reviews
from sheets.status.stamp import stamp_of
from tests.support.guest import Guest, example
from tests.support.party import SITE, Round, browser
from tests.support.sheets import story as told
from tests.support.sheets.printed import squeezed, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
TEXTS = ("md", "bbcode", "pdf", "pencil")


def taken(round_, what, of="", user=None):
    """What somebody, the player else, takes along; PDFs as text."""
    asked = {"of": of} if of else {}
    if what in ("json", "md", "bbcode"):
        address = reverse("file", args=[round_.sheet.pk, what])
    else:
        address = reverse("pdf", args=[round_.sheet.pk])
        asked |= {"layout": "pencil"} if what == "pencil" else {}
    found = browser(user or round_.player).get(address, asked)
    assert found.status_code == 200, found
    if what == "json":
        return found.json()
    return text_of(found.content) if what in ("pdf", "pencil") else squeezed(found.text)


@pytest.fixture
def entry(proven):
    """The approval, with an exception, of a sheet that was called and written otherwise since."""
    made = proven.approve("Der Zirkus lehrt es.")
    proven.sheet.name = "Neuer Name"
    proven.change(life=3)
    return made


@pytest.mark.parametrize("what", TEXTS)
def test_what_is_taken_along_is_what_is_played_and_the_draft_says_that_it_is_one(proven, entry, what):
    played, draft = taken(proven, what), taken(proven, what, "draft")
    for text in ("Uhrmacherin Tick", "Approved on", "the draft has changed since", "Exception to CD-08:",
                 "Der Zirkus lehrt es.", f"{entry.code[:5]}-{entry.code[5:]}"):
        assert (squeezed(text) in played, squeezed(text) in draft) == (True, False), text
    assert (squeezed("Neuer Name") in played, squeezed("Neuer Name") in draft) == (False, True)
    assert squeezed("Draft, not approved · revision 1 is in play, approved on") in draft


def test_the_document_is_of_what_is_played_with_what_is_known_of_its_approval(proven, entry):
    found, draft = taken(proven, "json"), taken(proven, "json", "draft")
    code = f"{entry.code[:5]}-{entry.code[5:]}"
    assert found["approval"] == {
        "state": "changed", "revision": 1, "seal": entry.seal, "code": code, "verify": f"{SITE}/verify/{code}/",
        "approved": entry.made.isoformat(timespec="seconds"),
        "exceptions": [{"rule": "CD-08", "path": "abilities.0", "reason": "Der Zirkus lehrt es."}]}
    assert (found["name"], found["data"]["life"]) == ("Uhrmacherin Tick", 4)
    assert read(json.dumps(found).encode()).seal() == entry.seal
    assert (draft["approval"], draft["name"], draft["data"]["life"]) == ({"state": "draft"}, "Neuer Name", 3)
    assert browser(None).get(found["approval"]["verify"]).status_code == 200
    # Whoever brings it in again is not believed.
    client = browser(proven.gm)
    brought = client.post(reverse("import"), {"document": json.dumps(found), "do": "import"})
    made = Sheet.objects.get(pk=brought["Location"].split("/")[2])
    assert "approval" not in client.get(reverse("file", args=[made.pk, "json"])).json()
    assert made.reviews.count() == made.revisions.filter(kind="approved").count() == 0


def test_the_account_and_the_limits_are_of_what_is_stored(proven, entry):
    stored = document_of(proven.sheet)
    assert (stored.name, stored.sheet.life, "approval" in stored.asdict()) == ("Neuer Name", 3, False)
    assert length(proven.sheet) == len(json.dumps(stored.asdict(), ensure_ascii=False,
                                                  separators=(",", ":")).encode()) < BYTES


@pytest.mark.parametrize("slug", ["condice", "daemmersturm"])
def test_every_state_has_its_line(slug):
    one = Round(slug)
    signed = slug == "daemmersturm"

    def says(pattern, draft=False):
        """A line, of which a system whose sheets count only once approved says that it is in force or is not."""
        one.sheet = Sheet.objects.select_related("party").get()
        with override("en"):
            found = stamp_of(one.sheet, draft=draft).line
        pattern = pattern.format(since="In force since .+" if signed else "Approved on .+",
                                 no="Not in force: " if signed else "", draft="in force" if signed else "approved")
        assert re.fullmatch(pattern, found, 0 if signed else re.I), found

    says("{no}not approved" if signed else "")
    one.party.approval = True
    one.party.save()
    says("{no}not approved")
    reviews.submit(one.sheet, one.player)
    says("{no}waiting for approval")
    told.give_back(one.sheet, one.gm, comment="x")
    says("{no}returned with comments")
    one.approve()
    says("{since} · revision 1")
    changed = save_revision(one.sheet, PLAYED, one.player, {"name": "Verwandelt", "data": one.sheet.data, "house": {}})
    chain.append(PLAYED, one.player, sheet=one.sheet, revision=changed)
    Sheet.objects.update(name="Verwandelt")
    says("{since} · revision 1 · changed at the table since: revision 2")
    one.approve()
    Sheet.objects.update(name="Neuer Name")
    says("{since} · revision 2 · the draft has changed since")
    says("Draft, not {draft} · revision 2 is in play, approved on .+", draft=True)
    reviews.submit(one.sheet, one.player)
    says("{since} · revision 2 · a later submission is waiting")
    told.give_back(one.sheet, one.gm, comment="x")
    says("{since} · revision 2 · a later submission was returned")
    told.withdraw(one.sheet, one.gm)
    says("{no}approval withdrawn")


def test_what_was_approved_under_earlier_rules_says_so(round_):
    round_.approve()
    round_.sheet.house = {"budget": 40}
    round_.sheet.save()
    with override("en"):
        stamp = stamp_of(round_.sheet)
        assert stamp.line.endswith(" · under earlier rules")
    assert stamp.state.house == {}
    assert stamp_of(round_.sheet, draft=True).draft


def test_where_nobody_asks_nothing_is_said_of_approvals(round_):
    assert "approval" not in taken(round_, "json")
    for what in TEXTS:
        assert not re.search("Checkcode|Approv|Draft", taken(round_, what)), what
        assert not re.search("Draft", taken(round_, what, "draft")), what


def test_a_draft_that_is_no_other_is_what_is_played_and_another_state_is_refused(proven):
    code = proven.approve().code
    assert [what for what in TEXTS if code not in taken(proven, what, "draft")] == []
    for address in ("print", "pdf", "export"):
        assert browser(proven.player).get(reverse(address, args=[proven.sheet.pk]), {"of": "x"}).status_code == 400


@pytest.mark.parametrize("address", ["print", "export"])
def test_the_pages_lead_from_what_is_played_to_the_draft_and_back(proven, address):
    url = reverse(address, args=[proven.sheet.pk])
    proven.approve()
    client = browser(proven.player)
    assert "of=draft" not in client.get(url).text
    proven.change(life=3)
    assert f'href="{url}?of=draft"' in client.get(url).text
    draft = client.get(url, {"of": "draft"}).text
    assert f'href="{url}"' in draft
    assert {"of=draft" in way for way in re.findall(r'href="([^"]+(?:sheet\.pdf|export\.)[^"]*)"', draft)} == {True}


@pytest.mark.parametrize("who", ["gm", "second"])
def test_a_gm_takes_along_what_the_party_plays_without_its_owners_notes(proven, who):
    proven.sheet.notes = "Geheime Notiz"
    proven.sheet.save()
    proven.approve()
    for what in TEXTS if who == "gm" else TEXTS[:1]:
        assert squeezed("Geheime Notiz") not in taken(proven, what, user=getattr(proven, who))
        assert squeezed("Geheime Notiz") in taken(proven, what) or what in ("md", "bbcode")
    assert "notes" not in taken(proven, "json", user=getattr(proven, who))
    assert taken(proven, "json")["notes"] == "Geheime Notiz"


def test_whoever_holds_the_link_takes_along_what_is_played(proven, entry):
    Sheet.objects.update(share="x" * 32)
    client, url = browser(None), reverse("shared-pdf", args=["x" * 32])
    shown = client.get(reverse("shared-file", args=["x" * 32, "json"])).json()
    assert (shown["name"], shown["approval"]["code"].replace("-", "")) == ("Uhrmacherin Tick", entry.code)
    assert "origin" not in shown
    assert entry.code[5:] in text_of(client.get(url).content)
    assert client.get(url, {"of": "draft"}).status_code == 404


def test_a_guest_s_sheet_that_no_gm_has_says_one_thing_and_what_is_next():
    guest = Guest(example("knight", "daemmersturm"), system="daemmersturm")
    page = guest.client.get(reverse("sheet", args=[guest.pk])).text
    assert "counts once a GM has approved it" in page
    assert "Sign in and bring it into a party" in page
    for text in (page, guest.get("finish").text):
        assert "Counts once a GM has approved it" in text
        assert re.findall("not approved|Not in force", text) == []


def test_beside_the_line_to_copy_stands_whether_it_is_in_force():
    one = Round("daemmersturm")
    client = browser(one.player)

    def says(page, finish):
        for name, line in ((reverse("sheet", args=[one.sheet.pk]), page),
                           (reverse("step", args=[one.sheet.pk, "finish"]), finish)):
            assert line in client.get(name).text

    says("Not in force: not approved", "Not in force: not approved")
    one.approve()
    says("In force since", "In force since")
    Sheet.objects.update(name="Neuer Name")
    says("In force since", "Draft, not in force")


@pytest.mark.parametrize("address", ["print", "pdf", "export"])
def test_what_is_taken_along_asks_the_database_at_most_twelve_times(proven, address, django_assert_max_num_queries):
    for life in (4, 1, 2, 3, 1, 2, 3):
        proven.change(life=life)
        proven.approve()
    client = browser(proven.gm)
    with django_assert_max_num_queries(12):
        assert client.get(reverse(address, args=[proven.sheet.pk])).status_code == 200
