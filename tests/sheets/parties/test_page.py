"""The pages of parties, as browsers use them."""

import re

import pytest
from django.test import Client

from sheets.models import CO_GM, GM, PLAYER, Member, Party, Sheet
from sheets.parties.views.party import ACTIONS, PLACES
from tests.support.guest import example, inside, text_of, words_in
from tests.support.sheets.forms import Forms

FAULTS = ("invite", "revoke", "bring", "drop")
"""The words of those buttons of the party's page that may be answered by the page itself."""


def role(run, who):
    return run.party.members.get(user=run.users[who]).role


def part(run, who):
    return run.party.members.get(user=run.users[who]).pk


def test_a_party_is_founded_with_a_name_and_a_system(run):
    answer = run.browsers["anna"].post("/parties/", {"name": " Montag <b> ", "ruleset": "dice-rumble"})
    party = Party.objects.get(name="Montag <b>")
    assert (answer["Location"], party.ruleset) == (f"/parties/{party.pk}/", "dice-rumble")
    told = ("Montag &lt;b&gt;", "Die Runde")
    assert words_in(run.browsers["anna"].get("/parties/"), *told) == [*told]
    assert "Montag" not in run.browsers["ben"].get("/parties/").text


def test_a_name_that_cannot_be_is_said_and_there_are_no_parties_of_systems_that_there_are_not(run):
    for name in ("", "   ", "x" * 201, "\0", "\u3164\u200b"):
        for where in ("/parties/", f"{run.url}settings/"):
            answer = run.browsers["gm"].post(where, {"name": name, "ruleset": "condice",
                                                       "seen_by": "party"})
            assert (answer.status_code, 'role="alert"' in answer.text) == (422, True), (name, where)
    for ruleset in ("", "x", "\0"):
        assert run.browsers["gm"].post("/parties/", {"name": "x", "ruleset": ruleset}).status_code == 400
    assert Party.objects.get().name == "Die Runde"
    # One that is gone is not found, and nobody else's pages break.
    Party.objects.update(ruleset="gone")
    assert run.browsers["gm"].get(run.url).status_code == 404
    assert run.browsers["gm"].get("/parties/").status_code == 200


def test_a_guest_is_told_what_a_party_takes_and_keeps_the_invitation_through_signing_up(run):
    run.browsers["gm"].post(run.url, {"do": "invite"})
    link = f"/join/{Party.objects.get().invitation}/"
    guest = Client(headers={"Accept-Language": "en"})
    guest.post("/build/condice/")
    page = guest.get(link)
    assert "Die Runde" in page.text
    signup = f"/account/signup/?next={link}"
    assert signup in page.text
    secret = "amboss-und-bogen"
    answer = guest.post(signup, {"username": "cleo", "password1": secret, "password2": secret, "next": link})
    assert answer["Location"] == link
    answer = guest.post(link, follow=True)
    assert "You have joined; now bring a sheet." in text_of(answer)
    assert run.told("gm") == run.told("second") == ["joined"]
    assert Sheet.objects.get().owner.username == "cleo"


def test_where_accounts_are_by_invitation_the_link_to_a_party_is_one(run, settings):
    settings.SIGNUP = "invitation"
    run.browsers["gm"].post(run.url, {"do": "invite"})
    guest, secret = Client(headers={"Accept-Language": "en"}), "amboss-und-bogen"
    form = {"username": "cleo", "password1": secret, "password2": secret}
    guest.post("/account/signup/", form)
    assert "cleo" not in {user.username for user in type(run.users["gm"]).objects.all()}
    guest.post(f"/join/{Party.objects.get().invitation}/", {"do": "signup"})
    guest.post("/account/signup/", form)
    assert "cleo" in {user.username for user in type(run.users["gm"]).objects.all()}


def test_a_renewed_or_revoked_link_lets_nobody_in(run):
    Member.objects.filter(user=run.users["ben"]).delete()
    run.browsers["gm"].post(run.url, {"do": "invite"})
    for who, do in (("second", "invite"), ("gm", "revoke")):
        link = f"/join/{Party.objects.get().invitation}/"
        assert run.browsers["ben"].get(link).status_code == 200
        run.browsers[who].post(run.url, {"do": do})
        assert run.browsers["ben"].post(link).status_code == 404
    assert Party.objects.get().invitation is None


def test_who_is_taken_out_does_not_come_back_by_a_link_that_is_renewed_with_that(run):
    for renew, status in (({}, 302), ({"renew": "on"}, 404)):
        run.browsers["gm"].post(run.url, {"do": "invite"})
        link = f"/join/{Party.objects.get().invitation}/"
        run.browsers["gm"].post(f"{run.url}members/{part(run, 'ben')}/", {"do": "remove", **renew})
        assert run.browsers["ben"].post(link).status_code == status
    assert Party.objects.get().invitation


def test_one_joins_with_a_finished_sheet_of_the_system_that_is_ones_own(run):
    Member.objects.filter(user__username__in=("anna", "ben")).delete()
    Party.objects.update(invitation="karte")
    done = {"finished": "2026-01-01T00:00Z", "inside": False}
    own, draft = run.sheet("anna", name="Fertig", **done), run.sheet("anna", name="Entwurf", inside=False)
    others = run.sheet("ben", name="Fremd", **done)
    page = run.browsers["anna"].get("/join/karte/")
    assert words_in(page.text, "Fertig", "Entwurf", "Fremd") == ["Fertig"]
    answer = run.browsers["anna"].post("/join/karte/", {"sheet": own.pk}, follow=True)
    assert "You have joined, and “Fertig” with you." in text_of(answer)
    assert run.told("gm") == ["joined", "brought"]
    for sheet in (own.pk, draft.pk, ""):
        run.browsers["ben"].post("/join/karte/", {"sheet": sheet})
    assert list(run.party.sheets.all()) == [own]
    assert others.party is None


def test_the_gm_appoints_hands_over_and_removes(run):
    where = "{}members/{}/".format(run.url, part(run, "anna"))
    for word in (CO_GM, PLAYER):
        run.browsers["gm"].post(where, {"do": word})
        assert role(run, "anna") == word
    run.browsers["gm"].post(where, {"do": "hand-over"})
    assert [role(run, who) for who in run.users] == [CO_GM, CO_GM, GM, PLAYER]
    assert run.told("anna") == [CO_GM, PLAYER, GM]
    sheet = run.sheet("ben")
    run.browsers["anna"].post(f"{run.url}members/{part(run, 'ben')}/", {"do": "remove"})
    sheet.refresh_from_db()
    assert (sheet.party, run.browsers["ben"].get(run.url).status_code, run.told("ben")) == (None, 404, ["removed"])


@pytest.mark.parametrize(("who", "whom", "words"), [
    ("second", "gm", []), ("second", "anna", ["remove"]), ("gm", "second", ["player", "hand-over", "remove"]),
    ("gm", "anna", ["co-gm", "hand-over", "remove"]), ("gm", "gm", None),
])
def test_nobody_does_more_about_another_than_their_role_allows_and_nothing_about_themselves(run, who, whom, words):
    where, every = f"{run.url}members/{part(run, whom)}/", ("co-gm", "player", "gm", "hand-over", "remove", "")
    page = run.browsers[who].get(where)
    assert page.status_code == (404 if words is None else 200)
    assert [word for word in every if f'name="do" value="{word}"' in page.text] == (words or [])
    for word in {*every} - {*(words or [])}:
        assert run.browsers[who].post(where, {"do": word}).status_code == (404 if words is None else 400)
    assert [role(run, who) for who in run.users] == [GM, CO_GM, PLAYER, PLAYER]


@pytest.mark.parametrize(("who", "text"), [("gm", "second will become the GM"), ("anna", "You take 1 sheet with you")])
def test_leaving_says_first_what_it_does(run, who, text):
    run.sheet("anna")
    assert text in text_of(run.browsers[who].get(f"{run.url}leave/"))
    assert run.browsers[who].post(f"{run.url}leave/").status_code == 302
    assert run.browsers[who].get(run.url).status_code == 404


def test_a_party_ends_by_its_gm_alone_after_being_asked_and_gives_every_sheet_back(run):
    sheet = run.sheet("anna", seen_by="party")
    assert run.browsers["second"].post(f"{run.url}end/").status_code == 404
    assert "4 members" in text_of(run.browsers["gm"].get(f"{run.url}end/"))
    assert Party.objects.exists()
    run.browsers["gm"].post(f"{run.url}end/")
    assert not Party.objects.exists()
    sheet.refresh_from_db()
    assert (sheet.party, sheet.seen_by) == (None, "private")
    assert [run.told(who) for who in run.users] == [[], ["ended"], ["ended"], ["ended"]]


def test_the_page_shows_each_sheet_with_its_status_and_points_to_those_who_read_it(run):
    run.sheet("anna", name="Verborgen")
    run.sheet("anna", name="Offen", seen_by="party")
    over = run.sheet("ben", name="Zuviel", seen_by="public")
    Sheet.objects.filter(pk=over.pk).update(data={**example()["data"], "life": 9})
    shown = {who: text_of(browser.get(run.url)) for who, browser in run.browsers.items()}
    names = ["Verborgen", "Offen", "Zuviel"]
    assert {who: words_in(text, *names) for who, text in shown.items()} == {
        "gm": names, "second": names, "anna": names, "ben": ["Offen", "Zuviel"]}
    assert re.search(r"ben\s*Player\s*: ben.* Zuviel 34 / 30 illegal", shown["gm"])


def test_a_sheet_that_cannot_be_read_any_more_is_named_and_breaks_nothing(run):
    sheet = run.sheet("anna")
    Sheet.objects.filter(pk=sheet.pk).update(data={})
    for where in (run.url, f"{run.url}house/"):
        assert run.browsers["gm"].get(where).status_code == 200
    assert "unreadable" in text_of(run.browsers["gm"].get(run.url))
    answer = run.browsers["gm"].post(f"{run.url}house/", {"_version": 1, "budget": 31})
    assert "1 sheet: 1 stays as it is." in text_of(answer)


def test_only_a_sheet_of_ones_own_of_this_system_and_of_no_other_party_comes_in(run):
    elsewhere = run.sheet("anna")
    Sheet.objects.update(party=Party.objects.create(name="x", ruleset="condice"))
    assert run.browsers["anna"].post(run.url, {"do": "bring", "sheet": elsewhere.pk}).status_code == 409
    foreign, thrown = run.sheet("ben", inside=False), run.sheet("anna", inside=False, deleted="2026-01-01T00:00Z")
    other = Sheet.objects.create(owner=run.users["anna"], ruleset="dice-rumble", data={})
    for sheet in (foreign.pk, other.pk, thrown.pk, "x", ""):
        assert run.browsers["anna"].post(run.url, {"do": "bring", "sheet": sheet}).status_code == 404
    assert not run.party.sheets.exists()
    mine = run.sheet("anna", inside=False)
    run.browsers["anna"].post(run.url, {"do": "bring", "sheet": mine.pk})
    assert run.party.sheets.get() == mine
    assert (run.told("gm"), run.told("second"), run.told("anna")) == (["brought"], ["brought"], [])


def test_a_gm_takes_a_sheet_out_and_its_owner_is_told(run):
    sheet = run.sheet("anna")
    assert run.browsers["ben"].post(run.url, {"do": f"drop:{sheet.pk}"}).status_code == 404
    run.browsers["second"].post(run.url, {"do": f"drop:{sheet.pk}"})
    assert (run.party.sheets.count(), run.told("anna")) == (0, ["dropped"])


def test_the_notes_on_a_party_are_their_authors_and_those_that_cannot_be_kept_stay_in_their_field(run):
    for who in run.browsers:
        run.browsers[who].post(run.url, {"do": "notes", "notes": f"Notiz von {who}\r\nzwei"})
    for notes in ("x" * 4001, "a\0b"):
        answer = run.browsers["anna"].post(run.url, {"do": "notes", "notes": notes})
        assert (answer.status_code, notes in answer.text) == (422, True)
    for who in run.browsers:
        page = run.browsers[who].get(run.url).text
        assert [other for other in run.browsers if f"Notiz von {other}\nzwei" in page] == [who]


def test_what_a_full_party_answers_is_a_message_and_no_fault(run, monkeypatch):
    monkeypatch.setattr("sheets.parties.services.SHEETS", 0)
    sheet = run.sheet("anna", inside=False)
    answer = run.browsers["anna"].post(run.url, {"do": "bring", "sheet": sheet.pk}, follow=True)
    assert "The party already has 0 sheets" in text_of(answer)
    monkeypatch.setattr("sheets.parties.services.PARTIES", 1)
    answer = run.browsers["anna"].post("/parties/", {"name": "x", "ruleset": "condice"})
    assert (answer.status_code, "leave one first" in text_of(answer)) == (422, True)


def test_every_button_of_the_page_is_known_and_there_are_no_others(run):
    assert {word for word, (gm, _doing) in ACTIONS.items() if gm} == {"invite", "revoke"}
    for do in ("", "x", "\0", "invite:x:y:z"):
        assert run.browsers["anna"].post(run.url, {"do": do}).status_code in (400, 404)


def test_forms_stand_in_no_line_of_text(run):
    """HTML has no place for them there."""
    run.sheet("anna", seen_by="party")
    page = run.browsers["gm"].get(run.url).text.partition("<main")[2].partition("</main>")[0]
    before = [page[:form.start()] for form in re.finditer("<form", page)]
    assert len(before) > 1
    for tag in ("p", "span"):
        assert [one[-80:] for one in before if len(re.findall(rf"<{tag}\b", one)) > one.count(f"</{tag}>")] == []


@pytest.mark.parametrize(("do", "fields", "place", "words"), [
    ("invite", {}, "invitation", "The link has been created."),
    ("revoke", {}, "invitation", "The link has been revoked"),
    ("notes", {"notes": "x"}, "notes", "Saved.")])
def test_what_a_button_of_the_party_does_is_said_beside_it(run, do, fields, place, words):
    gm = run.browsers["gm"]
    answer = gm.post(run.url, {"do": do, **fields})
    page = gm.get(answer["Location"], headers={"Accept-Language": "en"})
    assert answer["Location"].endswith(f"#{place}")
    copied = 'data-copies="invitation-link"'
    assert words_in(inside(page)[place], words, copied) == [words, *[copied] * (do == "invite")]


def test_what_is_refused_on_the_long_page_is_seen_where_it_was_pressed(run):
    run.sheet("gm", inside=False)
    run.sheet("anna")
    page = run.browsers["gm"].get(run.url)
    for form in Forms(page).forms:
        place = {PLACES[value.partition(":")[0]] for _name, value in form.buttons if value.partition(":")[0] in FAULTS}
        place |= {"notes"} if "notes" in form.said else set()
        assert not place or {form.action.partition("#")[2]} == place, form.action
        assert all(f'id="{one}"' in page.text for one in place)
