"""House rules in a form: everything that a house may change, what the book says, what a change does to each sheet."""

import re

import pytest
from django.test import Client
from django.utils.translation import override

from rulesets import systems
from rulesets.document import house_data
from rulesets.kit import slots
from sheets.forms.house_rules import HouseForm, house_differences, settings_of, strictness
from sheets.forms.inputs import input_text
from sheets.models import CO_GM, Sheet
from sheets.parties import services as parties
from sheets.parties.house_impact import house_impacts, impact_in_words
from tests.support.guest import example, text_of

pytestmark = pytest.mark.django_db
every_system = pytest.mark.parametrize("ruleset", systems().values(), ids=list(systems()))


def other(slot):
    """A value that is not the book's."""
    if slot.kind == "text":
        return "x"
    if slot.default is None:
        return "7"
    if slot.kind == "number":
        return str(slot.default + 1 if slot.high is None or slot.default < slot.high else slot.default - 1)
    if slot.kind == "check":
        return "" if slot.default else "on"
    return str(next(value for value in slot.choices if value not in (slot.default, "book")))


@every_system
def test_the_form_asks_everything_that_a_house_may_change(ruleset):
    found = {where.partition(".")[0] for where, _heading, _slot in settings_of(ruleset)}
    assert found == set(slots(ruleset.house))


@every_system
def test_the_policy_asks_each_rule_that_can_find_something(ruleset):
    assert set(strictness(ruleset)) == set(ruleset.offenders) & set(ruleset.rules("en"))


@every_system
def test_an_untouched_form_is_the_house_as_it_was(ruleset):
    assert house_data(HouseForm(ruleset, ruleset.house()).house) == {}


@every_system
def test_each_figure_can_be_changed_alone_is_told_as_the_one_difference_and_put_back(ruleset):
    book = ruleset.house()
    for where, _heading, slot in settings_of(ruleset):
        if slots(ruleset.house)[where.partition(".")[0]].kind == "rows":
            continue  # A row without a name is none; see below.
        form = HouseForm(ruleset, book, {where: other(slot)})
        if form.house is None:
            # A house may refuse a figure that contradicts another; then it says so at the field.
            assert form.inputs[where].fault or form.faults, where
            continue
        assert len(house_differences(ruleset, form.house)) == 1, where
        assert HouseForm(ruleset, form.house, {where: input_text(slot.default)}).house == book, where


def counted(ruleset):
    """The paths of the figures that are counts."""
    return [where for where, _heading, slot in settings_of(ruleset) if slot.kind == "number" and slot.low == 0]


@pytest.mark.parametrize("ruleset", [one for one in systems().values() if counted(one)], ids=lambda one: one.slug)
@pytest.mark.parametrize("text", ["", "x", "-1", "1000", "1.5", "9" * 5000, "\0"])
def test_a_figure_that_is_none_stays_in_its_field_with_its_message(ruleset, text):
    where = counted(ruleset)[0]
    form = HouseForm(ruleset, ruleset.house(), {where: text})
    assert form.house is None
    assert (form.inputs[where].text, bool(form.inputs[where].fault)) == (text, True)


def test_how_strict_a_rule_is_cannot_be_anything_else():
    assert HouseForm(systems()["condice"], systems()["condice"].house(), {"policy.CD-01": "forbid"}).house is None


@pytest.fixture
def gm(django_user_model):
    """A GM's browser at a ConDice party with three sheets: 30, 28 and 30 points spent."""
    user, player = (django_user_model.objects.create_user(name) for name in ("gm", "anna"))
    party = parties.found_party(user, "Die Runde", systems()["condice"])
    parties.join_party(party, player)
    for owner, name, life in ((user, "Juan", 5), (player, "Anders", 3), (player, "Dritte", 5)):
        data = {**example()["data"], "life": life}
        Sheet.objects.create(owner=owner, party=party, ruleset="condice", name=name, data=data)
    browser = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
    browser.force_login(user)
    browser.party, browser.url = party, f"/parties/{party.pk}/house/"
    return browser


def seen(answer):
    """What the page brings back with its save."""
    found = re.search(r'name="_seen" value="([^"]*)"', answer.text)
    return {"_seen": found[1] if found else "", "_version": re.search(r'name="_version" value="(\d+)"', answer.text)[1]}


def said(answer):
    return re.search(r'id="summary">([^<]*)<', answer.text)[1]


def preview(gm, **fields):
    return gm.post(gm.url, {"do": "preview", "_version": gm.party.version, **fields})


def spent():
    ruleset = systems()["condice"]
    return {sheet.name: ruleset.sheet.model_validate(sheet.data).ledger(ruleset.house()).spent
            for sheet in Sheet.objects.all()}


def test_the_preview_says_in_a_sentence_what_becomes_of_the_sheets(gm):
    budget = spent()["Anders"]
    assert said(preview(gm, budget=budget)) == \
        f"3 sheets: 2 become illegal, 3 have {30 - budget} points fewer."
    assert said(preview(gm, budget=31)) == "3 sheets: 3 have 1 point more."
    assert said(preview(gm, **{"policy.CD-01": "warn"})) == "3 sheets: 3 stay as they are."
    assert said(preview(gm, **{"policy.CD-01": "ask", "budget": budget})) == \
        f"3 sheets: 2 then need approval, 3 have {30 - budget} points fewer."


def test_nothing_is_saved_by_a_preview(gm):
    preview(gm, budget=20)
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({}, 1)
    assert {str(one.house) for one in Sheet.objects.all()} == {"{}"}


def test_what_was_shown_is_saved_for_the_party_and_each_of_its_sheets_and_the_others_are_told(gm):
    Sheet.objects.filter(name="Dritte").update(deleted="2026-01-01T00:00Z")
    shown = preview(gm, budget=28)
    answer = gm.post(gm.url, {"do": "save", "budget": 28, **seen(shown)})
    assert answer.status_code == 302
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({"budget": 28}, 2)
    assert [one.house for one in Sheet.objects.all()] == [{"budget": 28}] * 3
    assert said(shown) in text_of(gm.get(f"/parties/{gm.party.pk}/"))
    told = gm.party.members.get(user__username="anna").user.notifications.get(kind="house")
    assert told.data["turned"] == 0


def test_the_preview_and_the_check_after_saving_agree_sheet_by_sheet(gm):
    ruleset = systems()["condice"]
    after = ruleset.house(budget=28)
    found = house_impacts(ruleset, list(Sheet.objects.all()), ruleset.house(), after)
    fields = {"budget": 28}
    gm.post(gm.url, {"do": "save", **fields, **seen(preview(gm, **fields))})
    for one in found:
        sheet = Sheet.objects.get(pk=one.sheet.pk)
        checked = ruleset.check(ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house),
                                sheet.name)
        assert checked.verdict == one.after.status
    assert [one.after.status for one in found].count("illegal") == 2


def left_to_the_gm(rules, document, fields, becomes):
    """House rules for what a source leaves to the GM, a sheet, and what the preview says of it."""
    return pytest.param(document, fields, f"1 sheet: {becomes}.", marks=pytest.mark.rule(*rules), id=next(iter(fields)))


CONDICE, RUMBLE, DAEMMERSTURM = (systems()[slug] for slug in ("condice", "dice-rumble", "daemmersturm"))


@pytest.mark.parametrize(("document", "fields", "sentence"), [
    left_to_the_gm(["CD-07"], CONDICE.examples["flying"], {"banned.fliegen": "on"}, "1 becomes illegal"),
    left_to_the_gm(["CD-08"], CONDICE.offenders["CD-08"], {"agreed.0.name": "Zeit anhalten", "agreed.0.cost": "6"},
                   "1 becomes legal"),
    left_to_the_gm(["DR-06", "DR-17"], RUMBLE.examples["aunt"], {"fate_points": "5"}, "1 stays as it is"),
    left_to_the_gm(["DR-18"], RUMBLE.examples["captain"], {"weapon_damage": "0"}, "1 becomes illegal"),
    left_to_the_gm(["DS-51"], DAEMMERSTURM.examples["knight"], {"climbing_modifier": "-2"}, "1 stays as it is"),
    left_to_the_gm(["DS-51"], DAEMMERSTURM.examples["knight"], {"climbing_repeats": "1"}, "1 stays as it is"),
    left_to_the_gm(["DS-02"], DAEMMERSTURM.examples["knight"], {"most_life": "1"}, "1 becomes illegal"),
    left_to_the_gm(["DS-01"], DAEMMERSTURM.examples["knight"], {"most_defence": "1"}, "1 becomes illegal"),
    left_to_the_gm(["DS-09"], DAEMMERSTURM.examples["knight"], {"most_damage": "1"}, "1 becomes illegal"),
])
def test_what_a_source_leaves_to_the_gm_is_set_with_the_same_preview(gm, document, fields, sentence):
    Sheet.objects.all().delete()
    gm.party.ruleset = document["ruleset"]
    gm.party.save()
    Sheet.objects.create(owner=gm.party.members.get(user__username="anna").user, party=gm.party,
                         ruleset=document["ruleset"], name=document["name"], data=document["data"])
    shown = preview(gm, **fields)
    assert said(shown) == sentence
    assert gm.post(gm.url, {"do": "save", **fields, **seen(shown)}).status_code == 302
    gm.party.refresh_from_db()
    assert set(gm.party.house) == {next(iter(fields)).partition(".")[0]}


def test_a_form_that_was_changed_after_its_preview_is_shown_anew_and_not_saved(gm):
    shown = preview(gm, budget=29)
    answer = gm.post(gm.url, {"do": "save", "budget": 10, **seen(shown)})
    assert answer.status_code == 200
    assert "Not saved yet" in text_of(answer)
    gm.party.refresh_from_db()
    assert gm.party.house == {}
    assert gm.post(gm.url, {"do": "save", "budget": 10, **seen(answer)}).status_code == 302


def test_a_sheet_that_changed_after_the_preview_is_shown_anew_and_not_saved(gm):
    shown = preview(gm, budget=28)
    Sheet.objects.filter(name="Juan").update(data={**example()["data"], "life": 0})
    answer = gm.post(gm.url, {"do": "save", "budget": 28, **seen(shown)})
    assert (answer.status_code, "Not saved yet" in text_of(answer)) == (200, True)


def test_of_two_gms_the_second_is_told_what_the_first_changed(gm, django_user_model):
    gm.party.members.filter(user__username="anna").update(role=CO_GM)
    second = Client(headers={"Accept-Language": "en"})
    second.force_login(django_user_model.objects.get(username="anna"))
    mine = second.post(gm.url, {"budget": 33, "_version": 1})
    gm.post(gm.url, {"do": "save", "budget": 40, **seen(preview(gm, budget=40))})
    answer = second.post(gm.url, {"do": "save", "budget": 33, **seen(mine)})
    assert answer.status_code == 409
    assert "Another GM has changed the house rules" in text_of(answer)
    assert "Points to spend: 40 → 33" in text_of(answer)
    assert second.post(gm.url, {"do": "save", "budget": 33, **seen(answer)}).status_code == 302
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({"budget": 33}, 3)


def test_a_player_reads_the_house_rules_and_changes_nothing(gm, django_user_model):
    player = Client(headers={"Accept-Language": "en"})
    player.force_login(django_user_model.objects.get(username="anna"))
    assert player.get(gm.url).status_code == 200
    assert "_version" not in player.get(gm.url).text
    assert player.post(gm.url, {"do": "save", "budget": 1}).status_code == 404


def test_htmx_gets_the_effects_alone_a_fault_too(gm):
    for budget, text in (("28", "fewer"), ("x", "no whole number")):
        answer = gm.post(gm.url, {"budget": budget, "_version": 1}, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert answer.text.strip().startswith('<section class="card" id="effects"')
        assert text in text_of(answer)


def test_a_sum_of_nothing_says_so():
    with override("en"):
        assert impact_in_words([]) == "The party has no sheets yet; nothing changes for anybody."


@pytest.mark.rule("CD-08")
def test_rows_of_a_list_are_filled_in_changed_and_emptied():
    ruleset = systems()["condice"]
    form = HouseForm(ruleset, ruleset.house(), {
        "agreed.1.name": "Zeit anhalten", "agreed.1.cost": "6", "agreed.0.dice": "3"})
    assert house_data(form.house) == {"agreed": [{"name": "Zeit anhalten", "cost": 6}]}
    with override("de"):
        told = [(one.title, one.before, one.now) for one in house_differences(ruleset, form.house)]
    assert told == [("Abgesprochene eigene Fähigkeiten: 1. Name", "–", "Zeit anhalten"),
                    ("Abgesprochene eigene Fähigkeiten: 1. Kosten", "0", "6")]
    again = HouseForm(ruleset, form.house, {"agreed.0.cost": "7", "agreed.0.dice": "2"})
    assert house_data(again.house) == {"agreed": [{"name": "Zeit anhalten", "cost": 7, "dice": 2}]}
    assert HouseForm(ruleset, again.house, {"agreed.0.name": " "}).house == ruleset.house()
    broken = HouseForm(ruleset, again.house, {"agreed.0.cost": "viel"})
    assert (broken.house, [one.path for one in broken.faults]) == (None, ["agreed.0.cost"])
    # A form that was made for a longer list loses none of its rows.
    longer = HouseForm(ruleset, ruleset.house(), {"agreed.7.name": "Nebelwand"})
    assert [one.name for one in longer.house.agreed] == ["Nebelwand"]


@pytest.mark.rule("DR-18")
def test_a_limit_that_the_book_does_not_set_is_told_as_none():
    ruleset = systems()["dice-rumble"]
    form = HouseForm(ruleset, ruleset.house(), {"weapon_damage": "5"})
    with override("en"):
        assert [(one.before, one.now) for one in house_differences(ruleset, form.house)] == [("–", "5")]
    assert HouseForm(ruleset, form.house, {"weapon_damage": ""}).house == ruleset.house()
