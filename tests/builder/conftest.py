import time
from itertools import count

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction

from builder import costly, drafts, rate_limit
from builder.models import Invitation
from sheets.faces.services import bring_portrait
from sheets.models import Notification, Sheet
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.builder.accounts import english
from tests.support.builder.browsers import CONDICE, Browser
from tests.support.builder.doctor import MOMENT, doctor_says  # noqa: F401 - tests/past takes the second from here
from tests.support.guest import Guest, example
from tests.support.party import Round
from tests.support.sheets.files import plain


@pytest.fixture
def draft():
    """A guest's new draft."""
    return drafts.create(Browser(), CONDICE)


@pytest.fixture
def juan():
    """A guest at work on Juan."""
    return Guest(example())


@pytest.fixture
def lived_in():
    """An account and a guest at work, with a history, a roll, a link, an invitation, and a time to the microsecond."""
    user = get_user_model().objects.create_user("jürgen", "j@example.org", "gut-geschmiedet-7")
    user.emailaddress_set.create(email="j@example.org", primary=True)
    user.authenticator_set.create(type="totp", data={"secret": "A"})
    mine = Guest(example(), user=user)
    mine.post("values", life="6")
    mine.client.post(f"/sheets/{mine.pk}/keep/", {"do": "share"})
    mine.client.post(f"/sheets/{mine.pk}/play/", {
        "w": "act-damage", "against": "nothing", "points": "3", "_press": "7d7a2d6c-8a51-4f43-8ba1-4a7d8d7b7f11"})
    guest = Guest(example())
    Sheet.objects.filter(pk=guest.pk).update(updated=MOMENT, created=MOMENT, notes="Ünïcode \u2028 🐐")
    bring_portrait(lambda: guest.sheet, plain())
    Invitation.make(3, 3)
    return guest


@pytest.fixture
@transaction.atomic
def reviewed():
    """A party with a sheet that its GM has returned."""
    made = Round()
    reviews.submit(made.sheet, made.player)
    seal = reviews.pending_decision(made.sheet, review_status(made.sheet)).seal
    reviews.give_back(made.member(made.gm), made.sheet, seal, {"comment": "Fast."})
    made.change(life=4)
    return made


@pytest.fixture
def round_():
    """A party, its people, and a sheet in it that waits for approval."""
    made = Round()
    reviews.submit(made.sheet, made.player)
    Notification.objects.all().delete()
    return made


@pytest.fixture
def budgeted(settings):
    """A budget for each address, of which nothing is used, before the test and after it."""
    settings.BUDGET = 100
    rate_limit.forget()
    costly.forget()
    yield
    rate_limit.forget()
    costly.forget()


@pytest.fixture
def costs(monkeypatch):
    """Makes every request from now on cost so many processor seconds."""
    now, cost = time.thread_time(), []

    def clock():
        clock.now += cost[0] if clock.odd else 0
        clock.odd = not clock.odd
        return clock.now

    clock.now, clock.odd = now, False
    monkeypatch.setattr("builder.rate_limit.time.thread_time", clock)

    def set_to(seconds):
        cost[:] = [seconds]

    set_to(0.0)
    return set_to


@pytest.fixture
def clock(monkeypatch):
    """Moves time on, which stands still otherwise."""
    now = [time.time()]
    monkeypatch.setattr("builder.rate_limit.time.time", lambda: now[0])

    def pass_on(seconds):
        now[0] += seconds

    return pass_on


@pytest.fixture
def account(django_user_model):
    """Makes browsers of new accounts."""
    number = count()

    def at(address):
        here = english(REMOTE_ADDR=address)
        here.force_login(django_user_model.objects.create_user(f"juan-{next(number)}"))
        return here

    return at
