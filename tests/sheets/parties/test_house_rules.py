"""House rules in a form: everything that a house may change, what the book says, what a change does to each sheet."""

import re

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.document import house_data
from rulesets.kit import slots
from sheets.forms.house_rules import HouseForm, house_differences, settings_of, strictness
from sheets.forms.inputs import input_text
from sheets.models import CO_GM, Sheet
from sheets.parties import services as parties
from sheets.parties.catalogue import add_entries
from sheets.parties.house_impact import house_impacts, impact_in_words
from tests.support.guest import example, text_of, words_in
from tests.support.party import browser
from tests.support.rulesets.contract import every_system


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
def test_the_form_asks_what_a_house_may_change_and_each_rule_that_finds_something_and_is_the_house_as_it_was(ruleset):
    assert {where.partition(".")[0] for where, _heading, _slot in settings_of(ruleset)} == set(slots(ruleset.house))
    assert set(strictness(ruleset)) == set(ruleset.offenders) & set(ruleset.rules("en"))
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


COUNTS = [(ruleset, where) for ruleset in systems().values() for where, _heading, slot in settings_of(ruleset)
          if slot.kind == "number" and slot.low == 0 and slot.default is not None]


@pytest.mark.parametrize(("ruleset", "where"), COUNTS, ids=lambda one: getattr(one, "slug", one))
def test_a_figure_that_is_none_stays_in_its_field_with_its_message(ruleset, where):
    for text in ("", "x", "-1", "1000", "1.5", "9" * 5000, "\0"):
        form = HouseForm(ruleset, ruleset.house(), {where: text})
        assert (form.house, form.inputs[where].text, bool(form.inputs[where].fault)) == (None, text, True)


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
    client = browser(user)
    client.party, client.url = party, f"/parties/{party.pk}/house/"
    return client


def seen(answer):
    """What the page brings back with its save."""
    found = re.search(r'name="_seen" value="([^"]*)"', answer.text)
    shown = re.search(r'name="_version" value="(\d+)"><input type="hidden" name="_rules" value="(\w+)"', answer.text)
    return {"_seen": found[1] if found else "", "_version": shown[1], "_rules": shown[2]}


def said(answer):
    return re.search(r'id="summary">([^<]*)<', answer.text)[1]


def preview(gm, **fields):
    return gm.post(gm.url, {"do": "preview", "_version": gm.party.version, **fields})


def test_the_preview_says_in_a_sentence_what_becomes_of_the_sheets_and_saves_nothing(gm):
    ruleset, sheet = systems()["condice"], Sheet.objects.get(name="Anders")
    budget = ruleset.sheet.model_validate(sheet.data).ledger(ruleset.house()).spent
    for fields, sentence in (
            ({"budget": budget}, f"3 sheets: 2 become illegal, 3 have {30 - budget} points fewer."),
            ({"budget": 31}, "3 sheets: 3 have 1 point more."),
            ({"policy.CD-01": "warn"}, "3 sheets: 3 stay as they are."),
            ({"policy.CD-01": "ask", "budget": budget},
             f"3 sheets: 2 then need approval, 3 have {30 - budget} points fewer.")):
        assert said(preview(gm, **fields)) == sentence
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({}, 1)
    assert {str(one.house) for one in Sheet.objects.all()} == {"{}"}


def test_what_was_shown_is_saved_for_the_party_and_each_of_its_sheets_and_the_others_are_told(gm):
    ruleset, thrown = systems()["condice"], Sheet.objects.filter(name="Dritte")
    thrown.update(deleted="2026-01-01T00:00Z")
    found = house_impacts(ruleset, list(Sheet.objects.all()), ruleset.house(), ruleset.house(budget=28))
    shown = preview(gm, budget=28)
    assert gm.post(gm.url, {"do": "save", "budget": 28, **seen(shown)}).status_code == 302
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({"budget": 28}, 2)
    assert [one.house for one in Sheet.objects.all()] == [{"budget": 28}] * 3
    assert said(shown) in text_of(gm.get(f"/parties/{gm.party.pk}/"))
    told = gm.party.members.get(user__username="anna").user.notifications.get(kind="house")
    assert told.data["turned"] == 0
    # The check after saving agrees sheet by sheet.
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


@pytest.mark.parametrize(("budget", "life"), [(10, 5), (29, 0)])
def test_a_form_or_a_sheet_that_changed_after_the_preview_is_shown_anew_and_not_saved(gm, budget, life):
    shown = preview(gm, budget=29)
    Sheet.objects.filter(name="Juan").update(data={**example()["data"], "life": life})
    answer = gm.post(gm.url, {"do": "save", "budget": budget, **seen(shown)})
    assert (answer.status_code, "Not saved yet" in text_of(answer)) == (200, True)
    gm.party.refresh_from_db()
    assert gm.party.house == {}
    assert gm.post(gm.url, {"do": "save", "budget": budget, **seen(answer)}).status_code == 302


def test_a_player_reads_the_house_rules_and_changes_nothing_and_the_second_of_two_gms_is_told_what_the_first_changed(
        gm, django_user_model):
    second = browser(django_user_model.objects.get(username="anna"))
    assert second.get(gm.url).status_code == 200
    assert "_version" not in second.get(gm.url).text
    assert second.post(gm.url, {"do": "save", "budget": 1}).status_code == 404
    gm.party.members.filter(user__username="anna").update(role=CO_GM)
    mine = second.post(gm.url, {"budget": 33, "_version": 1})
    gm.post(gm.url, {"do": "save", "budget": 40, **seen(preview(gm, budget=40))})
    answer = second.post(gm.url, {"do": "save", "budget": 33, **seen(mine)})
    assert answer.status_code == 409
    told = ("Another GM has changed the house rules", "Points to spend: 40 → 33")
    assert words_in(text_of(answer), *told) == [*told]
    assert second.post(gm.url, {"do": "save", "budget": 33, **seen(answer)}).status_code == 302
    gm.party.refresh_from_db()
    assert (gm.party.house, gm.party.version) == ({"budget": 33}, 3)


def test_a_change_of_the_catalogue_is_no_change_of_the_house_rules_unless_it_changes_what_these_do(gm):
    opened, shown = seen(gm.get(gm.url)), seen(preview(gm, budget=31))
    entry = {"name": "Nebelwand", "cost": 2, "description": ""}
    add_entries(gm.party, [(("abilities", "custom"), entry)])
    assert gm.post(gm.url, {"do": "preview", "budget": 31, **opened}).status_code == 200
    assert gm.post(gm.url, {"do": "save", "budget": 31, **shown}).status_code == 302
    # Where it does, the consequences are shown again, without a word of another GM.
    row = {"ability": "custom", "range": 0, **entry, "name": "Sturm"}
    Sheet.objects.filter(name="Dritte").update(data={**example()["data"], "abilities": [row]})
    shown = seen(preview(gm, budget=40))
    gm.party.refresh_from_db()
    add_entries(gm.party, [(("abilities", "custom"), {**entry, "name": "Sturm"})])
    answer = text_of(gm.post(gm.url, {"do": "save", "budget": 40, **shown}))
    told = ("Not saved yet", "Another GM has changed")
    assert words_in(answer, *told) == [told[0]]


def test_htmx_gets_the_effects_alone_a_fault_too(gm):
    for budget, text in (("28", "fewer"), ("x", "not a whole number")):
        answer = gm.post(gm.url, {"budget": budget, "_version": 1}, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert answer.text.strip().startswith('<section class="card" id="effects"')
        assert text in text_of(answer)


@pytest.mark.rule("DR-18")
def test_a_sum_of_nothing_says_so_and_a_limit_that_the_book_does_not_set_is_told_as_none():
    ruleset = systems()["dice-rumble"]
    form = HouseForm(ruleset, ruleset.house(), {"weapon_damage": "5"})
    with override("en"):
        assert impact_in_words([]) == "The party has no sheets yet, so nothing changes for anybody."
        assert [(one.before, one.now) for one in house_differences(ruleset, form.house)] == [("–", "5")]
    assert HouseForm(ruleset, form.house, {"weapon_damage": ""}).house == ruleset.house()


@pytest.mark.rule("CD-08")
def test_rows_of_a_list_are_filled_in_changed_and_emptied():
    ruleset = systems()["condice"]
    form = HouseForm(ruleset, ruleset.house(), {
        "agreed.1.name": "Zeit anhalten", "agreed.1.cost": "6", "agreed.0.dice": "3"})
    assert house_data(form.house) == {"agreed": [{"name": "Zeit anhalten", "cost": 6}]}
    with override("de"):
        told = [(one.title, one.before, one.now) for one in house_differences(ruleset, form.house)]
    assert told == [("Abgesprochene eigene Fähigkeiten: Fähigkeit 1: Name", "–", "Zeit anhalten"),
                    ("Abgesprochene eigene Fähigkeiten: Fähigkeit 1: Kosten", "0", "6")]
    again = HouseForm(ruleset, form.house, {"agreed.0.cost": "7", "agreed.0.dice": "2"})
    assert house_data(again.house) == {"agreed": [{"name": "Zeit anhalten", "cost": 7, "dice": 2}]}
    assert HouseForm(ruleset, again.house, {"agreed.0.name": " "}).house == ruleset.house()
    broken = HouseForm(ruleset, again.house, {"agreed.0.cost": "viel"})
    assert (broken.house, [one.path for one in broken.faults]) == (None, ["agreed.0.cost"])
    # A form that was made for a longer list loses none of its rows.
    longer = HouseForm(ruleset, ruleset.house(), {"agreed.7.name": "Nebelwand"})
    assert [one.name for one in longer.house.agreed] == ["Nebelwand"]
