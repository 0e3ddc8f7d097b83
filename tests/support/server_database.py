"""What a test of a real server asks of that server's own database; run as a module, it answers in JSON.

`fill` makes a guest's sheet, `more N` makes others of theirs, `count` says what became of the first, `kept` of all,
`party N` makes a party's table with so many who watch it, `readers N` people who are due a mail each, and `mailed` says
what came of those. `tables N M` makes N parties' tables with M members each, one of whom may `leave PARTY`. `fight N`
makes a party's table with so many characters, and `fought` says what became of them. `reviewed` makes a party with a
sheet that is to be approved, `link SHEET` one to a sheet, `chain` says what became of it, `end NAME` ends an account.
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
from django.db import transaction  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.test import Client  # noqa: E402

from rulesets import systems  # noqa: E402
from sheets.access import SESSION_KEY  # noqa: E402
from sheets.audit_log.chain import begin, chain_faults  # noqa: E402
from sheets.models import Event, Head, Landing, Member, Notification, Review, Sheet  # noqa: E402
from sheets.parties import services as parties  # noqa: E402
from tests.support import mail_readers  # noqa: E402

LIFE = 1_998
"""The life points of each who fights: nobody falls."""


def fill() -> dict:
    """Juan, and the session that owns him."""
    call_command("migrate", verbosity=0)
    # Where this is the suite's database, its head is signed with another key.
    Head.objects.all().delete()
    begin()
    session = SessionStore()
    session[SESSION_KEY] = "g" * 32
    session.save()
    document = systems()["condice"].examples["juan"]
    sheet = Sheet.objects.create(ruleset="condice", name="Juan", data=document["data"], guest="g" * 32)
    return {"sheet": str(sheet.pk), "session": session.session_key}


def count() -> dict:
    """{widget: events}, and the state of play."""
    widgets = list(Event.objects.values_list("widget", flat=True))
    return {"events": {one: widgets.count(one) for one in widgets}, "play": Sheet.objects.get().play}


def more(number: str) -> list[str]:
    """The keys of so many more sheets, each a Juan."""
    document = systems()["condice"].examples["juan"]
    made = [Sheet(ruleset="condice", name="Juan", data=document["data"], guest="g" * 32) for _ in range(int(number))]
    return [str(sheet.pk) for sheet in Sheet.objects.bulk_create(made)]


def party(number: str) -> dict:
    """The table of a party with Juan in it, the word that says what was seen there, and so many who are signed in."""
    user = User.objects.create_user("spielleitung")
    made = parties.found_party(user, "Runde", systems()["condice"])
    data = systems()["condice"].examples["juan"]["data"]
    Sheet.objects.create(ruleset="condice", name="Juan", data=data, owner=user, party=made)
    browsers = [Client() for _browser in range(int(number))]
    for browser in browsers:
        browser.force_login(user)
    address = f"/parties/{made.pk}/table/"
    page = browsers[0].get(address, secure=True, headers={"Host": "127.0.0.1"}).content.decode()
    return {"address": address, "since": re.search(r"since=([^\"]+)\"", page)[1],
            "sessions": [browser.cookies["sessionid"].value for browser in browsers]}


def tables(number: str, members: str) -> list[dict]:
    """So many parties, each with its address, a sheet with its player's session, and the sessions of all members."""
    data = systems()["condice"].examples["juan"]["data"]
    found = []
    for one in range(int(number)):
        people = User.objects.bulk_create([User(username=f"watcher{one}-{other}") for other in range(int(members))])
        made = parties.found_party(people[0], f"Runde {one}", systems()["condice"])
        made.approval = False
        made.save()
        Member.objects.bulk_create([Member(party=made, user=user) for user in people[1:]])
        sheet = Sheet.objects.create(ruleset="condice", name="Juan", data=data, owner=people[0], party=made)
        sessions = []
        for user in people:
            session = SessionStore()
            session.update({SESSION_KEY_OF_AUTH: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash(),
                            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0]})
            session.save()
            sessions.append(session.session_key)
        found.append({"party": str(made.pk), "sheet": str(sheet.pk), "sessions": sessions})
    return found


def leave(number: str, name: str = "") -> None:
    """A member of a party leaves it, of a name if one is stated."""
    members = Member.objects.select_related("party").exclude(role="gm").filter(party=number)
    member = members.filter(user__username__contains=name).latest("pk")
    with transaction.atomic():
        parties.leave_party(member)


def fight(number: str) -> dict:
    """The address of a party's table, and {key of a sheet: session of its player} of so many who have much life."""
    gm = User.objects.create_user("gm")
    made = parties.found_party(gm, "Runde", systems()["condice"])
    made.approval = False
    made.save()
    data = systems()["condice"].examples["juan"]["data"] | {"life": LIFE // 2, "defence": 0}
    sessions = {}
    for one in range(int(number)):
        user = User.objects.create_user(f"player{one}")
        parties.join_party(made, user)
        sheet = Sheet.objects.create(ruleset="condice", name=user.username, data=data, owner=user, party=made,
                                     seen_by="party")
        browser = Client()
        browser.force_login(user)
        sessions[str(sheet.pk)] = browser.cookies["sessionid"].value
    return {"address": f"/parties/{made.pk}/table/play/", "players": sessions}


def fought() -> dict:
    """What has landed, [number, sheet, state, points], what life each sheet lost, and how often there was what."""
    return {"landed": [[one.pk, str(one.sheet_id), one.state, one.filled["points"]]
                       for one in Landing.objects.order_by("pk")],
            "lost": {str(one.pk): LIFE - one.play.get("life", LIFE)
                     for one in Sheet.objects.filter(party__isnull=False)},
            "rolls": Event.objects.filter(act="").count(), "acts": Event.objects.exclude(act="").count()}


def readers(number: str) -> list:
    """The names of so many people who are sent a mail about two things each."""
    people = [mail_readers.reader(f"reader{one}") for one in range(int(number))]
    mail_readers.happens(*people, times=2)
    return [user.username for user in people]


def mailed(word: str = "") -> dict:
    """{what came of it: notifications}; with a word of any kind all claims run out first."""
    if word:
        mail_readers.later()
    return dict(Notification.objects.values_list("mail").annotate(n=Count("pk")).order_by())


def reviewed() -> dict:
    """{sheet: its key, party: that of the party, name of a member: their session}, with two GMs and a player."""
    users = {name: User.objects.create_user(name) for name in ("gm", "helper", "player")}
    made = parties.found_party(users["gm"], "Runde", systems()["condice"])
    for name, role in (("helper", "co-gm"), ("player", "player")):
        Member.objects.create(party=made, user=users[name], role=role)
    data = systems()["condice"].examples["juan"]["data"]
    sheet = Sheet.objects.create(ruleset="condice", name="Juan", data=data, owner=users["player"], party=made)
    sessions = {}
    for name, user in users.items():
        browser = Client()
        browser.force_login(user)
        sessions[name] = browser.cookies["sessionid"].value
    return {"sheet": str(sheet.pk), "party": str(made.pk), **sessions}


def link(pk: str) -> str:
    """A link to a sheet, by which one sees what is played, too."""
    Sheet.objects.filter(pk=pk).update(share="link-to-it", share_play=True)
    return "link-to-it"


def chain() -> dict:
    """Every entry with the seal and the name of what it is about; and what is wrong with the chain."""
    entries = Review.objects.select_related("revision", "by").order_by("number")
    return {"entries": [[one.number, one.kind, one.by and one.by.username, one.seal,
                         one.revision and one.revision.name] for one in entries],
            "faults": [f"{one.number} {one.what}" for one in chain_faults()]}


def end(name: str) -> None:
    """An account with all that belongs to it."""
    User.objects.get(username=name).delete()


def kept() -> dict:
    """{sheet: version, name, keys of its presses}."""
    return {str(sheet.pk): [sheet.version, sheet.name, [str(event.key) for event in sheet.events.all()]]
            for sheet in Sheet.objects.prefetch_related("events")}


if __name__ == "__main__":
    word, *rest = sys.argv[1:]
    words = {one.__name__: one for one in (
        fill, more, count, kept, readers, mailed, party, tables, leave, fight, fought, reviewed, link, chain, end)}
    sys.stdout.write(json.dumps(words[word](*rest)))
