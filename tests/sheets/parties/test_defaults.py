"""What goes without saying in a party: who reads what comes in, how many characters one takes, where one builds."""

import json
import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from sheets.models import Member, Party, Sheet
from tests.support.guest import inside, text_of, words_in


def press(run, do, who="gm", **fields):
    return run.browsers[who].post(run.url, {"do": do, **fields})


def settle(run, who="gm", **fields):
    """Saves the settings of the party."""
    return run.browsers[who].post(f"{run.url}settings/", {"name": "Die Runde", "seen_by": "private", **fields})


def test_what_comes_in_is_read_as_the_party_has_it_until_its_owner_says_otherwise_or_by_everybody_as_ever(run):
    before = run.sheet("anna", name="Vorher")
    own = {who: run.sheet(who, inside=False, name=who) for who in ("anna", "ben")}
    own["gm"] = run.sheet("gm", inside=False, name="gm", seen_by="public")
    press(run, "bring", "anna", sheet=own["anna"].pk)
    settle(run, seen_by="party")
    for who in ("ben", "gm"):
        press(run, "bring", who, sheet=own[who].pk)
    assert dict(Sheet.objects.values_list("name", "seen_by")) == {
        "Vorher": "private", "anna": "private", "ben": "party", "gm": "public"}
    assert run.browsers["anna"].get(f"/sheets/{own['ben'].pk}/").status_code == 200
    assert run.browsers["ben"].get(f"/sheets/{before.pk}/").status_code == 404
    run.browsers["ben"].post(f"/sheets/{own['ben'].pk}/place/", {"do": "see", "seen_by": "private"})
    assert run.browsers["anna"].get(f"/sheets/{own['ben'].pk}/").status_code == 404


def test_players_set_no_defaults_and_others_words_are_none(run):
    assert settle(run, "anna", seen_by="party", several="on").status_code == 404
    assert settle(run, seen_by="public").status_code == 400
    run.party.refresh_from_db()
    assert (run.party.seen_by, run.party.several) == ("private", False)


def test_the_settings_are_saved_together_and_said_to_be(run):
    answer = settle(run, name=" Runde ", seen_by="party", several="on", approval="on", trust="on", waits="on")
    run.party.refresh_from_db()
    kept = run.party
    assert (kept.name, kept.seen_by, kept.several, kept.approval, kept.trust, kept.waits) == (
        "Runde", "party", True, True, True, True)
    page = run.browsers["gm"].get(answer["Location"])
    assert (answer["Location"].endswith("#told-settings"), "Saved." in inside(page)["told-settings"]) == (True, True)
    settle(run)
    assert Party.objects.filter(several=False, approval=False, trust=False, waits=False, seen_by="private").exists()


def test_settings_that_another_gm_has_changed_meanwhile_are_not_overwritten(run):
    seen = re.search('name="_saw" value="([^"]*)"', run.browsers["gm"].get(f"{run.url}settings/").text)[1]
    settle(run, "second", approval="on")
    answer = settle(run, _saw=seen, name="Anders")
    assert (answer.status_code, "nothing has been saved" in text_of(answer)) == (409, True)
    assert (Party.objects.get().name, Party.objects.get().approval) == ("Die Runde", True)


def test_a_name_that_cannot_be_stays_in_its_field_with_the_rest_as_it_was_set(run):
    answer = settle(run, name="x" * 201, approval="on")
    assert (answer.status_code, "x" * 201 in answer.text, 'name="approval" aria-describedby="approval-help" checked'
            in answer.text) == (422, True, True)
    assert not Party.objects.get().approval


@pytest.fixture
def laid(run):
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "generate", "count": "3"})
    return list(Sheet.objects.filter(offered=True))


def take(run, who, sheet):
    return text_of(run.browsers[who].post(f"{run.url}ready/", {"do": f"take:{sheet.pk}"}, follow=True))


def owned(run, who):
    return Sheet.objects.filter(owner=run.users[who], offered=False).count()


def test_everybody_takes_one_which_is_read_as_the_party_has_it_unless_the_gm_allows_more(run, laid):
    settle(run, seen_by="party")
    take(run, "anna", laid[0])
    assert Sheet.objects.get(pk=laid[0].pk).seen_by == "party"
    assert "here it is one each. A GM can allow more." in take(run, "anna", laid[1])
    assert ['value="take:' in run.browsers[who].get(f"{run.url}ready/").text for who in ("anna", "ben")] == [
        False, True]
    # Whoever takes one out of the party has taken it.
    press(run, f"drop:{laid[0].pk}", "anna")
    take(run, "anna", laid[1])
    assert owned(run, "anna") == 1
    for more, sheet in (({"several": "on"}, laid[1]), ({}, laid[2])):
        settle(run, seen_by="party", **more)
        take(run, "anna", sheet)
        assert owned(run, "anna") == 2


def test_whoever_leaves_or_is_removed_and_joins_again_has_taken_one(run, laid):
    Party.objects.update(invitation="karte")
    take(run, "anna", laid[0])
    run.browsers["anna"].post(f"{run.url}leave/")
    run.browsers["anna"].post("/join/karte/", {"take": str(laid[1].pk)})
    back = Member.objects.get(user=run.users["anna"])
    run.browsers["gm"].post(f"{run.url}members/{back.pk}/", {"do": "remove"})
    run.browsers["anna"].post("/join/karte/")
    assert "here it is one each. A GM can allow more." in take(run, "anna", laid[1])
    assert owned(run, "anna") == 1
    with ZipFile(BytesIO(b"".join(run.browsers["anna"].get("/account/download/").streaming_content))) as kept:
        assert json.loads(kept.read("account.json"))["taken"] == [str(run.party.pk)]


def test_by_a_card_one_takes_one_too_and_is_in_the_party_all_the_same(run, laid):
    Party.objects.update(invitation="karte")
    for sheet in laid[:2]:
        run.browsers["anna"].post("/join/karte/", {"take": str(sheet.pk)})
    assert owned(run, "anna") == 1
    assert Member.objects.filter(user=run.users["anna"]).exists()


def test_several_sheets_are_laid_out_at_once_with_what_each_is_and_none_that_is_not_ones_own(run):
    own = [run.sheet("gm", inside=False, name=f"Nr. {number}") for number in range(3)]

    def lay_out(*sheets):
        return run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": [one.pk for one in sheets]})

    assert lay_out(own[0], run.sheet("anna", inside=False)).status_code == 404
    lay_out(*own)
    assert sorted(Sheet.objects.filter(offered=True).values_list("name", flat=True)) == ["Nr. 0", "Nr. 1", "Nr. 2"]
    card = text_of(run.browsers["anna"].get(f"{run.url}ready/")).partition("Nr. 2")[2]
    said = ("Life points", "Attacks: Einhornpiranhas", "Special abilities:", "30 / 30")
    assert words_in(card, *said) == [*said]
    assert "tick at least one" in text_of(run.browsers["gm"].get(lay_out()["Location"]))


@pytest.mark.parametrize("do", ["", "random"])
def test_a_character_is_built_in_the_party_by_its_house_rules(run, do):
    Party.objects.update(house={"budget": 40})
    page = run.browsers["anna"].get(run.url).text
    assert re.search(r'<form class="actions" id="build" method="post" action="/build/condice/">', page)
    answer = run.browsers["anna"].post("/build/condice/", {"party": run.party.pk, "do": do})
    made = Sheet.objects.get()
    assert answer["Location"].startswith(f"/sheets/{made.pk}/" if do else f"/drafts/{made.pk}/figure/")
    assert (made.party, made.house, made.owner) == (run.party, {"budget": 40}, run.users["anna"])
    assert run.told("gm") == ["brought"]


def test_nobody_builds_in_a_party_that_they_are_not_in_or_another_system_there_or_without_room(
        run, client, monkeypatch):
    for browser, slug in ((client, "condice"), (run.browsers["anna"], "dice-rumble")):
        assert browser.post(f"/build/{slug}/", {"party": run.party.pk}).status_code == 404
    assert run.browsers["anna"].post("/build/condice/", {"party": "x"}).status_code == 404
    monkeypatch.setattr("sheets.parties.services.SHEETS", 0)
    answer = run.browsers["anna"].post("/build/condice/", {"party": run.party.pk}, follow=True)
    assert "The party already has 0 sheets" in text_of(answer)
    assert not Sheet.objects.exists()
