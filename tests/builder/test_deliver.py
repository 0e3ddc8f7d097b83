"""The command that delivers what the outbox holds, and what the doctor says of it."""

import signal
import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from builder.management.commands import deliver as command
from sheets.models import Delivery
from sheets.outbox.channels import Unreachable
from sheets.outbox.services import Outcome, forget_settled, next_within
from tests.support.builder.doctor import doctor_says
from tests.support.mail_readers import happens, reader

pytestmark = pytest.mark.django_db


def deliveries(monkeypatch, *rounds):
    """What each round comes to: what is done, or raised; the last round ends the program, as systemd does."""
    left, pauses = list(rounds), []

    def deliver(_channel):
        found = left.pop(0)
        if not left:
            signal.raise_signal(signal.SIGTERM)
        if isinstance(found, Exception):
            raise found
        yield from found

    monkeypatch.setattr(command, "deliver", deliver)
    monkeypatch.setattr(command, "channels", lambda: [command.Mail()])
    # It would close the one that the test's transaction is in.
    monkeypatch.setattr(command, "close_old_connections", lambda: None)
    monkeypatch.setattr(command, "wait", lambda seconds, ended: pauses.append(seconds))
    return pauses


def test_what_is_due_is_sent_and_counted(capsys):
    happens(reader(), reader("anna"))
    call_command("deliver")
    assert sorted(capsys.readouterr().out.splitlines()) == [
        f"{one} sent, 0 refused and tried again later, 0 given up, 0 dropped"
        for one in ("mail: 2", "push: 0", "webhook: 0")]
    assert len(mail.outbox) == 2
    call_command("deliver")
    assert "mail: 0 sent," in capsys.readouterr().out


def test_a_mail_that_was_not_sent_ends_it_with_1_and_is_said_and_dropped_ones_are_no_fault(monkeypatch, capsys):
    deliveries(monkeypatch, [Outcome("sent", "anna", 1), Outcome("refused", "juan", 2, "550 nobody"),
                             Outcome("given up", "bert", 1, "551 nobody")], [])
    with pytest.raises(CommandError, match="2 of them not sent") as error:
        call_command("deliver")
    out, err = capsys.readouterr()
    assert (error.value.returncode, out) == (
        1, "mail: 1 sent, 1 refused and tried again later, 1 given up, 0 dropped\n")
    assert err.splitlines() == [
        "mail: juan: refused and tried again later: 550 nobody", "mail: bert: given up: 551 nobody"]
    deliveries(monkeypatch, [Outcome("dropped", "anna", 1, "no confirmed address")], [])
    call_command("deliver")
    assert "1 dropped" in capsys.readouterr().out


@pytest.mark.parametrize(("fault", "said"), [
    (Unreachable("refused"), "mail: refused"),
    (OperationalError("gone"), "The database does not answer: gone"),
])
def test_what_cannot_be_reached_is_said_in_a_line(monkeypatch, capsys, fault, said):
    deliveries(monkeypatch, fault, [])
    with pytest.raises(CommandError) as error:
        call_command("deliver")
    assert error.value.returncode == 1
    assert said in capsys.readouterr().err + str(error.value)


def test_without_the_sites_address_it_refuses(settings):
    settings.SITE_URL = ""
    happens(reader())
    with pytest.raises(CommandError, match=r"SITE_URL is not set\..*https://sheets\.example\.org"):
        call_command("deliver")
    assert mail.outbox == []


def test_as_a_service_without_the_sites_address_it_reminds_of_turns_and_sends_nothing(monkeypatch, settings, capsys):
    settings.SITE_URL = ""
    happens(reader())
    reminded = []
    monkeypatch.setattr(command, "remind_of_turns", lambda: reminded.append(1) or signal.raise_signal(signal.SIGTERM))
    monkeypatch.setattr(command, "close_old_connections", lambda: None)
    call_command("deliver", "--every", "60")
    assert (reminded, mail.outbox, "SITE_URL is not set." in capsys.readouterr().err) == ([1], [], True)


@pytest.mark.parametrize("every", ["0", "-1"])
def test_a_pause_that_is_none_is_refused(every):
    with pytest.raises(CommandError, match=f"--every is {every}; 1 is the least"):
        call_command("deliver", f"--every={every}")


def test_as_a_service_it_goes_on_through_faults_of_the_database_with_growing_pauses(monkeypatch, capsys):
    gone = OperationalError("gone")
    pauses = deliveries(monkeypatch, [], gone, gone, [Outcome("sent", "anna", 1)], *[gone] * 8, [])
    call_command("deliver", "--every", "60")
    assert pauses == [60, 120, 240, 60, 120, 240, 480, 960, 1920, *[3600] * 3, 60]
    out, err = capsys.readouterr()
    assert out == "mail: 1 sent, 0 refused and tried again later, 0 given up, 0 dropped\n"
    assert err.count("does not answer: gone") == 10


def test_a_channel_that_cannot_be_reached_rests_for_ever_more_rounds_and_stops_no_other(monkeypatch, capsys):
    asked, rounds = [], iter(range(200))

    class Other(command.Channel):
        name = "other"

    def deliver(channel):
        asked.append(channel.name)
        if channel.name == "mail":
            raise Unreachable("down")
        yield from ()

    def wait(_seconds, _ended):
        asked.append(next(rounds))
        if asked[-1] == 130:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(command, "deliver", deliver)
    monkeypatch.setattr(command, "channels", lambda: [command.Mail(), Other()])
    monkeypatch.setattr(command, "wait", wait)
    monkeypatch.setattr(command, "close_old_connections", lambda: None)
    call_command("deliver", "--every", "120")
    tried = [asked[number + 2] for number, one in enumerate(asked) if one == "mail"]
    # No rest is longer than an hour.
    assert tried == [0, 2, 6, 14, 30, 61, 92, 123]
    assert asked.count("other") == 131
    assert capsys.readouterr().err.count("mail: down") == len(tried)


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_between_two_mails_and_is_as_it_was_afterwards(monkeypatch, capsys, which):
    before, closed = signal.getsignal(which), []

    def deliver(_channel):
        try:
            yield Outcome("sent", "anna", 1)
            signal.raise_signal(which)
            yield from [Outcome("sent", "bert", 1), Outcome("sent", "cleo", 1)]
        finally:
            closed.append(1)

    monkeypatch.setattr(command, "deliver", deliver)
    call_command("deliver", "--every", "60")
    assert capsys.readouterr().out.startswith("mail: 2 sent")
    assert (closed, signal.getsignal(which)) == ([1, 1, 1], before)


def test_channels_take_turns_so_that_one_whose_receivers_hang_holds_up_no_other(monkeypatch):
    asked = []

    def deliver(channel):
        for number in range(2):
            asked.append(f"{channel.name} {number}")
            yield Outcome("sent", "anna", 1)

    monkeypatch.setattr(command, "deliver", deliver)
    call_command("deliver")
    assert asked == ["mail 0", "push 0", "webhook 0", "mail 1", "push 1", "webhook 1"]


def test_what_becomes_due_while_receivers_hang_is_seen_before_all_of_them_have_had_their_turn(monkeypatch):
    clock, hanging, asked, pauses = [0], list(range(4)), [], []

    def deliver(channel):
        asked.append(channel.name)
        while channel.name == "webhook" and hanging:
            clock[0] += 5
            yield Outcome("refused", f"webhook {hanging.pop()}", 1)

    def wait(seconds, _ended):
        pauses.append(seconds)
        if not hanging:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(command, "deliver", deliver)
    monkeypatch.setattr(command, "wait", wait)
    monkeypatch.setattr(command, "close_old_connections", lambda: None)
    monkeypatch.setattr(command, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    call_command("deliver", "--every", "2")
    assert (asked.count("mail"), pauses) == (4, [0, 0, 0, 0])


def test_it_looks_again_as_soon_as_a_receiver_that_has_just_been_sent_something_is_free_again():
    juan = reader()
    assert next_within(60) == 60
    happens(juan)
    Delivery.objects.update(due=timezone.now())
    assert next_within(60) == 60
    type(juan.mailing.receiver).objects.update(after=timezone.now() + timedelta(seconds=40))
    assert 0 < next_within(60) <= 40
    assert next_within(20) == 20


def test_a_signal_ends_the_pause():
    heard = []
    threading.Timer(0.05, heard.append, [1]).start()
    command.wait(3600, lambda: bool(heard))
    assert heard


def test_the_doctor_tells_of_deliveries_that_have_been_due_for_over_an_hour():
    juan = reader()
    happens(juan, times=2)
    for minutes, wrong in ((59, 0), (61, 1)):
        Delivery.objects.update(due=timezone.now() - timedelta(minutes=minutes))
        said = doctor_says()
        assert len(said) == wrong
    assert said[0].startswith("2 deliveries by mail have been due for over an hour; does `manage.py deliver` run")
    # Those that wait for another attempt are not late.
    type(juan.mailing.receiver).objects.update(after=timezone.now() + timedelta(hours=1))
    assert doctor_says() == []
    type(juan.mailing.receiver).objects.update(after=timezone.now())
    call_command("deliver")
    happens(juan, reader("anna", wants=False))
    assert doctor_says() == []


def test_the_doctor_tells_for_a_week_of_what_was_given_up_and_then_it_is_forgotten():
    happens(reader())
    Delivery.objects.update(state="given-up", settled=timezone.now() - timedelta(days=6))
    assert doctor_says() == [
        "1 deliveries by mail of the last 7 days were given up; who was to get them reads so on the site"]
    assert forget_settled() == 0
    Delivery.objects.update(settled=timezone.now() - timedelta(days=8))
    assert (doctor_says(), forget_settled(), Delivery.objects.exists()) == ([], 1, False)


def test_the_doctor_misses_the_sites_address_where_somebody_wants_mails(settings):
    settings.SITE_URL = ""
    assert doctor_says() == []
    reader()
    assert doctor_says() == ["1 want to be sent what happens, and SITE_URL, which that takes, is not set"]
