"""Calm until somebody was there: what is yet to be filled in is open, not wrong; each field shows an example before."""

import html
import re

import pytest

from rulesets.kit import patched
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import STEPS, Guest, example
from tests.support.rulesets.contract import every_system

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
UNNAMED = {"attacks.1.name": ""}


def notes(answer):
    """(what is wrong, what is still open) in the list of findings."""
    shown = html.unescape(answer.text).partition('id="findings"')[2].partition('id="save_status"')[0]
    return re.findall(r'<li class="note \w+"><p><strong>([^<]+)', shown), shown.partition("Still to fill in")[2]


def wrote(**changes):
    guest = Guest(example())
    Sheet.objects.update(data=patched(example()["data"], changes))
    return guest


@every_system
def test_nobody_is_scolded_before_anything_is_written_and_the_name_has_an_example(ruleset):
    guest = Guest(system=ruleset.slug)
    answer = guest.get("figure")
    wrong, still_open = notes(answer)
    assert (wrong, f"/rules/{ruleset.slug}/#" in still_open) == ([], True)
    german = guest.client.get(guest.url("figure"), headers={"Accept-Language": "de"})
    for page, words in ((answer, "e.g. "), (german, "z. B. ")):
        found = html.unescape(re.search(r'id="f-_name"[^>]*placeholder="([^"]*)"', page.text)[1])
        assert (found[:len(words)], ruleset.could_be_random(found.removeprefix(words))) == (words, True)
    wrong, still_open = notes(guest.get("finish"))
    assert "Not legal." not in wrong
    # ConDice's blank sheet is allowed.
    assert ruleset.slug == "condice" or lacking(still_open, f"/drafts/{guest.pk}/") == []


def test_what_is_empty_is_open_wherever_one_is_and_its_mends_come_once_its_step_was_left():
    guest = wrote(**{"attacks.1.name": "", "attacks.0.dice": 0})
    wrong, still_open = notes(guest.get("attacks"))
    assert (wrong, "has no name" in still_open, 'value="mend:' in still_open) == ([], True, False)
    # While one is there, a live answer is as calm as the page.
    assert "Still to fill in" in guest.post("attacks", {"attacks.1.dice": "3"}, htmx=True).text
    wrong, still_open = notes(guest.get("values"))
    assert (wrong, "has no name" in still_open, 'value="mend:' in still_open) == ([], True, True)


def test_what_is_too_much_is_wrong_at_once_with_its_mends():
    answer = wrote(life=20).get("values")
    assert (notes(answer)[0], 'value="mend:' in answer.text) == (["Not legal."], True)


def test_at_the_end_and_once_it_is_finished_advice_is_given_as_advice_and_points_that_are_left_are_told():
    guest = wrote(**UNNAMED)
    answer = guest.get("finish")
    assert notes(answer) == (["Worth considering."], "")
    assert "Allowed, and it can be finished. But:" in answer.text
    guest.whole("finish")
    assert notes(guest.get("values")) == (["Worth considering."], "")
    assert re.search(r"But: \d+ of 30 points left\.", wrote(life=0).get("finish").text)


def test_who_cannot_finish_yet_is_told_so_once_and_led_to_what_is_in_the_way():
    guest = Guest(system="daemmersturm")
    shown = guest.get("finish").text
    assert re.findall(r'<li class="of-step"><h2>(\w+)', shown) == ["Skills"]
    assert shown.index("of-step") < shown.index("Worth considering.")
    assert "not finished yet" in shown
    assert guest.post("finish", do="finish")["Location"] == guest.url("finish") + "#in-the-way"
    shown = guest.get("finish").text
    assert (shown.count("It cannot be finished yet."), 'id="in-the-way"' in shown) == (1, True)
    answer = guest.post("finish", do="finish", htmx=True)
    assert "in-the-way" in answer["HX-Trigger-After-Settle"]
    assert "It cannot be finished yet." in answer.text
    guest = wrote(**{"attacks.1.name": "", "defence": 99})
    guest.post("finish", do="finish")
    assert guest.get("finish").text.count("It cannot be finished yet.") == 1


def test_what_is_too_many_in_a_list_is_wrong_and_not_open():
    guest = Guest(system="augen-des-zwielichts")
    for many, told in ((1, []), (3, ["Not legal."])):
        Sheet.objects.update(data=patched(guest.data, {"fears": ["a", "b", "c"][:many]}))
        assert notes(guest.get("demon"))[0] == told


def test_what_is_wrong_on_this_step_lies_open_and_the_rest_is_folded_by_steps():
    guest = wrote(**{"attacks.1.name": example()["data"]["attacks"][0]["name"], "life": 0})
    shown = guest.get("attacks").text
    assert re.findall(r'<details data-of="open (\w+)"><summary>(\w+)', shown) == [("values", "Values")]
    assert "Attack 2 (Einhornpiranhas): Name</a>" in shown.partition('<details data-of="open')[0]
    shown = guest.get("values").text
    assert re.findall(r'<details data-of="wrong (\w+)"><summary>(\w+)', shown) == [("attacks", "Attacks")]
    assert re.findall(r'<li class="of-step"><h2>(\w+)', guest.get("finish").text) == ["Values", "Attacks"]


def test_a_browser_keeps_so_many_drafts_steps_and_no_more(monkeypatch):
    monkeypatch.setattr("builder.wizard.seen_steps.DRAFTS", 2)
    guest = Guest()
    keys = [guest.pk, *(guest.client.post("/build/condice/")["Location"].split("/")[2] for _time in range(2))]
    for pk in keys:
        guest.client.get(f"/drafts/{pk}/values/")
        guest.client.get(f"/drafts/{pk}/attacks/")
    assert guest.client.session["seen_steps"] == {pk: ["values", "attacks"] for pk in keys[1:]}


def test_every_part_of_a_part_says_what_belongs_there():
    shown = html.unescape(Guest(system="augen-des-zwielichts").get("fields").text)
    assert shown.count('</legend><p class="help">') == 7


def test_next_is_on_every_step_and_enter_goes_on():
    guest = Guest()
    for slug, then in zip(STEPS, [*STEPS[1:], "finish"], strict=True):
        shown = guest.get(slug).text
        assert ("button", "finish" if slug == then else f"go:{then}") in re.findall(
            r'<button class="([^"]+)"[^>]* value="([^"]*)"', shown)
        # The first button of a form is the one that Enter presses.
        assert 'value="next"' in shown.partition('<form id="step"')[2].partition("<button")[2].partition(">")[0]
        assert guest.post(slug, do="next")["Location"] == guest.url(then)


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
