"""What goes without saying in a party: who reads what comes in, how many characters one takes, where one builds."""

import re

import pytest

from sheets.models import Member, Party, Sheet
from tests.support.guest import text_of

pytestmark = pytest.mark.django_db


def press(run, do, who="gm", **fields):
    return run.browsers[who].post(run.url, {"do": do, **fields})


def test_what_comes_in_is_read_as_the_party_has_it_until_its_owner_says_otherwise(run):
    before = run.sheet("anna", name="Vorher")
    own = {who: run.sheet(who, inside=False, name=who) for who in ("anna", "ben")}
    press(run, "bring", "anna", sheet=own["anna"].pk)
    press(run, "readers:party")
    press(run, "bring", "ben", sheet=own["ben"].pk)
    seen = dict(Sheet.objects.values_list("name", "seen_by"))
    assert seen == {"Vorher": "private", "anna": "private", "ben": "party"}
    assert run.browsers["anna"].get(f"/sheets/{own['ben'].pk}/").status_code == 200
    assert run.browsers["ben"].get(f"/sheets/{before.pk}/").status_code == 404
    run.browsers["ben"].post(f"/sheets/{own['ben'].pk}/place/", {"do": "see", "seen_by": "private"})
    assert run.browsers["anna"].get(f"/sheets/{own['ben'].pk}/").status_code == 404


def test_what_everybody_reads_already_stays_so_and_what_leaves_is_hidden_again(run):
    own = run.sheet("anna", inside=False, seen_by="public")
    press(run, "readers:party")
    press(run, "bring", "anna", sheet=own.pk)
    assert Sheet.objects.get().seen_by == "public"
    other = run.sheet("ben", inside=False, name="Anders")
    press(run, "bring", "ben", sheet=other.pk)
    press(run, f"drop:{other.pk}", "ben")
    assert Sheet.objects.get(pk=other.pk).seen_by == "private"


@pytest.mark.parametrize("do", ["readers:party", "each:several"])
def test_players_set_no_defaults_and_others_words_are_none(run, do):
    assert press(run, do, "anna").status_code == 404
    assert press(run, f"{do}x").status_code == 400
    assert press(run, "readers:public").status_code == 400
    assert (run.party.seen_by, run.party.several) == ("private", False)


@pytest.fixture
def laid(run):
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "generate", "count": "3"})
    return list(Sheet.objects.filter(offered=True))


def take(run, who, sheet):
    return text_of(run.browsers[who].post(f"{run.url}ready/", {"do": f"take:{sheet.pk}"}, follow=True))


def owned(run, who):
    return Sheet.objects.filter(owner=run.users[who], offered=False).count()


def test_everybody_takes_one_unless_the_gm_allows_more(run, laid):
    take(run, "anna", laid[0])
    assert "here everybody takes one. A GM can allow more." in take(run, "anna", laid[1])
    assert owned(run, "anna") == 1
    assert 'value="take:' not in run.browsers["anna"].get(f"{run.url}ready/").text
    assert 'value="take:' in run.browsers["ben"].get(f"{run.url}ready/").text
    press(run, "each:several")
    take(run, "anna", laid[1])
    assert owned(run, "anna") == 2
    press(run, "each:one")
    take(run, "anna", laid[2])
    assert owned(run, "anna") == 2


def test_whoever_takes_one_out_of_the_party_has_taken_it(run, laid):
    take(run, "anna", laid[0])
    press(run, f"drop:{laid[0].pk}", "anna")
    take(run, "anna", laid[1])
    assert owned(run, "anna") == 1


def test_by_a_card_one_takes_one_too_and_is_in_the_party_all_the_same(run, laid, django_user_model):
    Party.objects.update(invitation="karte")
    for sheet in laid[:2]:
        run.browsers["anna"].post("/join/karte/", {"take": str(sheet.pk)})
    assert owned(run, "anna") == 1
    assert Member.objects.filter(user=run.users["anna"]).exists()


def test_what_is_taken_is_read_as_the_party_has_it(run, laid):
    press(run, "readers:party")
    take(run, "anna", laid[0])
    assert Sheet.objects.get(pk=laid[0].pk).seen_by == "party"


def test_a_card_says_whom_one_takes(run):
    run.sheet("gm", inside=False, name="Juan")
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": str(Sheet.objects.get().pk)})
    card = text_of(run.browsers["anna"].get(f"{run.url}ready/")).partition("Juan")[2]
    for said in ("Life points", "Attacks: Einhornpiranhas", "Special abilities:", "30 / 30"):
        assert said in card, said


def test_several_sheets_are_laid_out_at_once_and_none_that_is_not_ones_own(run):
    own = [run.sheet("gm", inside=False, name=f"Nr. {number}") for number in range(3)]
    annas = run.sheet("anna", inside=False)
    answer = run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": [own[0].pk, annas.pk]})
    assert answer.status_code == 404
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": [one.pk for one in own]})
    assert sorted(Sheet.objects.filter(offered=True).values_list("name", flat=True)) == ["Nr. 0", "Nr. 1", "Nr. 2"]
    answer = run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out"}, follow=True)
    assert "tick at least one" in text_of(answer)


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


def test_nobody_builds_in_a_party_that_they_are_not_in_or_another_system_there(run, client):
    for browser, slug in ((client, "condice"), (run.browsers["anna"], "dice-rumble")):
        assert browser.post(f"/build/{slug}/", {"party": run.party.pk}).status_code == 404
    assert run.browsers["anna"].post("/build/condice/", {"party": "x"}).status_code == 404
    assert not Sheet.objects.exists()


def test_a_party_without_room_says_so_and_nothing_is_left_over(run, monkeypatch):
    monkeypatch.setattr("sheets.parties.services.SHEETS", 0)
    answer = run.browsers["anna"].post("/build/condice/", {"party": run.party.pk}, follow=True)
    assert "The party has 0 sheets already" in text_of(answer)
    assert not Sheet.objects.exists()
