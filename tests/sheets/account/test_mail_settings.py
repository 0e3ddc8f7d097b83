"""The part of the account's page where notifications by e-mail are turned on and off."""

import io
import json
import re
import zipfile

import pytest
from django.test import Client

from sheets.models import Mailing
from tests.support.guest import text_of
from tests.support.mail_readers import happens, reader, words

pytestmark = pytest.mark.django_db
ADDRESS = "/account/mail/"


@pytest.fixture
def juan():
    return reader(wants=False)


@pytest.fixture
def browser(juan):
    made = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
    made.force_login(juan)
    return made


def ticked(browser):
    return 'name="wanted" value="on" checked' in browser.get("/account/").text


def test_who_did_not_ask_is_sent_nothing_and_it_is_turned_on_and_off_again(browser, juan):
    assert not ticked(browser)
    happens(juan)
    assert words() == []
    done = browser.post(ADDRESS, {"wanted": "on", "language": "de"}, follow=True)
    assert done.redirect_chain == [("/account/", 302)]
    assert "From now on notifications are sent to you by e-mail." in text_of(done)
    assert (ticked(browser), Mailing.objects.get().language) == (True, "de")
    assert '<option value="de" lang="de" selected>' in done.text
    done = browser.post(ADDRESS, {"language": "de"}, follow=True)
    assert "you get no e-mails" in text_of(done)
    assert (ticked(browser), Mailing.objects.exists()) == (False, False)


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_language_of_the_page_is_the_one_that_is_offered(browser, language):
    page = browser.get("/account/", headers={"Accept-Language": language}).text
    assert re.findall(r"<option [^>]* selected>", page) == [f'<option value="{language}" lang="{language}" selected>']
    browser.post(ADDRESS, {"wanted": "on"}, headers={"Accept-Language": language})
    assert Mailing.objects.get().language == language


@pytest.mark.parametrize("language", ["", "fr", "de\n", "x" * 300])
def test_no_other_language_is_taken(browser, language):
    assert browser.post(ADDRESS, {"wanted": "on", "language": language}).status_code == 400
    assert not Mailing.objects.exists()


def test_another_language_of_who_has_it_on_sends_nothing_anew_and_forgets_nothing(browser, juan):
    browser.post(ADDRESS, {"wanted": "on", "language": "en"})
    happens(juan)
    browser.post(ADDRESS, {"wanted": "on", "language": "de"})
    assert (Mailing.objects.get().language, words()) == ("de", ["sent"])


@pytest.mark.parametrize(("change", "said"), [
    (lambda juan: juan.emailaddress_set.all().delete(),
     "This needs a confirmed e-mail address; your account has none."),
    (lambda juan: juan.emailaddress_set.update(verified=False),
     "This needs a confirmed e-mail address; juan@example.org is not confirmed yet."),
])
def test_without_a_confirmed_address_the_page_says_what_is_missing_and_where(browser, juan, change, said):
    change(juan)
    page = browser.get("/account/")
    assert 'href="/account/#mail"' in browser.get("/notifications/").text
    assert 'id="mail"' in page.text
    assert (said in text_of(page), 'name="wanted"' in page.text) == (True, False)
    assert '<a href="/account/email/">Go to your e-mail addresses</a>' in page.text
    done = browser.post(ADDRESS, {"wanted": "on", "language": "de"}, follow=True)
    assert "Nothing has been changed: you need a confirmed e-mail address first." in text_of(done)
    assert not Mailing.objects.exists()


def test_whose_mail_was_given_up_or_address_is_no_longer_confirmed_reads_it_and_can_still_turn_it_off(browser, juan):
    def says(said):
        return said in text_of(browser.get("/account/"))

    browser.post(ADDRESS, {"wanted": "on", "language": "de"})
    lost = "The last e-mail to you did not get through"
    assert not says(lost)
    juan.mailing.receiver.__class__.objects.update(lost=True)
    assert says(lost)
    happens(juan)
    words()
    assert not says(lost)
    juan.emailaddress_set.update(verified=False)
    assert (says("Until then nothing will be sent."), ticked(browser)) == (True, True)
    browser.post(ADDRESS, {})
    assert not Mailing.objects.exists()


def test_it_is_in_the_download_and_goes_with_the_account(browser, juan):
    browser.post(ADDRESS, {"wanted": "on", "language": "de"})
    reader("anna")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(browser.get("/account/download/").streaming_content)))
    others = json.loads(archive.read("account.json"))["others"]
    assert [(one["user"], one["language"]) for one in others["sheets.Mailing"]] == [(juan.pk, "de")]
    juan.delete()
    assert [one.user.username for one in Mailing.objects.all()] == ["anna"]
