"""Handouts: given by GMs to all or to some, opened by those alone, kept with the scene, taken back."""

import json
import re
import uuid
from base64 import b64decode
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from sheets.models import Handout, HandoutReader, Member, Scene
from sheets.parties.handouts import MAX_HANDOUTS
from tests.support.guest import text_of
from tests.support.sheets.files import file_of, thirds

PEOPLE = ("gm", "helper", "anna", "ben")


def address(table, rest=""):
    return f"/parties/{table.party.pk}/handouts/{rest}"


def give(table, *whom, who="gm", title="Ein Brief", text="Komm allein.", **fields):
    """Hands something out, to all where nobody is named; answers it."""
    members = [str(Member.objects.get(user=table.users[one]).pk) for one in whom]
    answer = table.browsers[who].post(address(table), {
        "do": "give", "title": title, "text": text,
        "whom": members or ["all"], **fields})
    return Handout.objects.latest("pk") if answer.status_code == 302 else answer


def press(table, do, made=None, who="gm", **fields):
    """Presses a button of the page of handouts, or of one of them."""
    return table.browsers[who].post(address(table, f"{made.pk}/" if made else ""), {"do": do, **fields})


def picture():
    return SimpleUploadedFile("plan.png", file_of(thirds().resize((2400, 1200)), "PNG"))


def readers(table, made):
    """Who is shown a handout, by its page, its picture and the list: these agree."""
    found = []
    for who in PEOPLE:
        told = {table.browsers[who].get(address(table, f"{made.pk}/")).status_code == 200,
                made.title in table.browsers[who].get(address(table)).text}
        if made.small:
            told.add(table.browsers[who].get(address(table, f"{made.pk}/picture.webp")).status_code == 200)
        assert len(told) == 1, who
        found += [who] * told.pop()
    return found


def new(table, who):
    """What a table says is new."""
    return re.findall(r'value="open:(\d+)"', table.read(who).text)


def test_a_handout_for_all_is_read_by_all_and_by_who_joins_later(table, django_user_model):
    made = give(table)
    assert readers(table, made) == [*PEOPLE]
    late = django_user_model.objects.create_user("spät")
    Member.objects.create(party=table.party, user=late)
    table.browsers["gm"].force_login(late)
    assert "Komm allein." in table.browsers["gm"].get(address(table, f"{made.pk}/")).text
    # What was handed out before they came is there, but no news.
    assert new(table, "gm") == []


def test_a_handout_for_some_is_nothing_to_the_others_until_they_are_shown_it_and_nobodys_once_taken_back(table):
    made = give(table, "anna", file=picture())
    assert readers(table, made) == ["gm", "helper", "anna"]
    assert "Ein Brief" not in table.read("ben").text
    for _time in range(2):
        press(table, "show", made, whom=str(Member.objects.get(user=table.users["ben"]).pk))
    assert readers(table, made) == [*PEOPLE]
    assert not Handout.objects.get().for_all
    press(table, "show", made, whom="all")
    assert Handout.objects.get().for_all
    press(table, "take-back", made)
    assert not HandoutReader.objects.exists()
    for who in PEOPLE:
        for rest in (f"{made.pk}/", f"{made.pk}/picture.webp"):
            assert table.browsers[who].get(address(table, rest)).status_code == 404


def test_who_has_a_new_one_sees_it_at_the_table_by_the_look_that_is_taken_anyway_until_it_is_opened_by_a_press(table):
    seen = {who: table.now(who) for who in ("anna", "ben")}
    made = give(table, "anna")
    fresh = table.since("anna", seen["anna"])
    assert fresh.status_code == 200
    assert f'value="open:{made.pk}"' in fresh.text
    assert "Ein Brief" not in table.since("ben", seen["ben"]).text
    # Not by being looked at.
    table.browsers["anna"].get(address(table, f"{made.pk}/"))
    assert (new(table, "anna"), new(table, "ben"), new(table, "gm")) == ([str(made.pk)], [], [])
    for _time in range(2):
        assert press(table, f"open:{made.pk}", who="anna")["Location"] == address(table, f"{made.pk}/")
    assert HandoutReader.objects.get().opened
    assert new(table, "anna") == []
    assert "has opened it" in text_of(table.browsers["gm"].get(address(table, f"{made.pk}/")))


def test_players_hand_out_show_and_take_back_nothing(table):
    made = give(table, "anna")
    for who in ("anna", "ben"):
        assert give(table, who=who).status_code == 404
        for word in ("show", "take-back"):
            assert press(table, word, made, who, whom="all").status_code == 404
        assert 'id="hand-out"' not in table.browsers[who].get(address(table)).text
    assert press(table, f"open:{made.pk}", who="ben").status_code == 404


def test_a_picture_is_written_anew_in_two_sizes_and_is_no_file_but_a_picture(table):
    where = address(table, f"{give(table, file=picture()).pk}/{{}}.webp")
    for size, pixels in (("picture", (1920, 960)), ("glance", (360, 180))):
        answer = table.browsers["anna"].get(where.format(size))
        assert (answer["Content-Type"], Image.open(BytesIO(answer.content)).size) == ("image/webp", pixels)
        assert table.browsers["anna"].get(where.format(size), headers={
            "If-None-Match": answer["ETag"]}).status_code == 304
    assert table.browsers["anna"].get(where.format("whole")).status_code == 404


@pytest.mark.parametrize(("fields", "said"), [
    ({"title": " "}, "has no title yet"), ({"text": " "}, "nothing to read or see"),
    ({"title": "x" * 201}, "201 characters; the maximum here is 200"), ({"text": "x" * 8001}, "8001 characters"),
    ({"text": "a\0"}, "contains a NUL"), ({"whom": []}, "Nobody is selected to get it yet"),
    ({"whom": ["0", "x"]}, "Nobody is"),
    ({"file": SimpleUploadedFile("x.png", b"<svg/>")}, "not a picture that can be read"),
])
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(table, fields, said):
    answer = give(table, **fields)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert fields.get("text", "Komm allein.")[:100] in answer.text
    assert not Handout.objects.exists()


def test_a_party_keeps_so_many(table):
    Handout.objects.bulk_create(
        Handout(party=table.party, key=uuid.uuid4(), title="x") for _number in range(MAX_HANDOUTS))
    assert f"already has {MAX_HANDOUTS} handouts" in text_of(give(table))


def test_the_log_of_a_scene_holds_what_was_handed_out_for_those_who_have_it(table):
    give(table, title="Vorher")
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    give(table, title="Für alle", text="**Alle**\n# Zeile")
    give(table, "anna", title="Nur Anna", file=picture())
    # What is said of each press is read.
    table.browsers["gm"].get(address(table))
    scene = f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/"
    for who, titles in (("gm", ["Für alle", "Nur Anna"]), ("anna", ["Für alle", "Nur Anna"]), ("ben", ["Für alle"])):
        told = json.loads(table.browsers[who].get(f"{scene}log.json").getvalue())["handouts"]
        assert [one["title"] for one in told] == titles
        marked = table.browsers[who].get(f"{scene}log.md").text
        page = table.browsers[who].get(scene).text
        for title in ("Vorher", "Für alle", "Nur Anna"):
            assert (title in marked, title in page) == (title in titles, title in titles), (who, title)
        assert r"\*\*Alle\*\*" in marked
    own = json.loads(table.browsers["anna"].get(f"{scene}log.json").getvalue())["handouts"][1]
    assert Image.open(BytesIO(b64decode(own["picture"]))).size == (1920, 960)


def test_who_has_left_has_nothing_any_more_and_the_handouts_of_another_party_are_none(table):
    made = give(table, "anna")
    Member.objects.get(user=table.users["anna"]).delete()
    assert table.browsers["anna"].get(address(table, f"{made.pk}/")).status_code == 404
    Handout.objects.update(party=type(table.party).objects.create(name="Andere", ruleset="condice"))
    for rest in (f"{made.pk}/", f"{made.pk}/picture.webp"):
        assert table.browsers["gm"].get(address(table, rest)).status_code == 404


def test_a_gm_takes_along_what_they_handed_out_and_a_player_what_they_were_given(table):
    made = give(table, "anna", file=picture())

    def taken_along(who):
        answer = table.browsers[who].get("/account/download/")
        with ZipFile(BytesIO(answer.getvalue())) as archive:
            return json.loads(archive.read("account.json")), [one for one in archive.namelist() if "handouts/" in one]

    account, pictures = taken_along("gm")
    assert ([one["text"] for one in account["handouts"]], pictures) == (["Komm allein."], [f"handouts/{made.pk}.webp"])
    account, pictures = taken_along("anna")
    assert ([one["handout"] for one in account["given"]], account["handouts"], pictures) == ([made.pk], [], [])


def test_a_form_that_says_all_and_names_one_as_well_gives_nobody_anything(table):
    anna = str(Member.objects.get(user=table.users["anna"]).pk)
    fields = {"do": "give", "title": "Ein Brief", "text": "Komm allein.", "whom": ["all", anna]}
    answer = table.browsers["gm"].post(address(table), fields)
    assert (answer.status_code, Handout.objects.exists()) == (422, False)
    made = give(table, "anna")
    press(table, "show", made, whom=["all", anna])
    made.refresh_from_db()
    assert not made.for_all
    assert "data-all-or-some" in table.browsers["gm"].get(address(table)).text
