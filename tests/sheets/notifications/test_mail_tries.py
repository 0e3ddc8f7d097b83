"""Senders of mails: several at once, those that die over a mail, and how often a mail that is refused is tried."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from sheets.models import Receiver
from sheets.notifications.mail import Mail
from sheets.outbox import services as outbox
from sheets.outbox.services import GROWTH, PAUSE, TRIES, deliver
from tests.support.mail_readers import happens, later, reader, states, words

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


def lost():
    return Receiver.objects.get().lost


def refuse():
    raise OSError(550, "no")


def test_while_one_sender_sends_another_has_nothing_to_do(odd):
    happens(reader(), reader("anna"))
    meanwhile = []
    odd(lambda: meanwhile.append([one.receiver for one in first_of_two()]))

    def first_of_two():
        Odd.does = staticmethod(lambda: None)
        yield from deliver(Mail())

    done = [(one.state, one.receiver) for one in deliver(Mail())]
    # The first has Juan in its hands; the second takes Anna, and the first finds nothing left of her.
    assert done == [("sent", "juan")]
    assert meanwhile == [["anna"]]
    assert sorted(one.to[0] for one in mail.outbox) == ["anna@example.org", "juan@example.org"]
    assert words() == []


def test_what_comes_while_a_mail_is_sent_goes_with_the_next(odd):
    juan = reader()
    happens(juan)
    odd(lambda: odd(lambda: None) or happens(juan, kind="brought"))
    assert words() == ["sent", "sent"]
    assert [("has joined" in one.body, "has brought" in one.body) for one in mail.outbox] == [
        (True, False), (False, True)]


class Killed(BaseException):
    """The sender is gone, at once."""


def die():
    raise Killed


def test_a_sender_that_dies_over_a_mail_leaves_it_to_the_next_when_its_claim_runs_out(odd):
    happens(reader())
    dies(odd)
    assert words() == []
    assert Receiver.objects.get().after > timezone.now() + timedelta(minutes=9)
    later()
    assert (words(), states()) == (["sent"], ["sent"])
    # One over which each sender dies is given up.
    happens(reader("anna"))
    for _try in range(TRIES):
        dies(odd)
        later()
    assert (words(), states()) == ([], ["sent", "given-up"])


def dies(odd):
    """A sender dies over the mail at hand, and others do not."""
    odd(die)
    with pytest.raises(Killed):
        words()
    odd(lambda: None)


def test_a_mail_that_is_sent_twice_is_known_for_one(monkeypatch):
    happens(reader())
    monkeypatch.setattr(outbox, "_finish", lambda *_, **__: die())
    with pytest.raises(Killed):
        words()
    monkeypatch.undo()
    later()
    assert words() == ["sent"]
    assert len(mail.outbox) == 2
    assert len({one.message()["Message-ID"] for one in mail.outbox}) == 1


def test_a_claim_that_ran_out_is_not_ended_by_who_had_it(odd):
    happens(reader())
    odd(lambda: Receiver.objects.update(after=timezone.now() + timedelta(minutes=7)))
    assert words() == ["sent"]
    assert Receiver.objects.get().after > timezone.now() + timedelta(minutes=6)


def test_what_is_refused_is_tried_again_after_growing_pauses_and_then_given_up(odd):
    juan = reader()
    happens(juan)
    odd(refuse)
    pauses = []
    for _try in range(TRIES - 1):
        begun = timezone.now()
        assert (words(), words()) == (["refused"], [])
        pauses.append(Receiver.objects.get().after - begun)
        later()
    for number, pause in enumerate(pauses):
        assert timedelta() <= pause - PAUSE * GROWTH**number < timedelta(minutes=1)
    assert sum(pauses, timedelta()) > timedelta(days=1)
    assert not lost()
    assert (words(), words(), states()) == (["given up"], [], ["given-up"])
    assert lost()
    assert juan.notifications.get().read is None
    odd(lambda: None)
    happens(juan)
    assert (words(), states()) == (["sent"], ["given-up", "sent"])
    assert not lost()


def test_what_came_later_is_tried_as_often_as_what_was_there_first(odd):
    juan = reader()
    happens(juan)
    odd(refuse)
    for _try in range(TRIES - 1):
        words()
        later()
    happens(juan, kind="brought")
    assert (words(), states()) == (["refused"], ["given-up", "waiting"])
    odd(lambda: None)
    later()
    assert (words(), states()) == (["sent"], ["given-up", "sent"])
    assert "has brought" in mail.outbox[0].subject


def test_one_that_cannot_be_told_stops_nobody_elses():
    juan, anna = reader(), reader("anna")
    happens(juan, kind="of-a-later-version")
    happens(anna)
    done = [(one.state, one.receiver, one.reason) for one in deliver(Mail())]
    assert done == [("refused", "juan", "KeyError: 'of-a-later-version'"), ("sent", "anna", "")]
