"""What anybody with a check code is told: whether the approval holds, with which exceptions, and nothing of others."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from sheets.audit_log import chain
from sheets.audit_log.check_codes import MAX_TYPED, grouped, is_code, normalized_code
from sheets.history.revisions import save_revision
from sheets.models import Party, Review, Revision, Sheet
from sheets.models.reviews import PLAYED
from sheets.reviews import services as reviews
from tests.support.browser.payloads import PAYLOADS
from tests.support.everyday import everyday
from tests.support.sheets.elements import Elements

pytestmark = pytest.mark.django_db
SURE = "Not to be trusted"


def answer(code, **options):
    """What a stranger is answered."""
    return Client(headers={"Accept-Language": options.pop("lang", "en")}).get(f"/verify/{code}/")


def told(code, **options):
    """The page in words."""
    found = answer(code, **options)
    assert found.status_code == 200
    return words(found)


def words(found):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found.text)).split())


@given(st.binary(min_size=32, max_size=32))
def test_every_code_is_read_as_it_is_shown(mac):
    code = chain.code_of(mac.hex())
    assert is_code(code)
    assert normalized_code(code) == normalized_code(grouped(code)) == code
    assert not set("OILU") & set(code)


@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_a_code_is_taken_however_it_is_typed(proven, case):
    code = proven.approve().code
    for typed in ("{0}{1}", "{0}-{1}", "{0} {1}", " {0} - {1} ", "{0}\u2013{1}", "{0}\u00a0{1}", "{0}_{1}"):
        found = Client().get("/verify/", {"code": case(typed.format(code[:5], code[5:]))})
        assert (found.status_code, found["Location"]) == (302, f"/verify/{grouped(code)}/"), typed
    # Letters that look like digits are taken for them.
    Review.objects.filter(code=code).update(code="0011VWXYZ0")
    assert SURE in told("ooil-uwxyzo")


def test_an_approval_that_holds_says_what_is_proven_and_nothing_else(proven):
    Party.objects.update(name="Geheime Runde")
    proven.sheet.notes = "Geheime Notiz"
    proven.sheet.save()
    entry = proven.approve("Der Zirkus lehrt es.")
    proven.sheet.name = "Geheimer Entwurf"
    proven.sheet.save()
    found = answer(entry.code)
    said = words(found)
    for text in ("Approved, and in force", grouped(entry.code), "Uhrmacherin Tick", "ConDice", "Der Zirkus lehrt es.",
                 f"Revision {entry.revision_number}", entry.seal[:16]):
        assert text in said, text
    for text in ('href="/rules/condice/#CD-08"', '<meta name="robots" content="noindex">'):
        assert text in found.text
    secret = ["Geheime Runde", "Geheime Notiz", "Geheimer Entwurf", "Zahnradwurf", "Zeit anhalten", entry.seal, *map(
        str, (proven.gm.username, proven.second.username, proven.player.username, proven.sheet.pk, proven.party.pk))]
    assert [text for text in secret if text in found.text] == []
    assert "Genehmigt und gültig" in told(entry.code, lang="de")


def test_an_approval_without_exceptions_says_so(round_):
    assert "Without exceptions." in told(round_.approve().code)


def test_a_withdrawal_that_was_changed_into_something_else_is_no_approval(proven):
    code = proven.approve().code
    reviews.withdraw(proven.member(proven.second), proven.sheet, {"comment": "x"})
    Review.objects.filter(kind="withdrawn").update(kind="returned")
    assert SURE in told(code)


def test_a_later_approval_takes_the_place_of_the_earlier_one(proven):
    first = proven.approve().code
    proven.change(life=3)
    second = proven.approve().code
    reviews.withdraw(proven.member(proven.gm), proven.sheet, {"comment": "x"})
    said = told(first)
    assert ("a later revision has been approved" in said, second in said) == (True, False)
    assert "the approval was withdrawn" in told(second)


def test_what_an_act_changed_for_good_is_said_and_what_it_took_back_is_not(proven):
    entry = proven.approve()
    content = {"name": proven.sheet.name, "data": proven.sheet.data | {"life": 2}, "house": {}}
    changed = save_revision(proven.sheet, PLAYED, proven.player, content)
    chain.append(PLAYED, proven.player, sheet=proven.sheet, revision=changed)
    said = told(entry.code)
    assert "Approved, in force, and changed at the table since" in said
    assert f": {changed.number})" in said
    chain.append(PLAYED, proven.player, sheet=proven.sheet, revision=entry.revision)
    assert "Approved, and in force" in told(entry.code)


def review(entry, **fields):
    Review.objects.filter(pk=entry.pk).update(**fields)


GONE = ("No longer in force: the sheet is gone", "Revision 1", "still signed"), ("Uhrmacherin", "Geheim", "CD-08")
LIE = (SURE, 'role="alert"'), ("Approved, and in force", "Uhrmacherin", "Betrug", "Alles")
CHANGES = {
    "withdrawn": (lambda one, entry: reviews.withdraw(one.member(one.second), one.sheet, {"comment": "Unwort"}),
                  (("No longer in force: the approval was withdrawn",), ("Unwort",))),
    "no more in its party": (lambda one, entry: Sheet.objects.update(party=None), (("has left the party",), ())),
    "thrown away": (lambda one, entry: Sheet.objects.update(deleted=timezone.now()), GONE),
    "deleted": (lambda one, entry: one.sheet.delete(), GONE),
    "the player's account deleted": (lambda one, entry: one.player.delete(), GONE),
    "the GM's account deleted": (lambda one, entry: one.gm.delete(), (
        ("Approved, and in force", "CD-08 : The reason has been erased."), ("Geheim",))),
    # What was changed behind the program is no approval.
    "its reason": (lambda one, entry: review(entry, said={**entry.said, "exceptions": [
        {"rule": "CD-01", "path": "", "message": "", "reason": "Alles"}]}), LIE),
    "its moment": (lambda one, entry: review(entry, made=timezone.now()), LIE),
    "its revision's number": (lambda one, entry: review(entry, revision_number=7), LIE),
    "its seal": (lambda one, entry: review(entry, seal="0" * 64), LIE),
    "the data": (lambda one, entry: Revision.objects.update(data={**entry.revision.data, "life": 99}), LIE),
    "the name": (lambda one, entry: Revision.objects.update(name="Betrug"), LIE),
    "the house rules": (lambda one, entry: Revision.objects.update(house={"budget": 90}), LIE),
    "the system": (lambda one, entry: Sheet.objects.update(ruleset="daemmersturm"), LIE),
    "another made an approval": (lambda one, entry: Review.objects.filter(number=1).update(
        kind="approved", code="ABCDE12345") and Review.objects.filter(pk=entry.pk).delete(), LIE),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_became_of_an_approval_is_said_and_nothing_else(proven, what):
    entry = proven.approve("Geheimer Grund")
    change, (says, hides) = CHANGES[what]
    change(proven, entry)
    found = answer(Review.objects.exclude(code=None).get().code)
    said = f"{words(found)} {found.text}"
    assert [text for text in says if text not in said] == []
    assert [text for text in hides if text in said] == []
    assert (entry.seal[:16] in said) == (hides != LIE[1])


@pytest.mark.database("sqlite")
def test_an_entry_that_cannot_even_be_read_is_no_approval(proven):
    code = proven.approve().code
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sheets_review SET made = 'gestern'")
    assert SURE in told(code)


@pytest.mark.parametrize(("typed", "fault"), [
    ("ABCDE-12345", "No approval has the check code ABCDE-12345."), ("abc", "letters and digits; this one has 3."),
    ("ABCDE-12345-67", "this one has 12."), ("-" * 31 + "ABCDE12345", "this one has 41."),
    ("ÄBCDE-12345", "that no check code has."),
])
def test_an_unknown_code_answers_404_with_the_form_and_what_to_check(db, typed, fault):
    asked = Client(headers={"Accept-Language": "en"}).get("/verify/", {"code": typed}, follow=True)
    for found in (asked, answer(typed) if typed.isascii() else asked):
        assert found.status_code == 404
        assert 'name="code"' in found.text
        for text in (fault, "Compare the code with the paper"):
            assert text in words(found)


@pytest.mark.parametrize("typed", everyday(PAYLOADS, each=4))
def test_whatever_is_typed_is_given_back_as_text(db, typed):
    found, usual = (Client().get("/verify/", {"code": one}, follow=True) for one in (typed, "abc"))
    assert found.status_code in (200, 404)
    page = Elements(found, "code")
    assert ({*page.found}, page.values) == ({*Elements(usual).found}, [typed[:MAX_TYPED]])


def test_whatever_stands_in_a_name_or_a_reason_is_text(proven):
    proven.sheet.name = "<script>alert(1)</script>"
    proven.sheet.save()
    found = answer(proven.approve("<img src=x onerror=alert(1)>").code)
    assert re.findall("<script>alert|<img", found.text) == []
    assert "&lt;img src=x" in found.text


def test_an_answer_asks_the_database_at_most_eight_times_however_long_the_past(proven, django_assert_max_num_queries):
    code = proven.approve().code
    for life in (1, 2, 3, 1, 2, 3):
        proven.change(life=life)
        reviews.submit(proven.sheet, proven.player)
        reviews.recall(proven.sheet, proven.player)
    with django_assert_max_num_queries(8):
        assert "Approved, and in force" in told(code)
