import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from sheets.models import Receiver
from sheets.notifications import mail as mailing
from tests.support.browser.looks import sound
from tests.support.builder.accounts import PASSWORD, code_of
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser
PAGES = ["", "2fa/", "2fa/totp/deactivate/", "2fa/recovery-codes/", "2fa/recovery-codes/generate/",
         "2fa/reauthenticate/", "reauthenticate/", "logout/"]
"""Those that the walk through all pages (test_layout.py) does not come to, or not with a second factor."""


def sign_in(page, name="juan"):
    page.goto("/account/login/")
    page.fill("#id_login", name)
    page.fill("#id_password", PASSWORD)
    page.locator("main form.card button").click()


@pytest.fixture
def juan(transactional_db):
    """An admin, so that every page is theirs."""
    return get_user_model().objects.create_superuser("juan", password=PASSWORD)


@pytest.mark.layout
@pytest.mark.parametrize("locale", everyday(["de-DE", "en-GB"]))
def test_every_page_of_an_account_is_accessible_and_fits(visit, juan, locale):
    # An address to which mails go, and did not the last time.
    juan.emailaddress_set.create(email="juan@example.org", primary=True, verified=True)
    mailing.ask(juan, "de")
    Receiver.objects.update(lost=True)
    juan.notifications.create(kind="joined", data={"party": "Die Runde"})
    page = visit("/", locale=locale)
    visit.expect("status of 410")  # an invitation that is no more
    for address in ("/invited/none/", "/account/password/reset/done/", "/account/password/reset/key/1-x/"):
        page.goto(address)
        sound(page)
    sign_in(page)
    page.goto("/account/2fa/totp/activate/")
    page.fill("#id_password", PASSWORD)
    page.locator("main form.card button").click()
    sound(page)
    page.fill("#id_code", "000000")
    page.locator("main form.card button").click()
    sound(page)
    page.fill("#id_code", code_of(page.input_value("#secret")))
    page.locator("main form.card button").click()
    assert len(page.input_value("#recovery_codes").split()) == 10
    for address in PAGES:
        page.goto(f"/account/{address}")
        sound(page)
    page.locator("main form button").first.click()
    sign_in(page)
    assert page.url.endswith("/account/2fa/authenticate/")
    sound(page)


def test_an_account_with_a_second_factor_is_made_used_and_deleted_without_javascript(visit, transactional_db):
    page = visit("/account/signup/", javascript=False)
    page.fill("#id_username", "anna")
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    page.locator("main form.card button").click()
    page.goto("/account/2fa/totp/activate/")
    page.fill("#id_password", PASSWORD)
    page.locator("main form.card button").click()
    assert page.locator(".qr svg").bounding_box()["width"] > 150
    page.fill("#id_code", code_of(page.input_value("#secret")))
    page.locator("main form.card button").click()
    code = page.input_value("#recovery_codes").split()[0]
    page.locator("header .user-menu button").click()
    sign_in(page, "anna")
    page.fill("#id_code", code)
    page.locator("main form button").first.click()
    page.locator("header .user-menu a").click()
    with page.expect_download() as download:
        page.locator("main a.button").first.click()
    assert download.value.suggested_filename == "bogenschmiede-anna.zip"
    page.goto("/account/delete/")
    page.locator("main form.card button").click()
    if "reauthenticate" in page.url:
        page.fill("#id_password", PASSWORD)
        page.locator("main form.card button").click()
    assert not get_user_model().objects.exists()
    assert not Authenticator.objects.exists()
    assert page.locator("#told p").inner_text() == "Dein Konto ist gelöscht, mit allem, was dazugehörte."


def test_whoever_waits_for_a_file_is_told_so_and_when_it_is_there(visit, juan):
    page = visit("/account/login/", locale="en")
    sign_in(page)
    page.goto("/account/")
    # A page that is about to leave answers no question, so it notes itself what it says.
    page.evaluate("""() => {
        window.said = [];
        new MutationObserver(() => {
            const words = document.querySelector("body > [role=status]").textContent;
            if (words && words !== said.at(-1)) said.push(words);
        }).observe(document.body, {childList: true, subtree: true, characterData: true});
    }""")
    with page.expect_download():
        page.get_by_role("link", name="Download everything").click()
    expect(page.get_by_role("link", name="Download everything")).to_have_attribute("data-state", "there")
    assert page.evaluate("said") == ["This takes a few seconds …", "The file is ready."]
    assert page.url.endswith("/account/")
