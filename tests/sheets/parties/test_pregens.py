"""Ready-made characters: laid out by GMs, taken by whoever comes first."""

import pytest

from rulesets import generate, systems
from sheets.models import Party, Sheet
from tests.support.guest import text_of


def ready(run, who, do, *, follow=False, **fields):
    """Presses a button of the page of ready-made characters."""
    return run.browsers[who].post(f"{run.url}ready/", {"do": do, **fields}, follow=follow)


@pytest.fixture
def laid(run):
    """A character that is laid out."""
    ready(run, "gm", "lay-out", sheet=run.sheet("gm", inside=False, name="Vorlage", notes="geheim", share="x").pk)
    return Sheet.objects.get(offered=True)


def test_what_is_laid_out_is_a_copy_by_the_partys_house_rules_without_notes_or_link_and_none_of_ones_own(run, laid):
    Party.objects.update(house={"budget": 35})
    assert (laid.name, laid.notes, laid.share, laid.party, laid.owner.username) == (
        "Vorlage", "", None, run.party, "gm")
    original = Sheet.objects.get(offered=False)
    assert (original.party, original.notes) == (None, "geheim")
    ready(run, "gm", "lay-out", sheet=original.pk)
    assert Sheet.objects.filter(offered=True, house={"budget": 35}).count() == 1
    assert [str(laid.pk) in run.browsers[who].get(where).text for who, where in (
        ("gm", "/sheets/"), ("gm", "/"), ("anna", f"{run.url}ready/"))] == [False, False, True]


def test_the_dice_make_as_many_legal_characters_as_asked_by_the_house_rules(run):
    Party.objects.update(house={"budget": 20})
    ready(run, "second", "generate", count=" 4 ")
    ruleset = systems()["condice"]
    found = list(Sheet.objects.filter(offered=True, owner=run.users["second"]))
    assert len(found) == 4
    for sheet in found:
        shape, house = ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house)
        assert (house.budget, shape.ledger(house).left) == (20, 0)
        assert ruleset.check(shape, house, sheet.name).findings == ()


def test_the_dice_make_what_the_gm_wants_and_nobody_twice(run):
    for _time in range(2):
        ready(run, "gm", "generate", count="20", _concept="healer")
    found = list(Sheet.objects.filter(offered=True))
    assert len(found) == len({sheet.name for sheet in found}) == 40
    assert {sheet.concept for sheet in found} == {"healer"}
    page = text_of(run.browsers["gm"].get(f"{run.url}ready/"))
    assert page.count("A healer who keeps everybody on their feet") == 40 + 1


def test_what_makes_nobody_is_said(run, monkeypatch):
    """A number that is none, a concept that there is not, house rules that no character keeps."""
    for count in ("", "0", "21", "-1", "x", "²", "9" * 5000, "1.5"):
        answer = ready(run, "gm", "generate", count=count)
        assert (answer.status_code, "you can create 1 to 20 at once" in text_of(answer)) == (422, True), count[:9]
    answer = ready(run, "gm", "generate", count="1", _concept="x", follow=True)
    assert "not a concept of ConDice" in text_of(answer)

    def stuck(*arguments):
        raise generate.Stuck("Nichts passt.")

    monkeypatch.setattr(generate, "character", stuck)
    assert "Nichts passt." in text_of(ready(run, "gm", "generate", count="2", follow=True))
    assert not Sheet.objects.exists()


def test_a_character_that_is_taken_is_the_takers_the_gm_is_told_and_who_comes_too_late_is_told_so(run, laid):
    Sheet.objects.filter(pk=laid.pk).update(notes="Der Verräter.", share="y")
    assert ready(run, "anna", f"take:{laid.pk}")["Location"] == f"/sheets/{laid.pk}/"
    laid.refresh_from_db()
    assert (laid.owner, laid.offered, laid.share, laid.notes) == (run.users["anna"], False, None, "")
    assert laid.party == run.party
    assert run.told("gm") == ["taken"]
    assert run.browsers["anna"].get(f"/drafts/{laid.pk}/values/").status_code == 200
    assert "somebody else was quicker" in text_of(ready(run, "ben", f"take:{laid.pk}", follow=True))
    assert Sheet.objects.get(pk=laid.pk).owner == run.users["anna"]


def test_only_what_is_laid_out_here_is_taken_and_players_lay_nothing_out(run):
    sheet, own = run.sheet("gm", seen_by="party"), run.sheet("anna", inside=False)
    for which in (sheet.pk, "x"):
        ready(run, "anna", f"take:{which}")
    Sheet.objects.filter(pk=sheet.pk).update(offered=True, party=Party.objects.create(name="x", ruleset="condice"))
    ready(run, "anna", f"take:{sheet.pk}")
    for do, form in (("lay-out", {"sheet": own.pk}), ("generate", {"count": 1}), ("withdraw", {})):
        assert ready(run, "anna", do, **form).status_code == 404
    assert list(Sheet.objects.order_by("created").values_list("owner__username", "offered")) == [
        ("gm", True), ("anna", False)]


def test_what_nobody_took_is_withdrawn_alone_or_all_at_once_and_can_be_brought_back(run, laid):
    ready(run, "gm", "generate", count="2")
    for do, left in ((f"withdraw:{laid.pk}", 2), ("withdraw", 0)):
        ready(run, "gm", do)
        assert Sheet.objects.filter(offered=True).count() == left
    run.browsers["gm"].post("/sheets/trash/", {"do": f"restore:{laid.pk}"})
    laid.refresh_from_db()
    assert (laid.deleted, laid.party, laid.owner) == (None, None, run.users["gm"])


def test_the_page_has_no_other_buttons(run, laid):
    before = list(Sheet.objects.order_by("pk").values())
    for do in ("", "x", "take", "take:", "\0"):
        assert ready(run, "gm", do).status_code in (400, 404)
    assert list(Sheet.objects.order_by("pk").values()) == before
