"""Notifications by e-mail: who is sent what, and in which words."""

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.translation import override

from rulesets.names import strip_directions
from sheets.models import Notification
from sheets.notifications import mail as mailing
from sheets.notifications.services import TEXTS, notification_text
from tests.support.mail_readers import happens, party, reader, states, words

pytestmark = pytest.mark.django_db


def test_whoever_wants_it_is_sent_what_happened_and_only_once():
    happens(reader())
    assert (words(), words()) == (["sent"], [])
    letter, one = mail.outbox[0], Notification.objects.get()
    assert (letter.to, letter.subject) == (["juan@example.org"], "Bogenschmiede: leiterin has joined “Die Runde”.")
    assert f"leiterin has joined “Die Runde”.\nhttp://127.0.0.1:8000{one.url}\n" in letter.body
    assert (states(), one.read) == (["sent"], None)


def test_whoever_does_not_want_it_yet_or_any_more_is_sent_nothing_of_what_was_waiting():
    juan = reader(wants=False)
    happens(juan, times=3)
    assert (words(), mail.outbox, states()) == ([], [], [])
    mailing.ask(juan, "en")
    assert words() == []
    happens(juan)
    juan.mailing.delete()
    assert words() == []
    mailing.ask(juan, "en")
    assert words() == []
    happens(juan)
    mailing.ask(juan, "de")
    assert words() == ["sent"]
    assert mail.outbox[0].subject.endswith("ist der Runde „Die Runde“ beigetreten.")


@pytest.mark.parametrize("change", [
    lambda juan: juan.emailaddress_set.update(verified=False),
    lambda juan: juan.emailaddress_set.update(primary=False),
    lambda juan: juan.emailaddress_set.all().delete(),
    lambda juan: type(juan).objects.update(is_active=False),
], ids=["unconfirmed", "not the primary one", "gone", "account switched off"])
def test_whoever_has_no_confirmed_address_any_more_is_dropped_for_good(change):
    juan = reader()
    happens(juan)
    change(juan)
    assert (words(), words(), mail.outbox, states()) == (["dropped"], [], [], ["dropped"])


def test_what_was_read_on_the_site_is_not_sent():
    juan = reader()
    happens(juan, times=2)
    juan.notifications.filter(pk=juan.notifications.first().pk).update(read=timezone.now())
    assert words() == ["sent"]
    assert mail.outbox[0].body.count("leiterin has joined") == 1


def test_all_that_is_due_to_a_person_is_one_mail():
    juan, anna = reader(), reader("anna")
    happens(juan, anna, kind="house", turned=1, times=20)
    happens(juan)
    assert words() == ["sent", "sent"]
    first, second = sorted(mail.outbox, key=lambda one: one.to, reverse=True)
    assert [one.subject for one in (first, second)] == [f"Bogenschmiede: {n} notifications" for n in (21, 20)]
    assert (first.body.count("has changed the house rules"), first.body.count("has joined")) == (20, 1)
    assert set(states()) == {"sent"}


def test_a_mail_tells_fifty_and_counts_the_rest(monkeypatch):
    monkeypatch.setattr(mailing.Mail, "at_once", 60)
    happens(reader(), times=63)
    assert (words(), words()) == (["sent", "sent"], [])
    assert [one.body.count("has joined") for one in mail.outbox] == [50, 3]
    assert ("\nAnd 10 more.\n" in mail.outbox[0].body, "more." in mail.outbox[1].body) == (True, False)


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_kind_is_told_in_the_language_that_its_reader_chose(language):
    juan, hello = reader(language=language), "Hallo juan," if language == "de" else "Hello juan,"
    for kind in (*TEXTS, "house"):
        happens(juan, kind=kind, turned=2, sheet="Juan", host="dort", start="2026-12-04T19:00:00+00:00", zone="UTC")
        with override("en" if language == "de" else "de"):
            assert words() == ["sent"]
        letter = mail.outbox[-1]
        with override(language):
            text = notification_text(juan.notifications.latest("pk"))
        assert text in letter.body
        assert letter.subject.startswith(f"Bogenschmiede: {text[:100]}")
        assert letter.body.startswith(hello)


def test_each_mail_says_where_it_ends_and_that_no_person_wrote_it(settings):
    settings.SITE_URL = "https://sheets.example.org"
    happens(reader())
    words()
    body, sent = mail.outbox[0].body, mail.outbox[0].message()
    assert "http:" not in body
    assert body.rstrip().endswith("https://sheets.example.org/account/#mail")
    assert "https://sheets.example.org/notifications/\n" in body
    assert (sent["List-Unsubscribe"], sent["Auto-Submitted"], sent.get_content_type()) == (
        "<https://sheets.example.org/account/#mail>", "auto-generated", "text/plain")
    assert sent["Message-ID"].endswith("@sheets.example.org>")


@pytest.mark.parametrize("name", [
    "Die\r\nBcc: fremd@example.org", "Die\nBcc: fremd@example.org", "Die\u2028Bcc: fremd@example.org",
    "Die\x00\x0bBcc: fremd@example.org", "Die\u202eBcc: fremd@example.org", "Die\udc80Bcc: fremd@example.org",
])
def test_no_name_becomes_a_header_or_a_line_of_its_own(name):
    juan = reader()
    one = Notification(user=juan, kind="joined", data={"party": name}, url="/x\r\nhttps://fremd.example.org/",
                       made=timezone.now())
    letter = mailing.message_of(juan.mailing, "juan@example.org", [one])
    sent = letter.message()
    assert ("Bcc" in sent, [sent["To"]]) == (False, letter.recipients()) == (False, ["juan@example.org"])
    assert strip_directions(letter.subject) == "Bogenschmiede: Somebody has joined “Die Bcc: fremd[@]example[.]org”."
    assert [line for line in letter.body.splitlines() if line.startswith(("Bcc", "https://fremd"))] == []
    assert sent.as_bytes()


def test_a_long_name_leaves_a_subject_that_can_be_read():
    happens(reader(), party=party("Runde " * 33))
    assert words() == ["sent"]
    assert len(mail.outbox[0].subject) <= len("Bogenschmiede: ") + mailing.SUBJECT
    assert mail.outbox[0].subject.endswith("…")


def test_no_name_becomes_a_link_and_ours_are_links(settings):
    settings.SITE_URL = "https://sheets.example.org"
    happens(reader("www.gratis.example"), party=party("https://gratis.example"))
    assert words() == ["sent"]
    letter = mail.outbox[0]
    assert "https[://]gratis[.]example" in letter.subject
    assert [one in letter.body for one in ("Hello www[.]gratis[.]example,", "https[://]gratis[.]example",
                                           "gratis.example", "https://sheets.example.org/notifications/")] == [
        True, True, False, True]
