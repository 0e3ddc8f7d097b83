"""The command that sends notifications by e-mail, and what the doctor says of them."""

import signal
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from builder.management.commands import mail as command
from sheets.models import Notification
from sheets.notifications.mail import Delivery, Unreachable
from tests.support.builder.doctor import doctor_says
from tests.support.mail_readers import happens, reader

pytestmark = pytest.mark.django_db


def deliveries(monkeypatch, *rounds):
    """What each round comes to: what is done, or raised; the last round ends the program, as systemd does."""
    left, pauses = list(rounds), []

    def deliver():
        found = left.pop(0)
        if not left:
            signal.raise_signal(signal.SIGTERM)
        if isinstance(found, Exception):
            raise found
        yield from found

    monkeypatch.setattr(command, "deliver", deliver)
    # It would close the one that the test's transaction is in.
    monkeypatch.setattr(command, "close_old_connections", lambda: None)
    monkeypatch.setattr(command, "wait", lambda seconds, ended: pauses.append(seconds))
    return pauses


def test_what_is_due_is_sent_and_counted(capsys):
    happens(reader(), reader("anna"))
    call_command("mail")
    assert capsys.readouterr().out == "2 mails: 2 sent, 0 refused and tried again later, 0 given up, 0 dropped\n"
    assert len(mail.outbox) == 2
    call_command("mail")
    assert capsys.readouterr().out.startswith("0 mails: 0 sent,")


def test_a_mail_that_was_not_sent_ends_it_with_1_and_is_said_and_dropped_ones_are_no_fault(monkeypatch, capsys):
    deliveries(monkeypatch, [Delivery("sent", "anna", 1), Delivery("refused", "juan", 2, "550 nobody"),
                             Delivery("given up", "bert", 1, "551 nobody")], [])
    with pytest.raises(CommandError, match="2 of them not sent") as error:
        call_command("mail")
    out, err = capsys.readouterr()
    assert (error.value.returncode, out) == (
        1, "3 mails: 1 sent, 1 refused and tried again later, 1 given up, 0 dropped\n")
    assert err.splitlines() == ["juan: refused and tried again later: 550 nobody", "bert: given up: 551 nobody"]
    deliveries(monkeypatch, [Delivery("dropped", "anna", 1, "no confirmed address")], [])
    call_command("mail")
    assert "1 dropped" in capsys.readouterr().out


@pytest.mark.parametrize(("fault", "said"), [
    (Unreachable("refused"), "The mail server lets nobody in: refused"),
    (OperationalError("gone"), "The database does not answer: gone"),
])
def test_what_cannot_be_reached_is_said_in_a_line(monkeypatch, fault, said):
    deliveries(monkeypatch, fault, [])
    with pytest.raises(CommandError, match=said) as error:
        call_command("mail")
    assert error.value.returncode == 1


def test_without_the_sites_address_it_refuses(settings):
    settings.SITE_URL = ""
    happens(reader())
    with pytest.raises(CommandError, match=r"SITE_URL is not set\..*https://sheets\.example\.org"):
        call_command("mail")
    assert mail.outbox == []


@pytest.mark.parametrize("every", ["0", "-1"])
def test_a_pause_that_is_none_is_refused(every):
    with pytest.raises(CommandError, match=f"--every is {every}; 1 is the least"):
        call_command("mail", f"--every={every}")


def test_as_a_service_it_goes_on_through_faults_with_growing_pauses(monkeypatch, capsys):
    down, gone = Unreachable("down"), OperationalError("gone")
    pauses = deliveries(monkeypatch, [], down, down, [Delivery("sent", "anna", 1)], gone, *[down] * 9, [])
    call_command("mail", "--every", "60")
    assert pauses == [60, 120, 240, 60, 120, 240, 480, 960, 1920, *[3600] * 5]
    out, err = capsys.readouterr()
    assert out == "1 mails: 1 sent, 0 refused and tried again later, 0 given up, 0 dropped\n"
    assert (err.count("lets nobody in: down"), err.count("does not answer: gone")) == (11, 1)


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_between_two_mails_and_is_as_it_was_afterwards(monkeypatch, capsys, which):
    before, closed = signal.getsignal(which), []

    def deliver():
        try:
            yield Delivery("sent", "anna", 1)
            signal.raise_signal(which)
            yield from [Delivery("sent", "bert", 1), Delivery("sent", "cleo", 1)]
        finally:
            closed.append(1)

    monkeypatch.setattr(command, "deliver", deliver)
    call_command("mail", "--every", "60")
    assert capsys.readouterr().out.startswith("2 mails: 2 sent")
    assert (closed, signal.getsignal(which)) == ([1], before)


def test_a_signal_ends_the_pause():
    heard = []
    threading.Timer(0.05, heard.append, [1]).start()
    command.wait(3600, lambda: bool(heard))
    assert heard


def test_the_doctor_tells_of_mails_that_have_been_due_for_over_an_hour_and_has_nothing_to_say_where_all_is_sent():
    juan = reader()
    happens(juan, times=2)
    for minutes, wrong in ((59, 0), (61, 1)):
        Notification.objects.update(made=timezone.now() - timedelta(minutes=minutes))
        said = doctor_says()
        assert len(said) == wrong
    assert said[0].startswith("2 notifications have been due by mail for over an hour; does `manage.py mail` run")
    call_command("mail")
    happens(juan, reader("anna", wants=False))
    Notification.objects.filter(user__username="anna").update(made=timezone.now() - timedelta(days=1))
    assert doctor_says() == []


def test_the_doctor_tells_for_a_week_of_mails_that_were_given_up():
    happens(reader())
    Notification.objects.update(mail="failed")
    assert doctor_says() == ["1 notifications of the last 7 days were given up by mail; they stand on the site"]
    Notification.objects.update(made=timezone.now() - timedelta(days=8))
    assert doctor_says() == []


def test_the_doctor_misses_the_sites_address_where_somebody_wants_mails(settings):
    settings.SITE_URL = ""
    assert doctor_says() == []
    reader()
    assert doctor_says() == ["1 want notifications by mail, and SITE_URL, which that takes, is not set"]
