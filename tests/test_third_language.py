"""A third language can be added by a catalogue alone: each page is shown in it, and nothing of it breaks."""

import html
import re
from functools import cache

import polib
import pytest
from django.conf import settings as configured
from django.utils.translation import gettext, ngettext, override

from rulesets import systems
from tests.browser.test_layout import NEITHER, kind, populated, starts, system_of
from tests.support.everyday import everyday
from tests.support.third_language import LANGUAGE, LONGER, lengthened, offer, write_catalogue
from tests.test_one_language import links

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]
SLUGS = [next(iter(systems())), NEITHER, *list(systems())[1:]]
CATALOGUES = [path / "de/LC_MESSAGES/django.po" for path in configured.LOCALE_PATHS]
UNFILLED = re.compile(r"%\(\w+\)|%[sd]\b|\{[a-z_]\w*\}")


def sentences():
    """All texts of the program that are more than a word."""
    return [one.msgid for path in CATALOGUES for one in polib.pofile(path) if re.search("[a-z] [a-z]", one.msgid)]


@cache
def written():
    """The rules and the words of random characters, which are English where a language has none of its own."""
    root = configured.BASE_DIR
    files = [*root.glob("rulesets/*/rules.en.md"), *root.glob("rulesets/*/concepts.en.toml")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    write_catalogue(folder)
    return folder


@pytest.fixture
def third(catalogue, settings):
    offer(settings, catalogue)


def test_texts_are_forty_percent_longer_and_what_is_filled_in_stays():
    said = lengthened("%(n)s sheets of <b>{who}</b> wait for an approval&nbsp;!")
    assert said == "%(n)s šhéétöööš ööf <b>{who}</b> wàîöt föör àöñ àpprövàöööl&nbsp;!"
    words = [text for text in sentences() if re.fullmatch("[A-Za-z ,.]+", text)]
    assert LONGER - 0.1 < sum(map(len, map(lengthened, words))) / sum(map(len, words)) < LONGER + 0.1


def test_one_thing_and_several_things_are_told_apart(third):
    with override(LANGUAGE):
        assert gettext("Save this") == lengthened("Save this")
        assert ngettext("{{ n }} sheet", "{{ n }} sheets", 2)


def seen(answer):
    """The texts of a page one by one: what stands between its tags, and what is read out."""
    source = re.sub(r"<(script|style|code|pre|kbd|textarea)\b.*?</\1>", " ", answer.text, flags=re.S)
    told = re.findall(r'\b(?:title|aria-label|placeholder|alt)="([^"]*)"', source)
    return [" ".join(html.unescape(one).split()) for one in [*re.split(r"<[^>]*>", source), *told]]


@pytest.mark.parametrize("slug", everyday(SLUGS, each=4))
def test_each_page_is_shown_in_a_third_language(slug, third, settings):
    browsers, wrong, reached = populated(slug, settings), {}, 0
    english = {one for one in sentences() if one not in written()}
    for who, browser in browsers.items():
        browser.defaults["HTTP_ACCEPT_LANGUAGE"] = LANGUAGE
        waiting, done = starts(slug, who), set()
        while waiting:
            address = waiting.pop()
            if kind(address) in done or system_of(address) != slug:
                continue
            done.add(kind(address))
            answer = browser.get(address)
            waiting += [answer["Location"]] if answer.has_header("Location") else []
            if answer.status_code in (204, 302) or "html" not in answer.headers.get("Content-Type", ""):
                answer.close()
                continue
            reached += 1
            fault = [one for one in seen(answer) if one in english or UNFILLED.search(one)]
            # A part of a page says nothing of its language.
            spoken = re.findall('<html lang="([^"]*)"', answer.text) in ([LANGUAGE], [])
            if answer.status_code not in (200, 404) or not spoken or fault:
                wrong[who, address] = answer.status_code, fault
            waiting += links(answer)
    assert reached > 30
    assert wrong == {}
