"""Where accounts are by invitation, a party's link is one as long as it stands, and its account is in the party."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from builder import accounts
from builder.models import Invitation
from sheets.models import Party
from tests.support.builder.accounts import PASSWORD, SIGNUP
from tests.support.guest import text_of, words_in


@pytest.fixture
def link(run, settings):
    """The link to the party, where nobody else makes accounts."""
    settings.SIGNUP = "invitation"
    run.browsers["gm"].post(run.url, {"do": "invite"})
    return f"/join/{Party.objects.get().invitation}/"


def visited(link):
    """A browser that has followed the link and pressed for an account."""
    found = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
    found.post(link, {"do": "signup"})
    return found


def sign_up(browser, name="cleo", **more):
    return browser.post(SIGNUP, {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more})


def there(name="cleo"):
    return get_user_model().objects.filter(username=name).exists()


def members(run):
    return set(run.party.members.values_list("user__username", flat=True))


def test_an_account_that_a_partys_link_makes_is_in_the_party_and_its_page_said_so(run, link):
    browser = visited(link)
    assert "joins the party straight away" in text_of(browser.get(link))
    assert sign_up(browser, next=link)["Location"] == link
    assert "cleo" in members(run)
    assert run.told("gm") == ["joined"]
    assert words_in(text_of(browser.get(link)), "You are now in “Die Runde”.", "You are already in.") == [
        "You are now in “Die Runde”.", "You are already in."]


@pytest.mark.parametrize("mode", ["open", "invitation", "closed"])
def test_to_look_at_a_link_makes_no_session(run, link, settings, mode):
    settings.SIGNUP, before = mode, Session.objects.count()
    assert Client().get(link).status_code == 200
    assert Session.objects.count() == before


def test_whoever_presses_for_an_account_comes_back_to_what_the_link_says(run, link):
    browser = Client(headers={"Accept-Language": "en"})
    page = browser.get(f"{link}?take=x").text
    assert '<button class="button quiet" name="do" value="signup">' in page
    form = browser.post(f"{link}?take=x", {"do": "signup"})["Location"]
    assert form == reverse("account_signup", query={"next": f"{link}?take=x"})
    assert browser.get(form).status_code == 200


def test_where_everybody_may_make_an_account_the_link_makes_nobody_join(run, link, settings):
    settings.SIGNUP = "open"
    browser = visited(link)
    assert "joins the party straight away" not in text_of(browser.get(link))
    sign_up(browser)
    assert (there(), "cleo" in members(run)) == (True, False)


@pytest.mark.parametrize("do", ["revoke", "invite"])
def test_a_link_that_was_followed_before_it_was_revoked_or_renewed_makes_no_account(run, link, do):
    browser = visited(link)
    run.browsers["gm"].post(run.url, {"do": do})
    assert "No new accounts" in browser.get(SIGNUP).text
    sign_up(browser)
    assert not there()


def test_a_link_that_is_revoked_while_the_account_is_made_makes_none(run, link, monkeypatch):
    browser = visited(link)
    monkeypatch.setattr(accounts.AccountAdapter, "is_open_for_signup", lambda *_: True)
    run.browsers["gm"].post(run.url, {"do": "revoke"})
    assert sign_up(browser).status_code == 403
    assert not there()


def test_a_link_makes_no_more_accounts_than_a_party_has_seats_even_if_they_leave_it(run, link, monkeypatch):
    monkeypatch.setattr(accounts, "MEMBERS", run.party.members.count() + 1)
    for number in range(run.party.members.count() + 1):
        browser = visited(link)
        sign_up(browser, f"fleeting{number}")
        assert there(f"fleeting{number}")
        browser.post(f"{run.url}leave/")
        assert f"fleeting{number}" not in members(run)
    browser = visited(link)
    assert "No new accounts" in browser.get(SIGNUP).text
    sign_up(browser)
    assert not there()
    # Another link counts anew.
    run.browsers["gm"].post(run.url, {"do": "invite"})
    sign_up(visited(f"/join/{Party.objects.get().invitation}/"))
    assert there()


def test_a_party_without_room_makes_no_account(run, link, monkeypatch):
    browser = visited(link)
    monkeypatch.setattr(accounts, "MEMBERS", run.party.members.count())
    sign_up(browser)
    assert not there()


def test_the_count_of_a_partys_link_is_no_invitation_on_the_admins_page(run, link):
    sign_up(visited(link))
    get_user_model().objects.filter(pk=run.users["gm"].pk).update(is_superuser=True)
    assert Invitation.objects.get().left == accounts.MEMBERS - 1
    assert Invitation.objects.get().token not in run.browsers["gm"].get("/invitations/").text
