"""The page on which a sheet is submitted and decided upon: its buttons, and what is typed there."""

import html
import re

import pytest

from sheets.models import Review, Revision
from sheets.models.reviews import APPROVED, RECALLED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.reviews.services import MAX_COMMENT, MAX_FIELD_COMMENT
from sheets.status.reviews import review_status
from tests.support.browser.payloads import PAYLOADS
from tests.support.database import undone
from tests.support.guest import text_of
from tests.support.sheets import story as told
from tests.support.sheets.elements import Elements

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

PEOPLE = ("player", "gm", "second", "member", "stranger")
BUTTONS = {"submit": SUBMITTED, "recall": RECALLED, "approve": APPROVED, "return": RETURNED, "withdraw": WITHDRAWN}
STATES = ("fresh", "waiting", "approved")


def brought(rooms, state):
    if state != "fresh":
        rooms.wait()
    if state == "approved":
        told.approve(rooms.sheet, rooms.second)


def due(who, do, state):
    """What a button answers."""
    if who in ("member", "stranger") or (who == "player") != (do in ("submit", "recall")):
        return 404
    right = {"submit": "fresh", "withdraw": "approved"}.get(do, "waiting")
    return 302 if state == right else 409


@pytest.mark.parametrize("state", ["approved", *(pytest.param(one, marks=pytest.mark.slow) for one in STATES[:2])])
def test_each_button_does_what_it_says_for_whom_it_is_there_and_is_shown_to_nobody_else(rooms, state):
    brought(rooms, state)
    before = Review.objects.count()
    for who in PEOPLE:
        shown = re.findall(r'<button class="button[^"]*" name="do" value="(\w+)"', rooms.read(who).text)
        assert set(shown) == {do for do in BUTTONS if due(who, do, state) == 302}, who
        for do, kind in BUTTONS.items():
            with undone():
                answer = rooms.press(who, do, comment="Ein Wort.")
                assert answer.status_code == due(who, do, state), (who, do)
                assert Review.objects.count() == before + (answer.status_code == 302)
                if answer.status_code == 302:
                    assert (Review.objects.latest("number").kind, answer["Location"]) == (kind, rooms.url)
                assert answer.status_code != 409 or '<p class="note error"' in answer.text


def test_a_gm_decides_about_nothing_of_their_own_and_an_unknown_button_is_refused(rooms):
    assert {rooms.press("gm", do).status_code for do in ("", "grant", "approve:1")} == {400}
    rooms.sheet.owner = rooms.gm
    rooms.sheet.save()
    assert rooms.press("gm", "submit").status_code == 302
    assert not {"approve", "return"} & set(re.findall(r'name="do" value="(\w+)"', rooms.read("gm").text))
    seal = Revision.objects.get().seal
    for do in ("approve", "return"):
        refused(rooms.press("gm", do, _seal=seal, comment="Passt."), "another GM of the party")
    assert rooms.press("second", "approve").status_code == 302
    assert rooms.press("gm", "withdraw", comment="Doch nicht.").status_code == 409
    assert rooms.state == "approved"


def refused(answer, said, **kept):
    """Nothing was done; it is said why, and what was typed is still there."""
    assert (answer.status_code, said in text_of(answer)) == (409, True)
    assert texts(answer).items() >= kept.items()


@pytest.mark.parametrize(("name", "most"), [
    ("comment", MAX_COMMENT),
    *(pytest.param(one, MAX_FIELD_COMMENT, marks=pytest.mark.slow) for one in ("at.life", "reason"))])
def test_a_text_that_is_too_long_or_holds_a_nul_is_refused_and_stays_in_the_form(rooms, name, most):
    rooms.ask().wait()
    name = rooms.asking()[0] if name == "reason" else name
    others = {"comment": "Allgemein.", "at.life": "Zum Leben.", rooms.asking()[0]: "Ein Grund."}
    for text, said in (("ä" * (most + 1), f"{most + 1} characters; the maximum"), ("a\0b", "contains a NUL")):
        for do in ("approve", "return"):
            refused(rooms.press("gm", do, **{**others, name: text}), said, **{**others, name: text})
    assert rooms.state == "waiting"
    assert rooms.press("gm", "return", **{**others, name: "ä" * (most - 1) + "\r\n"}).status_code == 302


def texts(answer):
    """{name: text} of the page's text fields, as a browser would send them."""
    return {name: html.unescape(text) for name, text in
            re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>', answer.text, re.S)}


TYPED = {"comment": "Fast\nfertig.", "at.life": "Mehr <Leben>", "at.attacks.0.dice": "Einer weniger"}


@pytest.mark.parametrize("do", ["approve", "return"])
def test_who_decides_upon_what_is_no_longer_there_sees_what_is_and_loses_no_word(rooms, do):
    rooms.ask().wait()
    name, seal = rooms.asking()[0], told.shown_seal(rooms.sheet)
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    answer = rooms.press("gm", do, _seal=seal, **TYPED, **{name: "Weil."})
    refused(answer, "no longer what you saw", **TYPED, **{name: "Weil."})
    assert f'value="{told.shown_seal(rooms.sheet)}"' in answer.text
    assert rooms.press("gm", do, **texts(answer)).status_code == 302
    entry = Review.objects.latest("number")
    assert (entry.kind, entry.said["at"]) == (BUTTONS[do], {
        key.removeprefix("at."): text for key, text in TYPED.items() if key.startswith("at.")})


def test_no_exception_without_a_reason_and_nothing_typed_is_lost_and_it_is_asked_again_with_its_reason(rooms):
    rooms.ask().wait()
    name = rooms.asking()[0]
    for reason in ({}, {name: "   "}):
        refused(rooms.press("gm", "approve", **TYPED, **reason), "needs a reason", **TYPED)
    assert rooms.press("gm", "approve", **TYPED, **{name: "  Vereinbart.\r\n"}).status_code == 302
    entry = Review.objects.latest("number")
    assert [(one["rule"], one["reason"]) for one in entry.said["exceptions"]] == [("CD-08", "Vereinbart.")]
    assert entry.said["comment"] == TYPED["comment"]
    rooms.change(life=rooms.sheet.data["life"] - 1)
    rooms.wait()
    typed = texts(rooms.read("gm"))
    assert typed[rooms.asking()[0]] == "Vereinbart."
    assert rooms.press("gm", "approve", **typed).status_code == 302
    assert review_status(rooms.sheet).exceptions[0]["reason"] == "Vereinbart."


@pytest.mark.parametrize("do", ["return", "withdraw"])
def test_what_goes_back_says_why(rooms, do):
    brought(rooms, "approved" if do == "withdraw" else "waiting")
    for words in ({}, {"comment": " \r\n "}, {"at.nowhere": "x"}, {"at.attacks.9.dice": "x"}):
        assert rooms.press("gm", do, **words).status_code == 409
    assert rooms.press("gm", do, comment="Darum.").status_code == 302


@pytest.mark.slow
def test_no_text_of_a_review_is_more_than_text(rooms):
    def pages(texts_):
        """Every page on which the words of a review stand, for whom they are there."""
        rooms.press("player", "submit")
        name = rooms.asking()[0]
        said = {"comment": texts_[0], "at.life": texts_[1], "at.attacks.0.name": texts_[2], name: texts_[3]}
        stale = rooms.press("gm", "approve", **{**said, "_seal": "0"})
        assert rooms.press("gm", "return", **said).status_code == 302
        found = [stale, rooms.read("gm")]
        found += [rooms.read("player", url) for url in (rooms.url, f"/drafts/{rooms.sheet.pk}/figure/")]
        rooms.press("player", "submit")
        assert rooms.press("gm", "approve", **said).status_code == 302
        sheet = f"/sheets/{rooms.sheet.pk}/"
        found += [rooms.read(who, url) for who in ("player", "gm") for url in (rooms.url, sheet)]
        found += [rooms.read("player", one) for one in (f"{sheet}print/", f"{sheet}history/", "/reviews/")]
        rooms.press("gm", "withdraw", comment=texts_[0])
        found.append(rooms.read("player"))
        Review.objects.filter(kind=RETURNED).update(said={})
        assert {one.status_code for one in found} == {409, 200}
        return [Elements(one).found for one in found]

    rooms.ask()
    # What can be answered and done stands below what was said before.
    pages(["x"] * 4)
    plain = pages(["x"] * 4)
    whole = " ".join(PAYLOADS).replace("\n", " ")
    parts = [" ".join(PAYLOADS[at::3]).replace("\n", " ") for at in range(3)]
    assert max(map(len, parts)) <= MAX_FIELD_COMMENT
    assert len(whole) <= MAX_COMMENT
    for number, (harmless, hostile) in enumerate(zip(plain, pages([whole, *parts]), strict=True)):
        assert [one for one in hostile if one not in harmless] == [], number
