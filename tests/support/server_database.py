"""What a test of a real server asks of that server's own database; run as a module, it answers line by line in JSON.

`fill` makes a guest's sheet, `more N` makes others of theirs, `count` says what became of the first, `kept` of all,
`party N` makes a party's table with so many who watch it, `readers N` people who are due a mail each, and `mailed` says
what came of those. `tables N M` makes N parties' tables with M members each, one of whom may `leave PARTY`. `fight N`
makes a party's table with so many characters, and `fought` says what became of them. `duel` makes a table at which one
may respond to another's attack, and `responded` says what became of that. `reviewed` makes a party with a
sheet that is to be approved, `link SHEET` one to a sheet, `chain` says what became of it, `end NAME` ends an account.
`used` says what is charged. `rollers N` makes a party's table with so many who roll there, on a sheet of their own
and on the dice pages, and `numbered` says what became of the numbers of their rolls. `hooked ADDRESS …` makes a
party with webhooks, and `happen N` has so many scenes begin there. `subscribed SUBSCRIPTION …` makes a user for each of
these browsers, and `notified N` notifies each of so many things.
"""

import json
import os
import re
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY  # noqa: E402
from django.contrib.auth import SESSION_KEY as SESSION_KEY_OF_AUTH  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402

from builder.models import Used  # noqa: E402
from rulesets import systems  # noqa: E402
from sheets.account.services import delete_user  # noqa: E402
from sheets.audit_log.chain import begin_chain, chain_faults  # noqa: E402
from sheets.guests import SESSION_KEY  # noqa: E402
from sheets.models import (  # noqa: E402
    Event,
    Head,
    Member,
    Party,
    PendingEffect,
    Question,
    Receipt,
    Review,
    Scene,
    Sheet,
)
from sheets.parties import services as parties  # noqa: E402
from tests.support.server_outbox import (  # noqa: E402
    attempts,
    happen,
    hooked,
    mailed,
    notified,
    readers,
    subscribed,
)

GUEST = "g" * 32
LIFE = 1_998
"""The life points of each who fights: nobody falls."""
RESPONDERS = {"dice-rumble": ({}, {"initiative": 4}), "daemmersturm": ({"shield": {"target": 12}, "armour": None}, {})}
"""{system: (data, state of play) of those who may respond}."""


def session_of(user=None, **more) -> str:
    """Return a session, in which somebody has signed in."""
    session = SessionStore()
    session.update(more)
    if user:
        session.update({SESSION_KEY_OF_AUTH: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash(),
                        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0]})
    session.save()
    return session.session_key


def juans(*each, **more) -> list[Sheet]:
    """Make a Juan for each of these, and return them."""
    data = systems()["condice"].examples["juan"]["data"] | more
    return Sheet.objects.bulk_create([Sheet(**{"ruleset": "condice", "name": "Juan", "data": data, **one})
                                      for one in each])


def round_of(user, *others):
    """Return a party that somebody leads and others play in."""
    made = parties.found_party(user, "Runde", systems()["condice"])
    Member.objects.bulk_create([Member(party=made, user=one) for one in others])
    return made


def fill() -> dict:
    """Juan, and the session that owns him."""
    if connection.vendor == "postgresql":
        call_command("migrate", verbosity=0)
    # Where this is the suite's database, its head is signed with another key.
    Head.objects.all().delete()
    begin_chain()
    [sheet] = juans({"guest": GUEST})
    return {"sheet": str(sheet.pk), "session": session_of(**{SESSION_KEY: GUEST})}


def count() -> dict:
    """{widget: events}, and the state of play."""
    widgets = list(Event.objects.values_list("widget", flat=True))
    return {"events": {one: widgets.count(one) for one in widgets}, "play": Sheet.objects.get().play}


def more(number: str) -> list[str]:
    """The keys of so many more sheets, each a Juan."""
    return [str(sheet.pk) for sheet in juans(*[{"guest": GUEST}] * int(number))]


def party(number: str) -> dict:
    """The table of a party with Juan in it, the word that says what was seen there, and so many who are signed in."""
    user = User.objects.create_user("spielleitung")
    made = round_of(user)
    juans({"owner": user, "party": made})
    sessions = [session_of(user) for _browser in range(int(number))]
    address, browser = f"/parties/{made.pk}/table/", Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = sessions[0]
    page = browser.get(address, secure=True, headers={"Host": "127.0.0.1"}).content.decode()
    return {"address": address, "since": re.search(r"since=([^\"]+)\"", page)[1], "sessions": sessions}


def tables(number: str, members: str) -> list[dict]:
    """So many parties, each with its address, a sheet with its player's session, and the sessions of all members."""
    found, first = [], Party.objects.count()
    for one in range(first, first + int(number)):
        people = User.objects.bulk_create([User(username=f"watcher{one}-{other}") for other in range(int(members))])
        made = round_of(*people)
        [sheet] = juans({"owner": people[0], "party": made})
        found.append({"party": str(made.pk), "sheet": str(sheet.pk), "sessions": [*map(session_of, people)]})
    return found


def leave(number: str, name: str = "") -> None:
    """A member of a party leaves it, of a name if one is stated."""
    members = Member.objects.select_related("party").exclude(role="gm").filter(party=number)
    member = members.filter(user__username__contains=name).latest("pk")
    with transaction.atomic():
        parties.leave_party(member)


def fight(number: str) -> dict:
    """The address of a party's table, and {key of a sheet: session of its player} of so many who have much life."""
    made = round_of(User.objects.create_user("gm"))
    users = [User.objects.create_user(f"player{one}") for one in range(int(number))]
    for user in users:
        parties.join_party(made, user)
    sheets = juans(*({"name": user.username, "owner": user, "party": made, "seen_by": "party"} for user in users),
                   life=LIFE // 2, defence=0)
    return {"address": f"/parties/{made.pk}/table/play/",
            "players": {str(sheet.pk): session_of(sheet.owner) for sheet in sheets}}


def rollers(number: str) -> dict:
    """The fight of so many, each of whom has a sheet outside the party, too: {key of a seat: [that sheet, session]}."""
    made, outside = fight(number), []
    for seat in Sheet.objects.filter(pk__in=made["players"]).select_related("owner"):
        [sheet] = juans({"owner": seat.owner})
        outside.append((str(seat.pk), str(sheet.pk)))
    return made | {"players": {seat: [sheet, made["players"][seat]] for seat, sheet in outside}}


def numbered() -> dict:
    """[log, number, nonce, token] of each receipt, {log of a scene: rolls that it counted}, and events of rolls."""
    return {"receipts": list(map(list, Receipt.objects.order_by("log", "number").values_list(
                "log", "number", "nonce", "token"))),
            "counted": {f"scene:{one.uuid}": one.rolls for one in Scene.objects.all()},
            "events": Event.objects.exclude(roll="").count()}


def duel(slug: str) -> dict:
    """The address of a system's table that waits for responses, and the sheet and session of both who fight."""
    system, number = systems()[slug], User.objects.count()
    people = User.objects.bulk_create([User(username=f"duellist{number}-{one}") for one in range(3)])
    gm, *players = people
    made = parties.found_party(gm, "Duell", system)
    Party.objects.filter(pk=made.pk).update(waits=True, approval=False)
    Member.objects.bulk_create([Member(party=made, user=one) for one in players])
    more, play = RESPONDERS[slug]
    data = next(iter(system.examples.values()))["data"] | more
    sheets = Sheet.objects.bulk_create([
        Sheet(ruleset=slug, name=name, owner=one, party=made, seen_by="party", data=data, play=play)
        for name, one in zip(("Anna", "Ben"), players, strict=True)])
    return {"address": f"/parties/{made.pk}/table/play/", "party": str(made.pk), "gm": session_of(gm),
            **{one.name.lower(): [str(one.pk), session_of(one.owner)] for one in sheets}}


def responded(number: str) -> dict:
    """The questions of a party with their responses, the rolls and acts of its sheets, and their dice."""
    events = Event.objects.filter(party=number).order_by("pk")
    return {"questions": [[one.pk, (one.response or {}).get("en")] for one in Question.objects.filter(party=number)],
            "rolls": [one.roll for one in events if one.roll], "acts": [one.act for one in events if one.act],
            "dice": [one.play.get("initiative") for one in Sheet.objects.filter(party=number).order_by("name")]}


def fought() -> dict:
    """What has landed, [number, sheet, state, points], what life each sheet lost, and how often there was what."""
    return {"landed": [[one.pk, str(one.sheet_id), one.state, one.filled["points"]]
                       for one in PendingEffect.objects.order_by("pk")],
            "lost": {str(one.pk): LIFE - one.play.get("life", LIFE)
                     for one in Sheet.objects.filter(party__isnull=False)},
            "rolls": Event.objects.filter(act="").count(), "acts": Event.objects.exclude(act="").count()}


def reviewed() -> dict:
    """{sheet: its key, party: that of the party, name of a member: their session}, with two GMs and a player."""
    users = {name: User.objects.create_user(name) for name in ("gm", "helper", "player")}
    made = round_of(users["gm"], users["player"])
    Member.objects.create(party=made, user=users["helper"], role="co-gm")
    [sheet] = juans({"owner": users["player"], "party": made})
    return {"sheet": str(sheet.pk), "party": str(made.pk), **{name: session_of(user) for name, user in users.items()}}


def link(pk: str) -> str:
    """A link to a sheet, by which one sees what is played, too."""
    Sheet.objects.filter(pk=pk).update(share="link-to-it", share_play=True)
    return "link-to-it"


def chain() -> dict:
    """Every entry with the seal and the name of what it is about; and what is wrong with the chain."""
    entries = Review.objects.select_related("revision", "by").order_by("number")
    return {"entries": [[one.number, one.kind, one.by and one.by.username, one.seal,
                         one.revision and one.revision.name] for one in entries],
            "faults": [f"{one.number} {one.message}" for one in chain_faults()]}


def end(name: str) -> None:
    """An account with all that belongs to it."""
    delete_user(User.objects.get(username=name))


def used() -> list[float]:
    """How full everybody's buckets are."""
    return list(Used.objects.values_list("level", flat=True))


def kept() -> dict:
    """{sheet: version, name, keys of its presses}."""
    return {str(sheet.pk): [sheet.version, sheet.name, [str(event.key) for event in sheet.events.all()]]
            for sheet in Sheet.objects.prefetch_related("events")}


if __name__ == "__main__":
    words = {one.__name__: one for one in (
        fill, more, count, kept, readers, mailed, party, tables, leave, fight, fought, duel, responded, reviewed, link,
        chain, end, used, rollers, numbered, hooked, happen, subscribed, notified,
        attempts)}
    for line in sys.stdin:
        word, *rest = json.loads(line)
        sys.stdout.write(json.dumps(words[word](*rest)) + "\n")
        sys.stdout.flush()
        # Nobody is kept from ending the database.
        connection.close()
