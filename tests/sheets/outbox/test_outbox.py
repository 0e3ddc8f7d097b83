"""The outbox: whatever is put into it arrives, each receiver's in its order, whichever workers die over it."""

from collections import Counter, defaultdict
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from sheets.models import Delivery, Mailing, Receiver
from sheets.models.outbox import GIVEN_UP, SENT, WAITING
from sheets.outbox import services
from sheets.outbox.channels import Channel, Unwanted
from sheets.outbox.services import TRIES, deliver, enqueue
from tests.support.everyday import everyday
from tests.support.mail_readers import later
from tests.support.rulesets.contract import seeded

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """A worker is gone, at once."""


class Recorder(Channel):
    """Keeps what each receiver was sent; `before` and `after` it does what the test has it do."""

    name = "mail"

    def __init__(self, before=lambda _one: None, after=lambda _one: None, at_once=1):
        self.before, self.after, self.at_once = before, after, at_once
        self.got = defaultdict(list)

    def send(self, receiver, deliveries):
        for one in deliveries:
            self.before(one)
        self.got[receiver.pk] += [one.pk for one in deliveries]
        for one in deliveries:
            self.after(one)
        return "taken"


@pytest.fixture
def receivers(django_user_model):
    """Some receivers, with nothing to be sent to them."""
    return [Receiver.objects.create(channel="mail", mailing=Mailing.objects.create(
        user=django_user_model.objects.create_user(f"reader{one}"), language="en")) for one in range(4)]


def put(receivers, number):
    """Put so many deliveries to the receivers in turn into the outbox; return {receiver: keys in their order}."""
    enqueue([Delivery(receiver=receivers[one % len(receivers)], kind="x", data={"n": one}) for one in range(number)])
    return {one.pk: list(one.deliveries.order_by("pk").values_list("pk", flat=True)) for one in receivers}


def outcomes(channel):
    return [one.state for one in deliver(channel)]


def test_each_receiver_gets_everything_exactly_once_and_in_its_order(receivers):
    put_in, channel = put(receivers, 12), Recorder()
    assert outcomes(channel) == ["sent"] * 12
    assert channel.got == put_in
    assert {(one.state, one.tries, one.answer, one.settled is None) for one in Delivery.objects.all()} == {
        (SENT, 1, "taken", False)}
    assert outcomes(channel) == []


def test_what_is_taken_back_with_its_event_is_not_sent(receivers):
    with transaction.atomic():
        put(receivers, 4)
        transaction.set_rollback(True)
    assert outcomes(Recorder()) == []


def test_what_is_not_due_yet_waits_and_goes_with_what_is_if_they_go_at_once(receivers):
    put(receivers[:1], 2)
    Delivery.objects.update(due=timezone.now() + timedelta(hours=1))
    assert outcomes(Recorder(at_once=5)) == []
    Delivery.objects.filter(data__n=1).update(due=timezone.now())
    assert outcomes(Recorder(at_once=5)) == ["sent"]
    assert not Delivery.objects.filter(state=WAITING).exists()


def test_one_that_is_refused_holds_up_its_receivers_others_alone_and_once_given_up_nobody(receivers):
    put_in = put(receivers, 8)
    bad = put_in[receivers[0].pk][0]

    def refuse(one):
        if one.pk == bad:
            raise OSError("no")

    channel = Recorder(before=refuse)
    for attempt in range(TRIES):
        last = attempt == TRIES - 1
        # Whoever comes after it goes at once when it is given up.
        expected = Counter({"given up": 1, "sent": 1} if last else {"refused": 1})
        assert Counter(outcomes(channel)) == expected + Counter({"sent": 0 if attempt else 6})
        later()
    assert channel.got == put_in | {receivers[0].pk: put_in[receivers[0].pk][1:]}
    given_up = Delivery.objects.get(state=GIVEN_UP)
    assert (given_up.pk, given_up.tries, given_up.answer) == (bad, TRIES, "OSError")


def test_a_receiver_is_lost_while_its_last_delivery_was_given_up(receivers):
    def refuse(_one):
        raise OSError("no")

    [receiver] = receivers[:1]
    put([receiver], 1)
    for _attempt in range(TRIES):
        outcomes(Recorder(before=refuse))
        later()
    assert Receiver.objects.get(pk=receiver.pk).lost
    put([receiver], 1)
    assert outcomes(Recorder()) == ["sent"]
    assert not Receiver.objects.get(pk=receiver.pk).lost


def test_what_nobody_wants_is_dropped_and_not_tried_again(receivers):
    def unwanted(_one):
        raise Unwanted("gone")

    put(receivers, 4)
    assert outcomes(Recorder(before=unwanted)) == ["dropped"] * 4
    assert outcomes(Recorder()) == []


def test_the_pause_between_two_sendings_is_the_channels(receivers):
    put(receivers[:1], 20)
    channel = Recorder()
    channel.pause = timedelta(hours=1)
    for number in range(20):
        before = timezone.now()
        assert outcomes(channel) == ["sent"]
        assert Receiver.objects.get(pk=receivers[0].pk).after >= before + channel.pause
        assert len(channel.got[receivers[0].pk]) == number + 1
        later()


def test_a_receiver_that_another_worker_has_is_left_to_it(receivers):
    put(receivers[:1], 3)
    meanwhile = []
    channel = Recorder(before=lambda _one: meanwhile.extend(outcomes(Recorder())))
    assert (outcomes(channel), meanwhile) == (["sent"] * 3, [])


@pytest.mark.prove
@pytest.mark.parametrize("at_once", everyday([1, 7]))
def test_workers_killed_at_any_moment_lose_nothing_and_keep_the_order(receivers, monkeypatch, full, figure, at_once):
    """A worker dies before, in the middle of and after a sending, and before its outcome is stored."""
    number, chance = 2_000 if full else 120, seeded(57)
    put_in, kills = put(receivers, number), Counter()
    finish = services._finish

    def perhaps(where):
        # Nothing is given up here: what a worker dies of six times over is (see below).
        if chance.random() < 0.1 and not Delivery.objects.filter(state=WAITING, tries__gte=TRIES - 1).exists():
            kills[where] += 1
            raise Killed

    def finishing(*words, **more):
        perhaps("before it is stored")
        finish(*words, **more)
        perhaps("once it is stored")

    monkeypatch.setattr(services, "_finish", finishing)
    channel = Recorder(lambda _one: perhaps("before it is sent"), lambda _one: perhaps("once it is sent"), at_once)
    while Delivery.objects.filter(state=WAITING).exists():
        try:
            outcomes(channel)
        except Killed:
            later()
    assert set(kills) == {"before it is sent", "once it is sent", "before it is stored", "once it is stored"}
    for key, keys in put_in.items():
        # At least once, and the first time of each in the order; nothing comes again but from the last sending.
        assert list(dict.fromkeys(channel.got[key])) == keys
    extra = sum(map(len, channel.got.values())) - number
    assert 0 < extra <= at_once * (kills["once it is sent"] + kills["before it is stored"])
    assert set(Delivery.objects.values_list("state", flat=True)) == {SENT}
    figure(f"{number} deliveries, {at_once} at once, {kills.total()} workers killed: {extra} came again, none lost")


def test_one_over_which_each_worker_dies_is_given_up(receivers):
    def die(one):
        if one.data["n"] == 0:
            raise Killed

    put_in, channel = put(receivers[:1], 2), Recorder(before=die)
    for _worker in range(TRIES):
        with pytest.raises(Killed):
            outcomes(channel)
        later()
    assert outcomes(channel) == ["sent"]
    assert channel.got == {receivers[0].pk: put_in[receivers[0].pk][1:]}
    assert list(Delivery.objects.order_by("pk").values_list("state", flat=True)) == [GIVEN_UP, SENT]
