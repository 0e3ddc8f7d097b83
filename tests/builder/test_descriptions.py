"""What each page is about: every one says it, each something of its own."""

import html
import re
from string import Formatter

import pytest
from django.test import Client
from django.urls import get_resolver
from django.utils.translation import override

from builder.descriptions import DEFAULT, DESCRIPTIONS
from rulesets import systems
from tests.test_access_matrix import names

NO_PAGES = {"begin", "draft", "portrait", "shared-portrait", "reported-portrait", "preview", "shared-preview", "pdf",
            "shared-pdf", "party-pdf", "evening-pdf", "encounter-pdf", "several", "several-export",
            "together", "scene-now", "scene-file", "handout-picture", "catalogue-file",
            "blank-pdf", "page-picture", "play", "table-play", "table-messages", "asked",
            "landed", "keep", "file", "shared-file", "place", "remark",
            "account_mail", "account_device", "account_devices", "account_download",
            "account_request_reauthentication_code",
            "account_confirm_reauthentication_code", "mfa_download_recovery_codes",
            "mfa_login_webauthn", "mfa_list_webauthn",
            "rulesets", "schema", "validate", "odds", "random", "openapi", "set_language", "health", "health-ready",
            "receipt-of", "receipt-json", "roll-texts", "roll-key", "roll-keys",
            "live", "live-link", "live-queue", "metrics",
            "evening-file", "feed", "push-worker", "robots", "sitemap", "security-txt", "change-password"}
"""Addresses that answer no page of their own."""


def test_every_page_has_a_description_and_no_two_have_the_same():
    assert set(names(get_resolver())) == set(DESCRIPTIONS) | NO_PAGES
    for language in ("de", "en"):
        with override(language):
            said = [str(one) for one in (DEFAULT, *DESCRIPTIONS.values())]
        assert len(set(said)) == len(said)
        assert all(20 <= len(one) <= 160 for one in said)
        assert {key for one in said for _text, key, *_rest in Formatter().parse(one) if key} == {"system"}


SYSTEMS = [(f"{page}/{slug}/", html.escape(str(one.title))) for slug, one in systems().items()
           for page in ("dice", "compare", "rules")]


@pytest.mark.django_db
@pytest.mark.parametrize(("page", "named"), [*SYSTEMS, *((page, "") for page in (
    "", "paste/", "import/", "validate/", "api/v1/docs", "privacy/", "verify/", "account/login/", "account/signup/",
    "sheets/", "parties/", "nothing/"))])
def test_a_page_has_one_title_one_description_and_one_address(page, named):
    head = Client(headers={"Accept-Language": "en"}).get(f"/{page}?q=1").text.partition("</head>")[0]
    assert len(re.findall(r"<title>\s*(.+?)\s+· Bogenschmiede</title>", head)) == 1
    described, = re.findall(r'<meta name="description" content="([^"]+)">', head)
    assert (len(html.unescape(described)) >= 20, named in described) == (True, True)
    canonical = re.findall(r'<link rel="canonical" href="([^"]+)">', head)
    assert canonical == ([f"http://testserver/{page}"] if page != "nothing/" else [])
