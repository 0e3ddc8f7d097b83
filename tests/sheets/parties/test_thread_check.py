"""Posts of a scene's thread are pasted by a GM: each quoted receipt holds, differs, or is unknown."""

import html
import re
import uuid

import pytest

from rulesets.parsing import BYTES
from sheets.models import Event, Receipt, Scene, ThreadReading
from sheets.receipts.messages import encode
from tests.support.sheets.fight import ATTACK, table_of
from tests.support.sheets.thread import address, check, found, note, post_of, rendered, said, verdicts

pytestmark = pytest.mark.alike


def mark(number):
    """The number with the first letters of its link."""
    return f"#{number} · {encode(bytes(Receipt.objects.get(number=number).link))[:8]}"


@pytest.fixture
def fought(table):
    """Anna has rolled 1 and 3, Ben 2 and 4, in a scene beside a thread."""
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    Scene.objects.update(thread="https://forum.example.org/t/4711")
    for who in ("anna", "ben", "anna", "ben"):
        table.play(who, ATTACK, defence=0)
    return table


def test_a_pasted_post_holds_as_bbcode_and_as_its_page_shows_it(fought):
    text = post_of(fought, "anna")
    for one in (text, rendered(text), f'[quote="anna" post_id=4]{text}[/quote]'):
        answer = check(fought, one)
        assert (answer.status_code, verdicts(answer)) == (200, {"holds": [1, 3]}), one
    assert f'/rolls/{Receipt.objects.get(number=1).token}/"' in answer.text
    assert "http" not in rendered(text)


def test_a_page_of_the_thread_is_read_post_by_post(fought):
    for form in (str, rendered):
        posts = "\n\n".join(f"{who}\n{form(post_of(fought, who))}" for who in ("anna", "ben"))
        assert verdicts(check(fought, posts)) == {"holds": [1, 3, 2, 4]}


def test_a_forged_number_is_found(fought):
    line = rendered(post_of(fought, "anna"))
    real = mark(3)
    for false in (real.replace("#3", "#9"), real.replace("#3", "#1"), f"#3 · {'A' * 8}"):
        answer = check(fought, line.replace(real, false))
        assert next(one for one in found(answer) if one[1].startswith(false[:2]))[0] == "differs", false
    # The address is right, the number shown for it is not.
    text = post_of(fought, "anna").replace(mark(3), mark(3).replace("#3", "#5"))
    answer = check(fought, text)
    assert found(answer)[0][0] == "differs"
    assert "The text says #5, but the receipt is that of #3." in said(answer)


def test_a_receipt_that_is_not_there_or_of_another_log_is_found(fought):
    answer = check(fought, f"http://testserver/rolls/{'A' * 22}/")
    assert ("There is no such receipt." in said(answer), found(answer)[0][0]) == (True, "differs")
    other = Receipt.objects.get(number=1)
    Receipt.objects.filter(pk=other.pk).update(log=f"scene:{uuid.uuid4()}")
    answer = check(fought, f"Anna: http://testserver/rolls/{other.token}/")
    assert ("It belongs to another log" in said(answer), found(answer)[0][0]) == (True, "differs")


def test_the_roll_of_somebody_else_is_found(fought):
    bens = rendered(post_of(fought, "ben")).splitlines()[0]
    forged = bens.replace("Ben", "Anna", 1)
    for text, by in ((forged, ""), (f"anna\n{mark(2)}", ""), (bens, fought.sheets["anna"].pk),
                     (f"[quote='anna','x']{mark(2)}[/quote]", "")):
        answer = check(fought, text, by=by)
        assert verdicts(answer) == {"differs": [2]}, text
        assert "It is a roll of Ben, not of" in said(answer)
    answer = check(fought, mark(2))
    assert verdicts(answer) == {"unknown": [2]}
    assert "It is a roll of" not in said(answer)


def test_one_quoted_twice_is_found_in_the_text_and_in_posts_noted_as_read(fought):
    text = rendered(post_of(fought, "anna"))
    answer = check(fought, f"{text}\n{text}")
    assert verdicts(answer) == {"differs": [1, 3], "holds": [1, 3]}
    assert "It was quoted before, in line 1." in said(answer)
    note(fought, text, "Beitrag 38")
    answer = check(fought, text)
    assert verdicts(answer) == {"differs": [1, 3]}
    assert "in what was noted as read: Beitrag 38" in said(answer)


def test_one_left_out_is_found(fought):
    fought.play("anna", ATTACK, defence=0)
    lines = rendered(post_of(fought, "anna")).splitlines()
    answer = check(fought, "\n".join([lines[0], *lines[2:]]))
    assert verdicts(answer) == {"differs": [3], "holds": [1, 5]}
    assert "Left out." in said(answer)
    note(fought, lines[0])
    assert verdicts(check(fought, lines[2])) == {"differs": [3], "holds": [5]}
    assert verdicts(check(fought, "\n".join(lines[1:]))) == {"holds": [3, 5]}
    # What was taken back need not be told.
    Event.objects.filter(number=3).update(undone=True)
    assert verdicts(check(fought, lines[2])) == {"holds": [5]}
    answer = check(fought, lines[1])
    assert (verdicts(answer), "It was taken back." in said(answer)) == ({"differs": [3]}, True)


def test_what_is_on_another_site_is_unknown_and_never_fetched(fought, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_where: pytest.fail("connected"))
    token = Receipt.objects.get(number=1).token
    answer = check(fought, f"Anna [url=https://other.example/rolls/{token}/]{mark(1)}[/url]")
    assert [one[0] for one in found(answer)] == ["unknown"]
    assert "It is on another site (other.example)" in said(answer)


def test_posts_are_noted_once_as_checked_and_the_note_is_taken_back(fought):
    text = rendered(post_of(fought, "anna"))
    assert note(fought, text, "Beitrag 1").status_code == 302
    assert ThreadReading.objects.get().numbers == [1, 3]
    # A page from before that note, another text than the checked one, a title too long, a text without a roll.
    for fields, words in ((({"_saw": "0 0"}), "noted as read elsewhere"), ({"_checked": "x"}, "not the one"),
                          ({"title": "x" * 101}, "at most 100 characters")):
        answer = note(fought, text, **fields)
        assert (answer.status_code, ThreadReading.objects.count()) == (422, 1), fields
        assert words in said(answer), fields
        assert text.splitlines()[0] in html.unescape(answer.text)
    assert "nothing to note" in said(note(fought, "x"))
    reading = ThreadReading.objects.get()
    assert check(fought, do=f"remove:{reading.pk}").status_code == 302
    assert not ThreadReading.objects.exists()
    assert check(fought, do="remove:x").status_code == 400


def test_a_text_that_is_too_long_or_empty_is_sent_back_before_it_is_read(fought, monkeypatch):
    monkeypatch.setattr("sheets.parties.views.scene_thread.ThreadReader", lambda *_all: pytest.fail("read"))
    for text, words in (("x" * (BYTES + 1), "at most"), ("ä" * BYTES, "at most"), (" ", "empty")):
        answer = check(fought, text)
        assert (answer.status_code, words in said(answer)) == (422, True)


def test_hostile_texts_are_answered(fought):
    for text in ("[quote]" * 9_000, "[/quote]" * 8_000, "#1 · " * 13_000, "http://" * 9_000, "[" * BYTES,
                 "http://testserver/rolls/x\n" * 2_000, f"{mark(1)}\n" * 3_000, "\0\ufffe", "\u2066#1 · x",
                 "schrieb:\n" * 6_000, "»\n" * 20_000):
        answer = check(fought, text, by="x")
        assert answer.status_code in (200, 400, 422), text[:20]


def test_only_gms_see_it(fought):
    for who in ("anna", "stranger"):
        if who in fought.browsers:
            assert fought.browsers[who].get(address(fought)).status_code == 404
            assert check(fought, "x", who=who).status_code == 404
    assert fought.browsers["helper"].get(address(fought)).status_code == 200


@table_of("daemmersturm")
def test_a_profile_line_is_compared_with_the_sheet_at_its_number(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})

    def line():
        return post_of(table, "anna").splitlines()[-1]

    def hurt(points):
        table.play("anna", "act-damage", points=points, against="nothing")

    lines = [line()]
    for _time in range(2):
        table.play("anna", "roll-exhaustion")
        hurt(1)
        lines.append(line())
    assert [re.search(r"as of #(\d)", one)[1] for one in lines] == ["0", "1", "2"]
    most = table.full("anna")
    hurt(2)
    for text in (*lines, *map(rendered, lines), lines[1].replace("as of", "Stand")):
        assert found(check(table, text)) == [("holds", "Profile of Anna")], text
    # At #2 two points were gone, then two more without a roll; now there are four.
    assert found(check(table, line()))[0][0] == "holds"
    table.play("anna", "roll-exhaustion")
    answer = check(table, lines[1].replace("#1", "#3"))
    assert found(answer) == [("differs", "Profile of Anna")]
    assert f"Life points: the post says {most - 1}, then it was {most - 4}." in said(answer)
    assert "Compared as of #3, as the line says." in said(answer)
    forged = re.sub(r"N=20\+(\d+)", "N=20+9", lines[2])
    answer = check(table, forged)
    assert (found(answer)[0][0], "then it was" in said(answer)) == ("differs", True)
    for text in (lines[2], rendered(lines[2])):
        spent = re.sub(r"AP: (\d+)/", lambda points: f"AP: {int(points[1]) - 1}/", text)
        answer = check(table, spent)
        assert (spent != text, found(answer)[0][0]) == (True, "differs")
        assert "Action points" in said(answer)
    assert "No roll of this scene has the number 99." in said(check(table, lines[1].replace("#1", "#99")))


@table_of("daemmersturm")
def test_a_profile_line_without_a_number_is_compared_with_the_last_receipt_before_it_or_with_now(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    table.play("anna", "roll-exhaustion")
    table.play("anna", "act-damage", points=1, against="nothing")
    text = re.sub(" as of #1", "", post_of(table, "anna"))
    table.play("anna", "roll-exhaustion")
    table.play("anna", "act-damage", points=1, against="nothing")
    answer = check(table, text)
    assert {one[0] for one in found(answer)} == {"holds"}
    assert "Compared as of #1, the last receipt before it." in said(answer)
    answer = check(table, text.splitlines()[-1])
    assert found(answer) == [("differs", "Profile of Anna")]
    assert "Compared with how it stands now." in said(answer)


@table_of("daemmersturm")
def test_a_profile_line_that_can_be_read_in_several_ways_or_of_nobody_here_is_unknown(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    line = post_of(table, "anna").splitlines()[-1]
    answer = check(table, line.replace("Anna", "Zora"))
    assert found(answer) == [("unknown", "Profile of Zora")]
    assert "Nobody at this table has this name." in said(answer)
    broken = re.sub(r"F=[^,]*,", "F=?,", line)
    answer = check(table, broken)
    assert found(answer) == [("unknown", "Profile of Anna")]
    ability = {"name": "Sprinten (2x pro Kampf, 1 AP)", "text": "", "focus_points": None, "cost": ""}
    table.have("anna", **table.sheet("anna").data | {"abilities": [ability]})
    line = post_of(table, "anna").splitlines()[-1]
    assert "Sprinten (2x pro Kampf, 1 AP)" in line
    # What was copied here holds to the letter, however it could be read.
    assert found(check(table, line)) == [("holds", "Profile of Anna")]
    assert found(check(table, line.replace("2x pro", "3x pro")))[0][0] in ("unknown", "differs")
