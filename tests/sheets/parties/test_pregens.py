"""Ready-made characters: laid out by GMs, taken by whoever comes first."""

import pytest

from rulesets import generate, systems
from sheets.models import Party, Sheet
from tests.support.guest import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def laid(run):
    """A character that is laid out."""
    run.sheet("gm", inside=False, name="Vorlage", notes="geheim", share="x")
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": Sheet.objects.get().pk})
    return Sheet.objects.get(offered=True)


def test_what_is_laid_out_is_a_copy_by_the_partys_house_rules_without_notes_or_link(run, laid):
    Party.objects.update(house={"budget": 35})
    assert (laid.name, laid.notes, laid.share, laid.party, laid.owner.username) == (
        "Vorlage", "", None, run.party, "gm")
    original = Sheet.objects.get(offered=False)
    assert (original.party, original.notes) == (None, "geheim")
    run.browsers["gm"].post(f"{run.url}ready/", {"do": "lay-out", "sheet": original.pk})
    assert Sheet.objects.filter(offered=True, house={"budget": 35}).count() == 1


def test_the_dice_make_as_many_legal_characters_as_asked_by_the_house_rules(run):
    Party.objects.update(house={"budget": 20})
    run.browsers["second"].post(f"{run.url}ready/", {"do": "generate", "count": " 4 "})
    ruleset = systems()["condice"]
    found = list(Sheet.objects.filter(offered=True, owner=run.users["second"]))
    assert len(found) == 4
    for sheet in found:
        shape, house = ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house)
        assert (house.budget, shape.ledger(house).left) == (20, 0)
        assert ruleset.check(shape, house, sheet.name).findings == ()


def test_the_dice_make_what_the_gm_wants_and_nobody_twice(run):
    gm = run.browsers["gm"]
    for _time in range(2):
        gm.post(f"{run.url}ready/", {"do": "generate", "count": "20", "_concept": "healer"})
    found = list(Sheet.objects.filter(offered=True))
    assert len(found) == len({sheet.name for sheet in found}) == 40
    assert {sheet.concept for sheet in found} == {"healer"}
    assert text_of(gm.get(f"{run.url}ready/")).count("A healer who keeps everybody on their feet") == 40 + 1
    answer = gm.post(f"{run.url}ready/", {"do": "generate", "count": "1", "_concept": "x"}, follow=True)
    assert "no concept of ConDice" in text_of(answer)


@pytest.mark.parametrize("count", ["", "0", "21", "-1", "x", "²", "9" * 5000, "1.5"])
def test_a_number_that_is_none_makes_nothing_and_is_said(run, count):
    answer = run.browsers["gm"].post(f"{run.url}ready/", {"do": "generate", "count": count})
    assert (answer.status_code, "1 to 20 are made at once" in text_of(answer)) == (422, True)
    assert not Sheet.objects.exists()


def test_house_rules_that_no_character_keeps_are_said(run, monkeypatch):
    def stuck(*arguments):
        raise generate.Stuck("Nichts passt.")

    monkeypatch.setattr(generate, "character", stuck)
    answer = run.browsers["gm"].post(f"{run.url}ready/", {"do": "generate", "count": "2"}, follow=True)
    assert "Nichts passt." in text_of(answer)


def test_a_character_that_is_taken_is_the_takers_and_the_gm_is_told(run, laid):
    Sheet.objects.filter(pk=laid.pk).update(notes="Für dich", share="y")
    answer = run.browsers["anna"].post(f"{run.url}ready/", {"do": f"take:{laid.pk}"})
    assert answer["Location"] == f"/sheets/{laid.pk}/"
    laid.refresh_from_db()
    assert (laid.owner, laid.offered, laid.share, laid.notes) == (run.users["anna"], False, None, "Für dich")
    assert laid.party == run.party
    assert run.told("gm") == ["taken"]
    assert run.browsers["anna"].get(f"/drafts/{laid.pk}/values/").status_code == 200


def test_of_two_who_want_the_same_the_second_finds_it_gone(run, laid):
    assert run.browsers["anna"].post(f"{run.url}ready/", {"do": f"take:{laid.pk}"}).status_code == 302
    assert run.browsers["ben"].post(f"{run.url}ready/", {"do": f"take:{laid.pk}"}).status_code == 302
    assert Sheet.objects.get(pk=laid.pk).owner == run.users["anna"]


def test_who_comes_too_late_is_told(run, laid):
    run.browsers["anna"].post(f"{run.url}ready/", {"do": f"take:{laid.pk}"})
    answer = run.browsers["ben"].post(f"{run.url}ready/", {"do": f"take:{laid.pk}"}, follow=True)
    assert "somebody else was quicker" in text_of(answer)


@pytest.mark.parametrize("which", ["private", "elsewhere", "nonsense"])
def test_only_what_is_laid_out_here_is_taken(run, which):
    sheet = run.sheet("gm", seen_by="party")
    if which == "elsewhere":
        Sheet.objects.update(offered=True, party=Party.objects.create(name="x", ruleset="condice"))
    pk = "x" if which == "nonsense" else sheet.pk
    run.browsers["anna"].post(f"{run.url}ready/", {"do": f"take:{pk}"})
    assert Sheet.objects.get().owner == run.users["gm"]


def test_players_lay_nothing_out(run):
    sheet = run.sheet("anna", inside=False)
    for form in ({"do": "lay-out", "sheet": sheet.pk}, {"do": "generate", "count": 1}, {"do": "withdraw"}):
        assert run.browsers["anna"].post(f"{run.url}ready/", form).status_code == 404
    assert Sheet.objects.count() == 1


def test_what_nobody_took_is_withdrawn_alone_or_all_at_once_and_can_be_brought_back(run, laid):
    gm = run.browsers["gm"]
    gm.post(f"{run.url}ready/", {"do": "generate", "count": "2"})
    gm.post(f"{run.url}ready/", {"do": f"withdraw:{laid.pk}"})
    assert Sheet.objects.filter(offered=True).count() == 2
    gm.post(f"{run.url}ready/", {"do": "withdraw"})
    assert not Sheet.objects.filter(offered=True).exists()
    gm.post("/sheets/trash/", {"do": f"restore:{laid.pk}"})
    laid.refresh_from_db()
    assert (laid.deleted, laid.party, laid.owner) == (None, None, run.users["gm"])


def test_a_character_that_is_laid_out_is_none_of_the_gms_own_sheets(run, laid):
    assert str(laid.pk) not in run.browsers["gm"].get("/sheets/").text
    assert str(laid.pk) not in run.browsers["gm"].get("/").text
    assert str(laid.pk) in run.browsers["anna"].get(f"{run.url}ready/").text


@pytest.mark.parametrize("do", ["", "x", "take", "take:", "\0"])
def test_the_page_has_no_other_buttons(run, laid, do):
    before = list(Sheet.objects.order_by("pk").values())
    assert run.browsers["gm"].post(f"{run.url}ready/", {"do": do}).status_code in (400, 404)
    assert list(Sheet.objects.order_by("pk").values()) == before
