"""A press on a page that is older than what it is about changes nothing of what stands there now, and says so."""

import pytest

from rulesets import systems
from sheets.models import CO_GM, Member, Notification, Party, Scene, Sheet
from sheets.notifications.services import notify
from sheets.parties import services as parties
from tests.support.guest import words_in
from tests.support.sheets.forms import Forms, pressed

pytestmark = pytest.mark.django_db
LINK = "The link has been changed elsewhere in the meantime"
PLACE = "The sheet has been moved in the meantime"
DONE = ("It is no longer in the party.", "It is now in the party.", "Saved.", "The link has been created.",
        "The link has been revoked")


def scene(run, **of):
    Scene.objects.update_or_create(party=run.party, ended=None, defaults=of)


def linked(run, link):
    Party.objects.filter(pk=run.party.pk).update(invitation=link)


def shared(run, link):
    Sheet.objects.filter(pk=run.one.pk).update(share=link)


def moved(run, party):
    Sheet.objects.filter(pk=run.one.pk).update(party=party)


def role(run, which):
    run.party.members.filter(user=run.users["ben"]).update(role=which)


def what_is(run):
    """All that the presses below are about."""
    return [[*one.objects.order_by("pk").values_list(*names)] for one, names in (
        (Party, ("invitation",)), (Scene, ("order", "round", "on")), (Sheet, ("party", "share", "seen_by", "offered")),
        (Member, ("user", "role")))]


CASES = {
    "a link that was made": ("gm", "{party}", "invite", lambda run: linked(run, "new"), LINK),
    "a link that was renewed": ("gm", "{party}", "revoke", lambda run: linked(run, "new"), LINK),
    "the link of a sheet that was made": ("anna", "{sheet}", "share", lambda run: shared(run, "new"), LINK),
    "the link of a sheet that was renewed": ("anna", "{sheet}", "revoke", lambda run: shared(run, "new"), LINK),
    "a sheet that was taken out": (
        "gm", "{party}", "drop:{one}", lambda run: moved(run, None), "no longer in the party"),
    "a sheet that was brought in": (
        "anna", "{party}", "bring", lambda run: moved(run, run.other), "already in a party"),
    "a sheet that is in another party": ("anna", "{sheet}", "drop", lambda run: moved(run, run.other), PLACE),
    "readers in another party": ("anna", "{sheet}", "see", lambda run: moved(run, run.other), PLACE),
    "a player who is a GM by now": (
        "gm", "{party}members/{ben}/", "remove", lambda run: role(run, CO_GM), "Your role or theirs has changed"),
    "one that was made a GM already": (
        "gm", "{party}members/{ben}/", "co-gm", lambda run: role(run, CO_GM), "Your role or theirs has changed"),
    "a fight that has begun": ("gm", "{party}table/", "turn:begin", lambda run: scene(
        run, on=[str(run.one.pk)], round=3), "The fight has already started"),
    "an order that is another": ("gm", "{party}table/", "unordered", lambda run: scene(
        run, order=[str(run.two.pk), str(run.one.pk)]), "The order has changed in the meantime"),
}
"""{what the press is about: (who, page, button, what happens elsewhere, what is said)}."""
BEFORE = {
    "a link that was renewed": lambda run: linked(run, "old"),
    "the link of a sheet that was renewed": lambda run: shared(run, "old"),
    "a sheet that was brought in": lambda run: moved(run, None),
    "an order that is another": lambda run: scene(run, order=[str(run.one.pk), str(run.two.pk)]),
}
"""Done before the page is loaded."""


@pytest.mark.parametrize("about", CASES)
def test_what_is_another_by_now_is_left_as_it_is_and_the_page_says_so(run, about):
    who, page, button, elsewhere, said = CASES[about]
    run.other = parties.found_party(run.users["anna"], "Andere", systems()["condice"])
    run.one, run.two = run.sheet("anna"), run.sheet("ben", name="Hans")
    BEFORE.get(about, lambda _run: None)(run)
    page = run.browsers[who].get(page.format(
        party=run.url, sheet=f"/sheets/{run.one.pk}/", ben=run.party.members.get(user=run.users["ben"]).pk))
    elsewhere(run)
    now = what_is(run)
    answer = pressed(run.browsers[who], page, button.format(one=run.one.pk))
    assert (what_is(run), words_in(answer, said, *DONE)) == (now, [said])


@pytest.mark.parametrize("about", [about for about in CASES if about not in ("a sheet that was taken out",
                                                                             "one that was made a GM already")])
def test_a_page_that_shows_it_as_it_is_does_what_is_pressed(run, about):
    who, page, button, _elsewhere, said = CASES[about]
    run.other = parties.found_party(run.users["anna"], "Andere", systems()["condice"])
    run.one, run.two = run.sheet("anna", seen_by="party"), run.sheet("ben", name="Hans")
    BEFORE.get(about, lambda _run: None)(run)
    page = run.browsers[who].get(page.format(
        party=run.url, sheet=f"/sheets/{run.one.pk}/", ben=run.party.members.get(user=run.users["ben"]).pk))
    before = what_is(run)
    answer = pressed(run.browsers[who], page, button)
    assert (what_is(run) != before, words_in(answer, said)) == (button != "see", [])


def test_all_that_is_laid_out_is_withdrawn_as_the_page_shows_it_and_one_that_is_gone_is_told(run):
    shown, later = run.sheet("gm", offered=True), run.sheet("gm", name="Hans")
    page = run.browsers["gm"].get(f"{run.url}ready/")
    Sheet.objects.filter(pk=later.pk).update(offered=True)
    pressed(run.browsers["gm"], page, "withdraw")
    assert [*Sheet.objects.filter(offered=True)] == [later]
    assert words_in(pressed(run.browsers["gm"], page, f"withdraw:{shown.pk}"), "That one is gone")


def test_what_came_after_the_page_was_drawn_is_still_unread(run):
    notify([run.users["anna"]], "joined", run.party, run.users["gm"])
    page = run.browsers["anna"].get("/notifications/")
    notify([run.users["anna"]], "left", run.party, run.users["gm"])
    pressed(run.browsers["anna"], page, next(value for form in Forms(page).forms for _name, value in form.buttons
                                    if value.startswith("read")))
    assert [one.kind for one in Notification.objects.filter(read=None)] == ["left"]


def test_what_somebody_has_changed_is_not_taken_back_for_what_the_dice_made(juan):
    draft = f"/drafts/{juan.pk}/"
    page = juan.client.post(draft, {"do": "another", "_sure": "1"}, follow=True)
    juan.post("figure", _name="Anders")
    answer = pressed(juan.client, page, "back")
    assert (juan.sheet.name, words_in(answer, "The sheet has changed in the meantime")) == (
        "Anders", ["The sheet has changed in the meantime"])
