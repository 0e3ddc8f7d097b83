"""Which state of a sheet people see: a draft beside what was approved is its owner's and its GMs', at every address."""

import io
from itertools import product

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from pypdf import PdfReader

from rulesets.kit import patched
from sheets.audit_log.chain import append
from sheets.history.revisions import save_revision
from sheets.models import GM, Member, Party, Sheet
from sheets.parties import pregens
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from tests.support.addresses import GMS, MEMBERS, OWN, PARTY, PEOPLE
from tests.support.everybody import NUMBERED, World, address
from tests.support.sheets.printed import squeezed, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database("sqlite")]

APPROVED = ("shown", "public")
"""Sheets that a GM has approved and whose owner has written on since."""
ALLOWED = ("owner", *GMS)
FEW = ("anonymous", "stranger", "player", "owner", "gm")
TOLD = {"export", "file", "pdf", "history", "review"}
"""Where a draft is told to those whom it is for."""
FORMS = ("json", "md", "bbcode")
SHARED = [("shared", ()), ("shared-pdf", ()), *(("shared-file", (form,)) for form in FORMS), ("shared-report", ())]


@pytest.fixture(scope="module")
def made(lasting_database):
    world = World(get_user_model().objects)
    for which in APPROVED:
        sheet, gm = world.sheets[which], world.users["gm"]
        append("approved", gm, sheet=sheet, revision=save_revision(sheet, "submitted", sheet.owner))
        draft = world.hidden(f"draft of {which}", ALLOWED)
        sheet.name, sheet.data = draft, patched(sheet.data, {"attacks.0.name": draft})
        sheet.save()
    world.elsewhere = Party.objects.create(name="Anderswo", ruleset="condice")
    Member.objects.create(party=world.elsewhere, user=world.users["stranger"], role=GM)
    # What each of these reads by a link is the link's holder's to read.
    links = [sheet.share for sheet in world.sheets.values()]
    world.secrets = {secret: readers for secret, readers in world.secrets.items() if secret not in links}
    return world


@pytest.fixture
def world(made):
    return made.again()


def secret(world, what):
    return next(one for one in world.secrets if one.endswith(what.replace(" ", "-")))


def said(answer):
    """All that an answer says, what stands in a PDF and is enclosed in it included."""
    raw = answer.getvalue()
    if not raw.startswith(b"%PDF"):
        return raw.decode(errors="replace") + str(answer.headers)
    read = PdfReader(io.BytesIO(raw))
    enclosed = "".join(one.decode() for files in read.attachments.values() for one in files)
    return text_of(raw) + squeezed(enclosed) + str(read.metadata) + str(answer.headers)


def shows(answer, draft):
    """Whether an answer says the draft's name, however it breaks the line."""
    found = said(answer)
    return draft in found or squeezed(draft) in found


def asked(world):
    """Yield every address at which something of these sheets may stand, with what else is asked there."""
    for (name, row), which in product(OWN.items(), APPROVED):
        yield name, address(name, row, world.sheets[which].pk)
    for form, which in product(FORMS, APPROVED):
        yield "file", reverse("file", args=[world.sheets[which].pk, form])
    for name, row in PARTY.items():
        given = {"uuid": world.scene.uuid} if "uuid" in row.given else {}
        if row.given.get("number") in world.users:
            given = {"number": world.party.members.get(user=world.users[row.given["number"]]).pk}
        if row.given.get("number") in NUMBERED:
            given = {"number": getattr(world, row.given["number"]).pk}
        yield name, address(name, row, world.party.pk, {**row.given, **given})
    for layout in ("overview", "cards", "sheet"):
        yield "party-pdf", reverse("party-pdf", args=[world.party.pk, layout, 1])
    for name in ("home", "mine", "parties", "reviews", "notifications", "account_download"):
        yield name, reverse(name)
    yield "opponents", reverse("opponents", args=[world.elsewhere.pk])
    for which in APPROVED:
        yield "compare", f"{reverse('compare', args=['condice'])}?a={world.sheets[which].pk}"


@pytest.mark.prove
def test_a_draft_beside_what_was_approved_is_shown_to_its_owner_and_its_gms_alone(world, full):
    drafts = [secret(world, f"draft of {which}") for which in APPROVED]
    people = PEOPLE if full else FEW
    seen = {who: set() for who in people}
    for who, (name, where) in product(people, [*asked(world)]):
        for of in ("", "draft") if full or who not in ALLOWED or name in TOLD else ():
            answer = world.browsers[who].get(where, {"of": of} if of else {})
            if any(shows(answer, draft) for draft in drafts):
                seen[who].add(name)
    assert {who: names for who, names in seen.items() if who not in ALLOWED and names} == {}
    assert seen["owner"] & seen["gm"] >= TOLD


def test_what_a_table_sees_is_called_by_the_name_that_was_approved(world):
    for who, name in product(MEMBERS, ("party", "table")):
        page = world.browsers[who].get(reverse(name, args=[world.party.pk])).text
        for which in APPROVED:
            assert secret(world, f"content of {which}") in page, (who, name)
            assert secret(world, f"draft of {which}") not in page, (who, name)


@pytest.mark.parametrize("which", ["shown", "public"])
@pytest.mark.prove
def test_a_link_shows_what_is_played_to_everybody_and_the_draft_to_nobody(world, which, full):
    sheet, draft = world.sheets[which], secret(world, f"draft of {which}")
    for who, (name, more) in product(PEOPLE if full else FEW, SHARED):
        where = reverse(name, args=[sheet.share, *more])
        played, beside = (world.browsers[who].get(where, {"of": of}) for of in ("", "draft"))
        assert not shows(played, draft), (who, name)
        assert shows(played, secret(world, f"content of {which}")), (who, name)
        # A page that knows of no states shows what it shows without being asked for one.
        assert beside.status_code == (404 if name in ("shared-pdf", "shared-file") else 200), (who, name)
        assert not shows(beside, draft), (who, name)


def test_an_opponent_copied_from_a_public_sheet_is_what_is_played_of_it(world):
    where, sheet = reverse("opponents", args=[world.elsewhere.pk]), world.sheets["public"]
    world.browsers["stranger"].post(where, {"do": "copy", "sheet": sheet.pk, "_count": "1"})
    copied = Sheet.objects.get(party=world.elsewhere)
    shown = secret(world, "content of public")
    assert (copied.name, copied.data["attacks"][0]["name"]) == (shown, shown)


def test_who_has_left_the_party_or_runs_another_sees_no_draft_of_it(world):
    world.party.members.filter(user=world.users["co-gm"]).delete()
    for who, which, of in product(("co-gm", "stranger"), APPROVED, ("", "draft")):
        for name in ("file", "pdf", "export", "print", "history"):
            where = address(name, OWN[name], world.sheets[which].pk)
            assert world.browsers[who].get(where, {"of": of} if of else {}).status_code == 404, (who, name)


ENDS = {
    "withdrawn": lambda world, sheet: reviews.withdraw(world.party.members.get(user=world.users["gm"]), sheet, {
        "comment": "Noch einmal."}),
    "dropped": lambda world, sheet: parties.drop_sheet(world.party, sheet, world.users["gm"]),
    "removed": lambda world, sheet: parties.remove_member(
        world.party.members.get(user=sheet.owner), world.users["gm"]),
    "left": lambda world, sheet: parties.leave_party(world.party.members.get(user=sheet.owner)),
    "ended": lambda world, sheet: parties.end_party(world.party, world.users["gm"]),
}
"""How the approval of a sheet comes to count no more."""


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_draft_is_not_shared_because_its_approval_counts_no_more(world, end):
    sheet, draft = world.sheets["public"], secret(world, "draft of public")
    token = sheet.share
    end(world, sheet)
    for where in (f"/sheets/{sheet.pk}/", f"/shared/{token}/", f"/shared/{token}/export.json"):
        answer = world.browsers["anonymous"].get(where)
        assert (answer.status_code, shows(answer, draft)) == (404, False), where
    assert draft in world.browsers["owner"].get("/notifications/").text


def test_a_sheet_without_a_draft_beside_it_stays_shared_when_its_approval_counts_no_more(world):
    sheet = world.sheets["public"]
    kept = sheet.revisions.latest("number")
    Sheet.objects.filter(pk=sheet.pk).update(name=kept.name, data=kept.data)
    parties.drop_sheet(world.party, sheet, world.users["gm"])
    assert world.browsers["anonymous"].get(f"/shared/{sheet.share}/").status_code == 200


def test_whoever_takes_a_ready_made_character_reads_nothing_of_what_its_maker_wrote_and_tried(world):
    sheet = world.sheets["offered"]
    theirs = [secret(world, f"{one} offered") for one in ("notes on", "revision of", "log of")]
    assert pregens.take_pregen(world.party.members.get(user=world.users["player"]), sheet.pk)
    for name in ("sheet", "draft", "history", "export", "file"):
        answer = world.browsers["player"].get(address(name, OWN[name], sheet.pk), follow=True)
        assert answer.status_code == 200, name
        assert not any(shows(answer, one) for one in theirs), name
