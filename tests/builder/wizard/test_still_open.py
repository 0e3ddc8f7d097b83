"""Calm until somebody was there: what is yet to be filled in is open, not wrong; each field shows an example before."""

import html
import re

import pytest

from rulesets.kit import patched
from sheets.models import Sheet
from tests.support.guest import Guest, example
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.django_db
UNNAMED = {"attacks.1.name": ""}


def notes(answer):
    """(what is wrong, what is still open) in the list of findings."""
    shown = html.unescape(answer.content.decode()).partition('id="findings"')[2].partition('id="save_status"')[0]
    return re.findall(r'<li class="note \w+"><p><strong>([^<]+)', shown), shown.partition("Still open")[2]


def wrote(**changes):
    guest = Guest(example())
    Sheet.objects.update(data=patched(example()["data"], changes))
    return guest


@every_system
def test_nobody_is_scolded_before_anything_is_written(ruleset):
    wrong, still_open = notes(Guest(system=ruleset.slug).get("figure"))
    assert wrong == []
    assert f"/rules/{ruleset.slug}/#" in still_open


def test_what_is_empty_is_open_wherever_one_is_and_its_mends_come_once_its_step_was_left():
    guest = wrote(**{"attacks.1.name": "", "attacks.0.dice": 0})
    wrong, still_open = notes(guest.get("attacks"))
    assert wrong == []
    assert "has no name" in still_open
    assert 'value="mend:' not in still_open
    # While one is there, a live answer is as calm as the page.
    answer = guest.post("attacks", {"attacks.1.dice": "3"}, htmx=True)
    assert "Still open" in answer.content.decode()
    wrong, still_open = notes(guest.get("values"))
    assert wrong == []
    assert "has no name" in still_open
    assert 'value="mend:' in still_open


def test_what_is_too_much_is_wrong_at_once_with_its_mends():
    guest = wrote(life=20)
    answer = guest.get("values")
    assert notes(answer)[0] == ["Not legal."]
    assert 'value="mend:' in answer.content.decode()


def test_at_the_end_and_once_it_is_finished_advice_is_given_as_advice():
    guest = wrote(**UNNAMED)
    answer = guest.get("finish")
    assert notes(answer) == (["To consider."], "")
    assert "Allowed, and it can be finished. But:" in answer.content.decode()
    guest = wrote(**UNNAMED)
    guest.whole("finish")
    assert notes(guest.get("values")) == (["To consider."], "")


def test_points_that_are_left_are_told_at_the_end():
    guest = wrote(life=0)
    assert re.search(r"But: \d+ of 30 points left\.", guest.get("finish").content.decode())


@pytest.mark.parametrize("system", ["augen-des-zwielichts", "dice-rumble", "battle-dice", "daemmersturm"])
def test_an_unfilled_character_is_not_finished_yet_rather_than_illegal(system):
    guest = Guest(system=system)
    answer = guest.get("finish")
    shown = answer.content.decode()
    assert "not finished yet" in shown
    wrong, still_open = notes(answer)
    assert "Not legal." not in wrong
    assert f"/drafts/{guest.pk}/" in still_open


def test_who_cannot_finish_yet_is_told_at_once_and_led_to_what_is_in_the_way():
    guest = Guest(system="daemmersturm")
    assert guest.post("finish", do="finish")["Location"] == guest.url("finish") + "#in-the-way"
    shown = guest.get("finish").content.decode()
    assert "It cannot be finished yet." in shown
    assert 'id="in-the-way"' in shown
    answer = guest.post("finish", do="finish", htmx=True)
    assert "in-the-way" in answer["HX-Trigger-After-Settle"]
    assert "It cannot be finished yet." in answer.content.decode()


def test_what_is_too_many_in_a_list_is_wrong_and_not_open():
    guest = Guest(system="augen-des-zwielichts")
    for many, told in ((1, []), (3, ["Not legal."])):
        data = Sheet.objects.get(pk=guest.pk).data
        Sheet.objects.filter(pk=guest.pk).update(data=patched(data, {"fears": ["a", "b", "c"][:many]}))
        assert notes(guest.get("demon"))[0] == told


def test_what_is_wrong_on_this_step_lies_open_and_the_rest_is_folded_by_steps():
    same = example()["data"]["attacks"][0]["name"]
    guest = wrote(**{"attacks.1.name": same, "life": 0})
    shown = guest.get("attacks").content.decode()
    assert re.findall(r'<details data-of="open (\w+)"><summary>(\w+)', shown) == [("values", "Values")]
    assert "Attack 2: Name</a>" in shown.partition('<details data-of="open')[0]
    shown = guest.get("values").content.decode()
    assert re.findall(r'<details data-of="wrong (\w+)"><summary>(\w+)', shown) == [("attacks", "Attacks")]
    assert re.findall(r'<li class="of-step"><h2>(\w+)', guest.get("finish").content.decode()) == ["Values", "Attacks"]


def test_at_the_end_each_step_is_named_once():
    shown = Guest(system="daemmersturm").get("finish").content.decode()
    assert re.findall(r'<li class="of-step"><h2>(\w+)', shown) == ["Skills"]
    assert shown.index("of-step") < shown.index("To consider.")


def test_a_browser_keeps_so_many_drafts_steps_and_no_more(monkeypatch):
    monkeypatch.setattr("builder.wizard.seen_steps.DRAFTS", 2)
    guest = Guest()
    keys = [guest.pk, *(guest.client.post("/build/condice/")["Location"].split("/")[2] for _time in range(2))]
    for pk in keys:
        guest.client.get(f"/drafts/{pk}/values/")
        guest.client.get(f"/drafts/{pk}/attacks/")
    assert guest.client.session["seen_steps"] == {pk: ["values", "attacks"] for pk in keys[1:]}


@pytest.mark.parametrize(("language", "words"), [("de", "z. B. "), ("en", "e.g. ")])
@every_system
def test_the_name_has_an_example_in_the_readers_language(ruleset, language, words):
    guest = Guest(system=ruleset.slug)
    shown = guest.client.get(guest.url("figure"), headers={"Accept-Language": language}).content.decode()
    found = html.unescape(re.search(r'id="f-_name"[^>]*placeholder="([^"]*)"', shown)[1])
    assert found.startswith(words)
    assert ruleset.may_be_rolled(found.removeprefix(words))


def test_a_text_has_an_example_and_a_number_its_rule_before_anything_is_broken():
    guest = Guest()
    guest.post("attacks", do="add:attacks")
    shown = html.unescape(guest.get("attacks").content.decode())
    assert re.search(r'name="attacks.0.name" value="" placeholder="e.g. \w', shown)
    assert "Fields beyond the neighbouring ones, a point each." in shown


def test_every_part_of_a_part_says_what_belongs_there():
    guest = Guest(system="augen-des-zwielichts")
    shown = html.unescape(guest.get("fields").content.decode())
    assert shown.count('</legend><p class="help">') == 7


def test_next_is_on_every_step_and_enter_goes_on():
    guest = Guest()
    for slug, then in zip(["figure", "values", "attacks", "abilities"], ["values", "attacks", "abilities", "finish"],
                          strict=True):
        shown = guest.get(slug).content.decode()
        buttons = re.findall(r'<button class="([^"]+)"[^>]* value="([^"]*)"', shown)
        assert ("button", f"go:{then}") in buttons
        # The first button of a form is the one that Enter presses.
        assert 'value="next"' in shown.partition('<form id="step"')[2].partition("<button")[2].partition(">")[0]
        assert guest.post(slug, do="next")["Location"] == guest.url(then)
    assert guest.post("finish", do="next")["Location"] == guest.url("finish")
    assert ("button", "finish") in re.findall(r'<button class="([^"]+)"[^>]* value="([^"]*)"',
                                              guest.get("finish").content.decode())


def test_a_catalogues_button_can_be_found_again_once_it_is_pressed():
    guest = Guest(system="battle-dice")
    ids = re.findall(r'id="(f-cards-[^"]+--(?:more|less))"', guest.get("deck").content.decode())
    guest.post("deck", do="add:cards:snowbuddies")
    assert re.findall(r'id="(f-cards-[^"]+--(?:more|less))"', guest.get("deck").content.decode()) == ids
    assert len({*ids}) == len(ids) > 4


def test_who_finishes_too_early_is_told_so_once():
    guest = wrote(**{"attacks.1.name": "", "defence": 99})
    guest.client.post(guest.url("finish"), {"_version": guest.sheet.version, "do": "finish"})
    assert guest.get("finish").text.count("It cannot be finished yet.") == 1


def test_the_rule_of_what_is_still_open_is_asked_for_by_a_word_and_its_number_is_not_shown():
    _wrong, still_open = notes(Guest().get("values"))
    assert re.search(r'<a class="muted" href="/rules/condice/#CD-\d+">why\?<span class="hidden">', still_open)
    assert not re.search(r">CD-\d+<", still_open)


def test_a_step_left_as_it_was_is_done_only_where_nothing_is_said_of_it():
    guest = Guest()
    for slug in ("values", "attacks", "abilities"):
        guest.get(slug)
    states = dict(re.findall(r'id="step-(\w+)"[^>]*>(.*?)</li>', guest.get("finish").text, re.DOTALL))
    assert {slug: "✓" in said for slug, said in states.items()} == {
        "figure": False, "values": False, "attacks": False, "abilities": True, "finish": False}
