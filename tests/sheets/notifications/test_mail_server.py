"""Mails and a real mail server: what it takes and refuses, when it hangs up, and when it is not there."""

from email import message_from_string
from email.header import decode_header, make_header

import pytest
from django.utils import timezone

from sheets.models import Delivery, Receiver
from sheets.notifications.mail import Mail
from sheets.outbox.channels import Unreachable
from sheets.outbox.services import TRIES, deliver
from tests.support.mail_readers import Postbox, happens, reader, words

pytestmark = pytest.mark.django_db


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
    assert (words(), box.visits) == (["sent", "sent"], 1)
    assert [to for to, _text in box.taken] == ["juan@example.org", "anna@example.org"]
    subjects = [str(make_header(decode_header(message_from_string(text)["Subject"]))) for _to, text in box.taken]
    assert subjects == [one.format("„Die Runde“" if "ist" in one else "“Die Runde”") for one in (
        "Bogenschmiede: leiterin has joined {}.", "Bogenschmiede: leiterin ist der Runde {} beigetreten.")]


def test_an_address_that_is_refused_stops_nobody_elses(postbox):
    box = postbox(refuses={"juan@example.org"})
    happens(reader(), reader("anna"))
    refused, sent = deliver(Mail())
    assert (refused.state, sent.state, [to for to, _text in box.taken]) == ("refused", "sent", ["anna@example.org"])
    assert "nobody of that name" in refused.reason


def test_a_server_that_hangs_up_is_called_anew_for_the_next_and_without_anything_due_not_at_all(postbox):
    box = postbox(hangs_up={"juan@example.org"})
    happens(reader("otto", wants=False))
    both = reader(), reader("anna")
    assert (words(), box.visits) == ([], 0)
    happens(*both)
    assert (words(), box.visits) == (["refused", "sent"], 2)


def test_a_server_that_is_not_there_spends_nobodys_tries(postbox):
    box = postbox()
    box.shutdown()
    box.server_close()
    happens(reader())
    for _run in range(TRIES + 1):
        with pytest.raises(Unreachable, match=r"lets nobody in: .*refused"):
            words()
    one = Delivery.objects.get()
    assert (one.state, one.tries) == ("waiting", 0)
    assert Receiver.objects.get().after <= timezone.now()
