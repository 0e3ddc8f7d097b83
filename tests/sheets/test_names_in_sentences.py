"""Names that turn a line round, written from the right or stored before they were cleaned, leave sentences alone."""

import re
from html.parser import HTMLParser

import pytest
from django.core import mail
from django.utils import timezone

from rulesets.names import isolated, strip_directions
from sheets.models import Encounter, Event, Notification, Party, Placed, Scene, Sheet
from sheets.notifications.services import notification_text, notify
from tests.support.mail_readers import happens, reader, words
from tests.support.sheets.fight import ATTACK

OLD = "Anna\u202eb"
"""A name as nobody can give it any more."""
ENDED = {"a", "b", "strong", "em", "span", "label", "button", "code", "time", "option", "title", "textarea"}
"""Elements beyond whose end nothing is turned: the style sheet isolates them, or they are a text of their own."""
ALONE = ENDED | {"h1", "h2", "h3", "h4", "li", "p", "td", "th", "dt", "dd", "summary", "legend", "figcaption", "text"}
"""Those, and paragraphs in which nothing else stands."""
WRAPPED = re.compile("\u2068[^\u2068\u2069]*\u2069")


class Turning(HTMLParser):
    """Collects where a text with signs that turn it round stands beside others."""

    VOID = {"input", "img", "br", "hr", "meta", "link", "source", "wbr", "path", "rect", "use"}

    def __init__(self):
        super().__init__()
        self.open, self.found = [], []

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            # What is sent is not read, and a name at the end turns nothing.
            said = WRAPPED.sub("", value or "").strip().removesuffix(OLD)
            if "\u202e" in said and key not in ("value", "href", "src"):
                self.found.append((tag, key, value))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        left = WRAPPED.sub("", data)
        within, last = self.open[-1] if self.open else "", left.strip()
        ends = last.endswith(OLD) and "\u202e" not in last.removesuffix(OLD) and within in ENDED
        if "\u202e" in left and not (ends or (last == OLD and within in ALONE)):
            self.found.append((within, data.strip()))


@pytest.mark.parametrize(("name", "shown"), [
    ("Anna", "Anna"), ("Öre Łukasz", "Öre Łukasz"), ("שלום", "\u2068שלום\u2069"), (OLD, f"\u2068{OLD}\u2069"),
    ("x\u2069\u202ey", "\u2068x\u202ey\u2069"), ("", ""), ("日本", "日本")])
def test_a_name_is_wrapped_where_it_could_turn_its_sentence(name, shown):
    assert isolated(name) == shown


def test_an_old_sentence_is_told_without_what_turns_it():
    assert strip_directions(f"{OLD} trifft (12)") == "Annab trifft (12)"


@pytest.fixture
def old(table):
    """A party whose name, sheets and opponents bear such a name, with a log; nothing of it was saved by the program."""
    table.troll()
    Sheet.objects.update(name=OLD)
    Party.objects.update(name=OLD)
    for who, at in (("gm", "anna"), ("anna", "ben")):
        table.press(ATTACK, "gm" if who == "gm" else who, "troll" if who == "gm" else who, at)
    gm = table.users["gm"]
    kept = Sheet.objects.create(owner=gm, ruleset="condice", opponent=True, finished=timezone.now(),
                                data=table.sheets["anna"].data)
    deleted = Sheet.objects.create(owner=gm, ruleset="condice", data={}, deleted=timezone.now())
    loose = Sheet.objects.create(owner=gm, ruleset="condice", finished=timezone.now(), data=table.sheets["anna"].data)
    Sheet.objects.update(name=OLD)
    encounter = Encounter.objects.create(owner=gm, ruleset="condice", name=OLD)
    Placed.objects.create(encounter=encounter, sheet=kept)
    Scene.objects.update(name=OLD)
    Event.objects.update(text=f"{OLD} trifft (12)", said={})
    notify([gm], "joined", Party.objects.get(), table.users["anna"], url="/")
    table.old = {"party": table.party.pk, "sheet": table.sheets["anna"].pk, "encounter": encounter.pk,
                 "loose": loose.pk, "deleted": deleted.pk}
    return table


PAGES = [
    "/", "/sheets/", "/parties/", "/parties/{party}/", "/parties/{party}/settings/", "/parties/{party}/table/",
    "/parties/{party}/opponents/", "/parties/{party}/handouts/", "/parties/{party}/scenes/", "/parties/{party}/ready/",
    "/parties/{party}/house/", "/parties/{party}/print/", "/parties/{party}/leave/", "/parties/{party}/end/",
    "/opponents/?system=condice", "/opponents/encounters/{encounter}/", "/sheets/{sheet}/", "/sheets/{sheet}/history/",
    "/sheets/{sheet}/print/", "/sheets/{sheet}/review/", "/sheets/{loose}/", "/drafts/{loose}/figure/",
    "/drafts/{loose}/attacks/", "/drafts/{loose}/finish/", "/sheets/trash/", "/sheets/trash/?burn={deleted}",
    "/reviews/", "/compare/condice/?a={loose}&b={sheet}", "/notifications/", "/account/", "/account/delete/"]


@pytest.mark.parametrize("page", PAGES)
def test_on_no_page_a_name_turns_what_stands_beside_it(old, page):
    answer = old.browsers["gm"].get(page.format(**old.old))
    assert answer.status_code in (200, 404)
    turning = Turning()
    turning.feed(answer.text)
    assert turning.found == [], turning.found


def test_messages_notices_and_mails_isolate_names(old, settings):
    settings.SITE_URL = "https://example.org"
    gm = old.browsers["gm"]
    troll = Sheet.objects.get(opponent=True, party=old.party)
    page = gm.post(f"/parties/{old.party.pk}/opponents/", {"do": f"keep:{troll.pk}"}, follow=True).text
    assert f"“\u2068{OLD}\u2069”" in page
    said = notification_text(Notification.objects.filter(kind="joined", data__party=OLD).latest("pk"))
    assert f"“\u2068{OLD}\u2069”" in said
    happens(juan := reader())
    Party.objects.update(name=OLD)
    juan.notifications.update(data={"party": OLD})
    assert words() == ["sent"]
    # What is no character is a blank in a mail; what isolates a name stays.
    assert "“\u2068Anna b\u2069”" in mail.outbox[0].subject
