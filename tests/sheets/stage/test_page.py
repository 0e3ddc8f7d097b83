"""A sheet's page and the list of one's own, as browsers use them."""

import io
import re
from uuid import uuid4

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from rulesets import systems
from rulesets.document import read
from rulesets.kit import blank, slots
from sheets.models import Event, Sheet
from tests.support.guest import Guest, example, text_of, top, words_in

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

ATTACK = "roll-attack-attacks-0"


def press(guest, which=ATTACK, *, key=None, htmx=False, **answers):
    headers = {"HX-Request": "true"} if htmx else {}
    given = {"w": which, "_press": str(key or uuid4()), **answers}
    return guest.client.post(f"/sheets/{guest.pk}/play/", given, headers=headers)


def page(guest, **query):
    return guest.client.get(f"/sheets/{guest.pk}/", query)


def test_a_roll_is_made_by_a_press_once_and_shown_after_it_by_htmx_with_the_table_alone(juan):
    key = uuid4()
    answer = press(juan, key=key, defence="0")
    assert answer["Location"] == f"/sheets/{juan.pk}/#w-{ATTACK}"
    # What arrives again under a spent key is done already, even where it makes no sense.
    for defence in ("0", "x"):
        assert press(juan, key=key, defence=defence).status_code == 302
    event = Event.objects.get()
    assert (event.given, len(event.faces)) == ({"dice": 4, "defence": 0, "extra_dice": 0}, 4)
    pages = [page(juan).text for _time in range(3)]
    assert event.title in pages[0]
    assert len({re.search(r'name="_press" value="([^"]*)"', one)[1] for one in pages}) == 3
    answer = press(juan, htmx=True, defence="0")
    assert answer.status_code == 200
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="table"']


def test_an_act_that_arrives_twice_is_one_act_and_the_page_says_when_it_was_done(juan):
    press(juan, "act-add-item", name="Seil", effect="")
    key = uuid4()
    for _time in range(2):
        assert press(juan, "act-use-item-items-0", key=key).status_code == 302
    assert Event.objects.count() == 2
    assert re.search(r"already done at \d+:\d\d( [ap]\.m\.)?\. Press again", text_of(page(juan)))
    press(juan, "act-use-item-items-0")
    assert "That is no longer available" in text_of(page(juan))


def test_what_the_database_refuses_for_another_reason_is_no_press_done_before(juan, monkeypatch):
    def refused(*_arguments, **_options):
        raise IntegrityError("another")

    monkeypatch.setattr("sheets.press.perform.press", refused)
    assert press(juan, defence="0").status_code == 500


def test_what_no_page_sends_is_not_done_and_that_is_said(juan):
    """An answer that is no number keeps its text; a form needs a press of its own; what is not offered is not done."""
    for defence in ("-1", "", "\0", "1000", "9" * 5000, "x"):
        answer = press(juan, defence=defence)
        assert (answer.status_code, 'aria-invalid="true"' in answer.text) == (422, True), defence[:9]
    assert words_in(answer, 'value="x"', "is not a whole number") == ['value="x"', "is not a whole number"]
    for form in ({"_press": ""}, {"_press": "x"}, {"_press": "1"}, {}):
        assert juan.client.post(f"/sheets/{juan.pk}/play/", {"w": ATTACK, "defence": "0", **form}).status_code == 400
    for which in ("", "x", "\0", "roll-attack-attacks-9"):
        assert press(juan, which)["Location"] == f"/sheets/{juan.pk}/#messages"
        assert "That is no longer available" in text_of(page(juan))
        assert "That is no longer available" in press(juan, which, htmx=True).text
    for event in ("", "x", "-1", "0", "²", "9" * 5000, "9" * 18):
        answer = juan.client.post(f"/sheets/{juan.pk}/play/", {"w": "undo", "_event": event})
        assert answer["Location"] == f"/sheets/{juan.pk}/#messages"
        assert "That has already been taken back" in text_of(page(juan))
    assert not Event.objects.exists()


def test_odds_are_shown_for_what_is_asked_and_nothing_is_rolled_whatever_an_address_says(juan):
    for query in ({"w": ATTACK, "defence": "0"}, {"w": ATTACK, "defence": "x"}, {"w": ATTACK, "defence": "\0"},
                  {"w": "\0"}, {"w": ""}, {"nowhere": "1"}):
        answer = page(juan, **query)
        assert answer.status_code == 200, query
    assert re.search(r'id="odds-roll-attack-attacks-0".*?</', answer.text, re.S)
    # Without JavaScript they are asked for by an address of answers alone.
    answer = press(juan, defence="3", do="odds", csrfmiddlewaretoken="t")
    assert answer["Location"] == f"/sheets/{juan.pk}/?w={ATTACK}&defence=3#w-{ATTACK}"
    assert 'name="defence" value="3"' in juan.client.get(answer["Location"]).text
    assert not Event.objects.exists()
    assert Guest().client.post(f"/sheets/{juan.pk}/play/", {"w": ATTACK, "do": "odds"}).status_code == 404


@pytest.mark.rule("CD-31", "CD-53")
def test_what_is_paid_for_as_it_is_rolled_is_offered_once_and_shows_its_odds(db):
    document, ability = example(), slots(systems()["condice"].sheet)["abilities"]
    exploding = blank(next(one for one in ability.parts if one.id == "CD-31"), ability="explosion")
    bomber = Guest({**document, "data": {**document["data"], "abilities": [exploding]}})
    assert words_in(page(bomber), 'id="w-act-explode"', "roll-explosion") == ['id="w-act-explode"']
    answer = press(bomber, "act-explode", do="odds", dice="2", defence="1")
    assert answer["Location"] == f"/sheets/{bomber.pk}/?w=act-explode&dice=2&defence=1#w-act-explode"
    shown = re.search(r'id="w-act-explode".*?</form>', bomber.client.get(answer["Location"]).text, re.S)[0]
    assert words_in(shown, '<details class="odds-fold" open>', "58.3") == ['<details class="odds-fold" open>', "58.3"]
    assert not Event.objects.exists()
    # What may not be done so shows no odds, and no fault of ours.
    answer = page(bomber, w="act-explode", dice="900", defence="1")
    assert (answer.status_code, 'id="odds-act-explode"' in answer.text) == (200, False)


def test_the_dice_of_a_system_ask_for_odds_by_the_same_address_and_what_fell_cannot_be_made_up(juan):
    answer = juan.client.post("/dice/condice/", {
        "w": "roll-attack", "dice": "x", "defence": "3", "do": "odds", "csrfmiddlewaretoken": "t"})
    assert answer["Location"] == "/dice/condice/?w=roll-attack&dice=x&defence=3#w-roll-attack"
    assert "“x” is not a whole number." in text_of(juan.client.get(answer["Location"]))
    assert 'class="fallen' not in juan.client.get("/dice/condice/?w=roll-attack&fell=forged").text


def test_whoever_holds_the_link_takes_the_sheet_along_without_notes_and_play(juan):
    press(juan, "act-add-item", name="Geheimfach", effect="")
    juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "notes", "notes": "Geheimnis"})
    juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "share"})
    reader, shared = Client(headers={"Accept-Language": "en"}), f"/shared/{juan.sheet.share}/"
    links = [*dict.fromkeys(re.findall(rf'href="({shared}[^"]+)"', reader.get(shared).text))]
    assert [link.removeprefix(shared) for link in links] == [
        "sheet.pdf", "sheet.pdf?layout=pencil", "export.json", "export.md", "export.bbcode", "report/"]
    for link in links[:-1]:
        answer = reader.get(link)
        assert answer.status_code == 200
        raw = answer.content
        if "pdf" in link:
            raw = "".join(page.extract_text() for page in PdfReader(io.BytesIO(raw)).pages).encode()
        assert (b"Juan" in raw, b"Geheim" in raw) == (True, False), link
    document = read(reader.get(f"{shared}export.json").content)
    assert (document.asdict()["data"], document.origin, document.notes, document.play) == (juan.data, None, "", None)
    assert reader.get(f"{shared}export.exe").status_code == 404
    assert reader.get(f"{shared}sheet.pdf?layout=x").status_code == 400


def test_a_shared_page_is_read_and_not_played_on_by_an_address_without_any_token_until_it_is_revoked(juan):
    juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "share"})
    shared = f"/shared/{juan.sheet.share}/"
    source = juan.client.get(shared, {"w": ATTACK, "defence": "3"}).text
    assert not re.search(r'"/sheets/[^"]*/play/', source)
    assert words_in(source, "/keep/", "act-damage", "button roll", 'content="noindex"') == ['content="noindex"']
    widget = re.search(rf'id="w-{ATTACK}".*?</article>', source, re.S)[0]
    asked = (f'<form method="get" action="{shared}#w-{ATTACK}">', 'name="defence" value="3"')
    assert words_in(widget, *asked, 'name="csrfmiddlewaretoken"', 'name="_press"', "hx-") == [*asked]
    for token in ("\0", "x", "None", "%00"):
        assert juan.client.get(f"/shared/{token}/").status_code == 404
    juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "revoke"})
    assert juan.client.get(shared).status_code == 404


def test_notes_are_kept_as_text_or_stay_in_their_field_and_the_page_has_no_other_buttons(juan):
    juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "notes", "notes": "<b>\r\n</textarea><i>"})
    assert "&lt;b&gt;\n&lt;/textarea&gt;&lt;i&gt;" in page(juan).text
    for notes in ("x" * 4001, "a\0b"):
        answer = juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": "notes", "notes": notes})
        assert (answer.status_code, notes in answer.text) == (422, True)
    for do in ("", "burn", "\0"):
        assert juan.client.post(f"/sheets/{juan.pk}/keep/", {"do": do}).status_code == 400
    assert juan.sheet.notes == "<b>\n</textarea><i>"


def test_the_list_answers_whatever_its_address_says(juan):
    for query in ("before=2026-13-45T00:00", "before=x", "before=2026-01-01T00:00", "last=,,", "q=%00", "state=x",
                  "before=0001-01-01T00:00:00%2B23:59", "before=9999-12-31T23:59:59-23:59", "system=x", "before=%00",
                  "before=2026-01-01T00:00Z&last=----" + "x" * 32, "q=" + "x" * 3000, "before=x&last=1,2"):
        assert juan.client.get(f"/sheets/?{query}").status_code == 200, query


def test_the_list_is_paged_without_a_sheet_lost_or_shown_twice(juan):
    Sheet.objects.bulk_create([Sheet(ruleset="condice", data=juan.data, guest=juan.sheet.guest, name=f"{n}")
                               for n in range(60)])
    Sheet.objects.update(updated=timezone.now())
    found, address = [], "/sheets/"
    for _page in range(5):
        source = juan.client.get(address).text
        found += re.findall(r'<h2><a href="/sheets/([^/]*)/"', source)
        more = re.search(r'href="(\?[^"]*last=[^"]*)"', source)
        if not more:
            break
        address = "/sheets/" + more[1].replace("&amp;", "&")
    assert sorted(found) == sorted(str(pk) for pk in Sheet.objects.values_list("pk", flat=True))


@pytest.mark.rule("CD-01")
def test_a_sheet_that_nothing_was_written_on_is_open_and_not_praised_as_legal():
    empty = Guest(systems()["condice"].document())
    assert re.findall(r'class="badge[^>]*>([^<]*)', page(empty).text) == ["incomplete"]
    begun = Guest(systems()["condice"].document("", blank(systems()["condice"].sheet) | {"life": 1}))
    assert re.findall(r'class="badge[^>]*>([^<]*)', page(begun).text) == ["legal"]


@pytest.mark.rule("CD-46")
def test_what_lost_points_stands_on_the_page_by_its_name_and_not_by_its_key(juan):
    Sheet.objects.filter(pk=juan.pk).update(play={"losses": [
        {"target": "movement", "points": 1}, {"target": "attacks.0", "points": 2}]})
    said = text_of(juan.client.get(f"/sheets/{juan.pk}/", headers={"Accept-Language": "de"}))
    lost = ("Wo Punkte verloren gingen Bewegung · Punkte 1", "Wo Punkte verloren gingen Einhornpiranhas · Punkte 2")
    assert words_in(said, *lost) == [*lost]


@pytest.mark.rule("DR-16")
def test_below_0_the_page_has_a_real_minus_sign():
    guest = Guest(example("captain", "dice-rumble"), system="dice-rumble")
    Sheet.objects.filter(pk=guest.pk).update(play={"life_lost": 32})
    said = text_of(page(guest))
    assert words_in(said, "−18 / 14", "Life is −18", "-18") == ["−18 / 14", "Life is −18"]
