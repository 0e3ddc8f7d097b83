"""Notifications by e-mail: who is sent what, how often, and what comes of a mail that is not taken."""

from datetime import timedelta
from email import message_from_string
from email.header import decode_header, make_header

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone
from django.utils.translation import override

from sheets import mailing
from sheets.mailing import GROWTH, PAUSE, TRIES, Unreachable, deliver
from sheets.models import Mailing, Notification
from sheets.parties.notifying import TEXTS, told
from tests.letters import Postbox, happens, later, party, reader, words

pytestmark = pytest.mark.django_db


class Odd(EmailBackend):
    """Sends as the test has it."""

    does = None

    def send_messages(self, messages):
        Odd.does()
        return super().send_messages(messages)


@pytest.fixture
def odd(settings):
    """Make every sending do something first: `odd(what)`."""
    settings.EMAIL_BACKEND = f"{__name__}.Odd"

    def make(what):
        Odd.does = staticmethod(what)

    yield make
    Odd.does = None


def refuse():
    raise OSError(550, "no")


def states():
    return list(Notification.objects.order_by("pk").values_list("mail", flat=True))


def test_whoever_wants_it_is_sent_what_happened_and_only_once():
    happens(reader())
    assert (words(), words()) == (["sent"], [])
    letter = mail.outbox[0]
    assert letter.to == ["juan@example.org"]
    assert letter.subject == "Bogenschmiede: leiterin has joined “Die Runde”."
    one = Notification.objects.get()
    assert f"leiterin has joined “Die Runde”.\nhttp://127.0.0.1:8000{one.url}\n" in letter.body
    assert one.mail == "sent"
    assert one.read is None


def test_whoever_does_not_want_it_is_sent_nothing():
    happens(reader(wants=False))
    assert (words(), mail.outbox, states()) == ([], [], [""])


def test_whoever_begins_to_want_it_is_not_sent_what_was_before():
    juan = reader(wants=False)
    happens(juan, times=3)
    mailing.ask(juan, "en")
    assert words() == []
    happens(juan)
    mailing.ask(juan, "de")
    assert words() == ["sent"]
    assert mail.outbox[0].subject.endswith("ist „Die Runde“ beigetreten.")


def test_whoever_wants_it_no_longer_is_sent_nothing_that_was_waiting():
    juan = reader()
    happens(juan)
    juan.mailing.delete()
    assert words() == []
    mailing.ask(juan, "en")
    assert words() == []


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
    assert first.subject == "Bogenschmiede: 21 notifications"
    assert (first.body.count("has changed the house rules"), first.body.count("has joined")) == (20, 1)
    assert second.subject == "Bogenschmiede: 20 notifications"
    assert set(states()) == {"sent"}


def test_a_mail_tells_fifty_and_counts_the_rest(monkeypatch):
    monkeypatch.setattr(mailing, "MOST", 60)
    happens(reader(), times=63)
    assert (words(), words(), words()) == (["sent"], ["sent"], [])
    assert [one.body.count("has joined") for one in mail.outbox] == [50, 3]
    assert "\nAnd 10 more.\n" in mail.outbox[0].body
    assert "more." not in mail.outbox[1].body


@pytest.mark.parametrize("kind", [*TEXTS, "house"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_each_kind_is_told_in_the_language_that_its_reader_chose(kind, language):
    juan = reader(language=language)
    happens(juan, kind=kind, turned=2, sheet="Juan")
    with override("en" if language == "de" else "de"):
        assert words() == ["sent"]
    letter = mail.outbox[0]
    with override(language):
        text = told(juan.notifications.get())
    assert text in letter.body
    assert letter.subject.startswith(f"Bogenschmiede: {text[:100]}")
    assert letter.body.startswith("Hallo juan," if language == "de" else "Hello juan,")


def test_each_mail_says_where_it_ends_and_that_no_person_wrote_it(settings):
    settings.SITE_URL = "https://sheets.example.org"
    happens(reader())
    words()
    letter = mail.outbox[0]
    assert "http:" not in letter.body
    assert letter.body.rstrip().endswith("https://sheets.example.org/account/#mail")
    assert "https://sheets.example.org/notifications/\n" in letter.body
    sent = letter.message()
    assert sent["List-Unsubscribe"] == "<https://sheets.example.org/account/#mail>"
    assert sent["Auto-Submitted"] == "auto-generated"
    assert sent["Message-ID"].endswith("@sheets.example.org>")
    assert sent.get_content_type() == "text/plain"


@pytest.mark.parametrize("name", [
    "Die\r\nBcc: fremd@example.org", "Die\nBcc: fremd@example.org", "Die\u2028Bcc: fremd@example.org",
    "Die\x00\x0bBcc: fremd@example.org", "Die\u202eBcc: fremd@example.org", "Die\udc80Bcc: fremd@example.org",
])
def test_no_name_becomes_a_header_or_a_line_of_its_own(name):
    juan = reader()
    one = Notification(user=juan, kind="joined", data={"party": name}, url="/x\r\nhttps://fremd.example.org/")
    one.made = timezone.now()
    letter = mailing.letter(mailing.Claim(juan.mailing, timezone.now(), "juan@example.org", [one]))
    sent = letter.message()
    assert "Bcc" not in sent
    assert sent["To"] == "juan@example.org"
    assert letter.recipients() == ["juan@example.org"]
    assert letter.subject == "Bogenschmiede: Somebody has joined “Die Bcc: fremd@example.org”."
    assert [line for line in letter.body.splitlines() if line.startswith(("Bcc", "https://fremd"))] == []
    assert sent.as_bytes()


def test_a_long_name_leaves_a_subject_that_can_be_read():
    happens(reader(), party=party("Runde " * 33))
    words()
    assert len(mail.outbox[0].subject) <= len("Bogenschmiede: ") + mailing.SUBJECT
    assert mail.outbox[0].subject.endswith("…")


def test_while_one_sender_sends_another_has_nothing_to_do(odd):
    happens(reader(), reader("anna"))
    meanwhile = []
    odd(lambda: meanwhile.append([one.who for one in first_of_two()]))

    def first_of_two():
        Odd.does = staticmethod(lambda: None)
        yield from deliver()

    done = [(one.word, one.who) for one in deliver()]
    # The first has Juan in its hands; the second takes Anna, and the first finds nothing left of her.
    assert done == [("sent", "juan")]
    assert meanwhile == [["anna"]]
    assert sorted(one.to[0] for one in mail.outbox) == ["anna@example.org", "juan@example.org"]
    assert words() == []


def test_what_comes_while_a_mail_is_sent_goes_with_the_next(odd):
    juan = reader()
    happens(juan)
    odd(lambda: happens(juan, kind="brought"))
    assert words() == ["sent"]
    odd(lambda: None)
    assert words() == ["sent"]
    assert ["has joined" in one.body for one in mail.outbox] == [True, False]
    assert ["has brought" in one.body for one in mail.outbox] == [False, True]


class Killed(BaseException):
    """The sender is gone, at once."""


def die():
    raise Killed


def test_a_sender_that_dies_over_a_mail_leaves_it_to_the_next_when_its_claim_runs_out(odd):
    happens(reader())
    odd(die)
    with pytest.raises(Killed):
        words()
    odd(lambda: None)
    assert words() == []
    assert Mailing.objects.get().after > timezone.now() + timedelta(minutes=9)
    later()
    assert (words(), states()) == (["sent"], ["sent"])


def test_a_mail_that_is_sent_twice_is_known_for_one(monkeypatch):
    happens(reader())
    monkeypatch.setattr(mailing, "_settle", lambda *_: die())
    with pytest.raises(Killed):
        words()
    monkeypatch.undo()
    later()
    assert words() == ["sent"]
    first, second = (one.message()["Message-ID"] for one in mail.outbox)
    assert first == second


def test_a_mail_over_which_each_sender_dies_is_given_up(odd):
    happens(reader())
    odd(die)
    for _try in range(TRIES):
        with pytest.raises(Killed):
            words()
        later()
    assert (words(), states()) == ([], ["failed"])


def test_a_claim_that_ran_out_is_not_ended_by_who_had_it(odd):
    juan = reader()
    happens(juan)

    def slow():
        later()
        until = timezone.now() + timedelta(minutes=7)
        Mailing.objects.update(after=until)
    odd(slow)
    assert words() == ["sent"]
    assert Mailing.objects.get().after > timezone.now() + timedelta(minutes=6)


def test_what_is_refused_is_tried_again_after_growing_pauses_and_then_given_up(odd):
    juan = reader()
    happens(juan)
    odd(refuse)
    pauses = []
    for _try in range(TRIES - 1):
        begun = timezone.now()
        assert words() == ["refused"]
        assert words() == []
        pauses.append(Mailing.objects.get().after - begun)
        later()
    for number, pause in enumerate(pauses):
        assert timedelta() <= pause - PAUSE * GROWTH**number < timedelta(minutes=1)
    assert sum(pauses, timedelta()) > timedelta(days=1)
    assert not mailing.lost(juan)
    assert (words(), words(), states()) == (["given up"], [], ["failed"])
    assert mailing.lost(juan)
    assert juan.notifications.get().read is None
    odd(lambda: None)
    happens(juan)
    assert (words(), states()) == (["sent"], ["failed", "sent"])
    assert not mailing.lost(juan)


def test_what_came_later_is_tried_as_often_as_what_was_there_first(odd):
    juan = reader()
    happens(juan)
    odd(refuse)
    for _try in range(TRIES - 1):
        words()
        later()
    happens(juan, kind="brought")
    assert (words(), states()) == (["refused"], ["failed", ""])
    odd(lambda: None)
    later()
    assert (words(), states()) == (["sent"], ["failed", "sent"])
    assert "has brought" in mail.outbox[0].subject


def test_one_that_cannot_be_told_stops_nobody_elses():
    juan, anna = reader(), reader("anna")
    happens(juan, kind="of-a-later-version")
    happens(anna)
    done = [(one.word, one.who, one.why) for one in deliver()]
    assert done == [("refused", "juan", "KeyError: 'of-a-later-version'"), ("sent", "anna", "")]


@pytest.fixture
def postbox(settings):
    """A real mail server, and the settings that lead to it."""
    made = []

    def make(**how):
        made.append(Postbox(**how))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", made[-1].port, False
        return made[-1]

    yield make
    for one in made:
        one.shutdown()
        one.server_close()


def test_a_mail_server_takes_all_in_one_visit(postbox):
    box = postbox()
    happens(reader(), reader("anna", "de"))
    assert words() == ["sent", "sent"]
    assert box.visits == 1
    assert [to for to, _text in box.taken] == ["juan@example.org", "anna@example.org"]
    subjects = [str(make_header(decode_header(message_from_string(text)["Subject"]))) for _to, text in box.taken]
    assert subjects == [one.format("„Die Runde“" if "ist" in one else "“Die Runde”") for one in (
        "Bogenschmiede: leiterin has joined {}.", "Bogenschmiede: leiterin ist {} beigetreten.")]


def test_an_address_that_is_refused_stops_nobody_elses(postbox):
    box = postbox(refuses={"juan@example.org"})
    happens(reader(), reader("anna"))
    refused, sent = deliver()
    assert (refused.word, sent.word) == ("refused", "sent")
    assert "nobody of that name" in refused.why
    assert [to for to, _text in box.taken] == ["anna@example.org"]


def test_a_server_that_hangs_up_is_called_anew_for_the_next(postbox):
    box = postbox(hangs_up={"juan@example.org"})
    happens(reader(), reader("anna"))
    assert words() == ["refused", "sent"]
    assert box.visits == 2


def test_a_server_that_is_not_there_spends_nobodys_tries(postbox):
    box = postbox()
    box.shutdown()
    box.server_close()
    happens(reader())
    for _run in range(TRIES + 1):
        with pytest.raises(Unreachable, match="refused"):
            words()
    one = Notification.objects.get()
    assert (one.mail, one.tries) == ("", 0)
    assert Mailing.objects.get().after <= timezone.now()


def test_without_anything_due_no_mail_server_is_called(postbox):
    box = postbox()
    happens(reader(wants=False))
    reader("anna")
    assert (words(), box.visits) == ([], 0)
