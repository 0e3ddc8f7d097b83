"""Somebody of every kind, with sheets and a party full of secrets, to be asked for anything."""

from copy import copy, deepcopy
from datetime import timedelta
from uuid import uuid4

from django.core.signals import request_finished
from django.db import close_old_connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rulesets.kit import patched
from sheets.audit_log.chain import append
from sheets.history.revisions import save_revision
from sheets.models import (
    Answer,
    AskedRoll,
    Evening,
    Event,
    Handout,
    HandoutReader,
    Member,
    Message,
    Notification,
    Party,
    PartyEntry,
    PendingEffect,
    Portrait,
    Remark,
    Reply,
    Report,
    Review,
    Revision,
    Scene,
    Sheet,
)
from sheets.parties import webhooks
from tests.support.addresses import GMS, MEMBERS, PEOPLE, SHEETS, SIGNED
from tests.support.database import undone, writes
from tests.support.guest import example, guest_of
from tests.support.sheets.files import file_of, thirds

PASSWORD = "goldener-oktober"
PICTURE = file_of(thirds(), "WEBP")


NUMBERED = ("handout", "webhook", "entry")
"""What addresses of a party name by its number."""


class World:
    """Everybody's browser, six sheets, a party; and secrets wherever words are kept, with those who may read each."""

    def __init__(self, users):
        self.browsers, self.users, self.secrets = {}, {}, {}
        for who in PEOPLE:
            self.browsers[who] = browser = Client(raise_request_exception=False)
            if who in SIGNED:
                self.users[who] = users.create_user(who, password=PASSWORD)
                browser.force_login(self.users[who])
        self.browsers["other guest"].post("/build/condice/")
        self.browsers["guest"].post("/build/condice/")
        self.party = Party.objects.create(
            name=self.hidden("name of the party", MEMBERS), ruleset="condice",
            invitation=self.hidden("invitation", GMS))
        for who, role in MEMBERS.items():
            Member.objects.create(party=self.party, user=self.users[who], role=role,
                                  notes=self.hidden(f"notes of {who}", (who,)))
        self.sheets = {which: self.sheet(which, kept) for which, kept in SHEETS.items()}
        Event.objects.create(party=self.party, who=self.users["gm"], key=uuid4(), widget="x", hidden=True,
                             title=self.hidden("roll of a gm", GMS))
        self.scene = Scene.objects.create(party=self.party, name=self.hidden("name of the scene", MEMBERS),
                                              begun=self.party.created)
        self.asked = AskedRoll.objects.create(
            party=self.party, sheet=self.sheets["private"], key=uuid4(), widget="roll-loss-points",
            note=self.hidden("what is asked", ("owner", *GMS)))
        for to, readers in ((None, MEMBERS), ("player", ("owner", "player"))):
            Message.objects.create(party=self.party, who=self.users["owner"], to=to and self.users[to], key=uuid4(),
                                   text=self.hidden(f"line for {to or 'all'}", readers))
        for who in GMS:
            for which, kept in SHEETS.items():
                if kept.party:
                    Remark.objects.create(sheet=self.sheets[which], author=self.users[who],
                                          text=self.hidden(f"remark of {who} on {which}", (who,)))
        Notification.objects.create(user=self.users["owner"], kind="joined",
                                    data={"party": self.hidden("notification", ("owner",))})
        done = {which: Event.objects.get(sheet=self.sheets[which]) for which in ("private", "shown")}
        self.rows = {"done": done["shown"].pk, "effect": PendingEffect.objects.create(
            event=done["private"], sheet=self.sheets["shown"], act="damage",
            filled={"points": 2, "against": "nothing"}).pk}
        had = ("owner", *GMS)
        self.handout = Handout.objects.create(
            party=self.party, key=uuid4(), by=self.users["gm"], title=self.hidden("title of a handout", had),
            text=self.hidden("text of a handout", had), small=PICTURE,
            large=PICTURE + self.hidden("picture of a handout", had).encode())
        HandoutReader.objects.create(handout=self.handout, member=self.party.members.get(user=self.users["owner"]))
        self.webhook, _secret = webhooks.make(
            self.party, self.users["gm"], f"https://discord.com/api/webhooks/{self.hidden('webhook', ())}", "discord",
            ["roll.made"], "de")
        self.entry = PartyEntry.objects.create(party=self.party, place="abilities", tag="custom", row={
            "name": self.hidden("entry of the catalogue", MEMBERS), "cost": 3, "description": ""})
        self.rows["evening"] = int(self.evening().timestamp())
        entry = append("returned", self.users["gm"], sheet=self.sheets["private"],
                       revision=self.sheets["private"].revisions.get(),
                       said={"at": {"life": self.hidden("comment at a field", ("owner", *GMS))}})
        Reply.objects.create(entry=entry, path="life", author=self.users["owner"],
                             text=self.hidden("reply to a comment", ("owner", *GMS)))
        for token in ("shared", self.sheets["private"].share), ("join", self.party.invitation):
            self.browsers["link holder"].get(reverse(token[0], args=[token[1]]))

    def evening(self):
        """The date of a fixed evening."""
        start = timezone.now().replace(microsecond=0) + timedelta(days=7)
        Evening.objects.create(party=self.party, state="fixed", starts=start, zone="Europe/Berlin",
                               note=self.hidden("note on the evening", MEMBERS))
        return start

    def hidden(self, what, readers):
        """A text that only these may ever be shown."""
        text = f"Geheimnis-{len(self.secrets)}-{what.replace(' ', '-')}"
        self.secrets[text] = tuple(readers)
        return text

    def sheet(self, which, kept):
        """A sheet with a secret on every field that takes words."""
        readers = (kept.owner, *kept.readers)
        content = self.hidden(f"content of {which}", readers)
        own = self.hidden(f"notes on {which}", (kept.owner,))
        data = patched(example()["data"], {"attacks.0.name": content, "attacks.1.description": content})
        guest = {"guest": guest_of(self.browsers["guest"])} if kept.owner == "guest" else \
            {"owner": self.users[kept.owner]}
        gms = GMS if kept.party and "offered" not in kept.more else ()
        past = self.hidden(f"revision of {which}", (kept.owner, *gms))
        made = Sheet.objects.create(
            ruleset="condice", name=content, data=data, typed={"attacks.0.dice": own}, notes=own,
            share=self.hidden(f"link of {which}", (kept.owner,)), party=self.party if kept.party else None,
            **guest, **kept.more)
        # What stands behind a picture does not keep it from being shown.
        seen = PICTURE + self.hidden(f"picture of {which}", readers).encode()
        whole = PICTURE + self.hidden(f"whole picture of {which}", (kept.owner,)).encode()
        made.portrait = Portrait.objects.create(whole=whole, large=seen, small=seen)
        made.save()
        content = {"name": past, "house": {}, "data": patched(data, {"attacks.0.name": past})}
        save_revision(made, "finished", None, content)
        players = set(readers) & set(MEMBERS) if kept.party else ()
        text = self.hidden(f"log of {which}", {kept.owner, *players})
        Event.objects.create(sheet=made, party=made.party, key=uuid4(), widget="x", title=text, act="x", text=text,
                             before={})
        return made

    def again(self):
        """Itself as it was made, for another test."""
        found = copy(self)
        found.browsers = {who: same(browser) for who, browser in self.browsers.items()}
        found.users, found.secrets, found.party, found.sheets = deepcopy(
            (self.users, self.secrets, self.party, self.sheets))
        return found

    def ask(self, who, name, row, method, htmx, pk=None):
        """The answer to one request, which changes nothing in the end; what it says is seen to be for these eyes."""
        browser = same(self.browsers[who])
        keys = {**self.rows, **{which: str(sheet.pk) for which, sheet in self.sheets.items()}}
        keys |= {"scene": str(self.scene.uuid), "asked": str(self.asked.key), "handout": str(self.handout.pk)}
        form = {key: value.format(**keys) if isinstance(value, str) else value for key, value in row.form.items()}
        given = dict(row.given)
        if given.get("number") in NUMBERED:
            given["number"] = getattr(self, given["number"]).pk
        if "uuid" in given:
            given["uuid"] = self.scene.uuid
        if given.get("number") in self.users:
            given["number"] = self.party.members.get(user=self.users[given["number"]]).pk
        call = browser.get if method == "GET" else browser.post
        with undone(), writes() as written:
            answer = call(address(name, row, pk, given), form if method == "POST" else {},
                          headers={"HX-Request": "true"} if htmx else {})
            after = snapshot() if written else None
        answer.changed = bool(written) and snapshot() != after
        body = answer.getvalue().decode(errors="replace") + str(answer.headers)
        # As the test client does it: closing an answer would close the connection, and the test's transaction with it.
        request_finished.disconnect(close_old_connections)
        answer.close()
        request_finished.connect(close_old_connections)
        leaked = [text for text, readers in self.secrets.items() if text in body and who not in readers]
        assert leaked == [], (who, name)
        return answer


def same(browser):
    """Another browser of the same person."""
    found = Client(raise_request_exception=False)
    found.defaults = dict(browser.defaults)
    found.handler = browser.handler  # with all its middleware
    found.cookies = deepcopy(browser.cookies)
    return found


def snapshot():
    """All that is kept of sheets and parties."""
    kept = (Sheet, Party, Member, Remark, Scene, AskedRoll, Handout, HandoutReader, Event, PendingEffect,
            Notification, Portrait, Report, Reply, Review, Revision, Evening, Answer)
    return [list(model.objects.order_by("pk").values_list()) for model in kept]


def address(name, row, pk=None, given=None):
    return reverse(name.partition(":")[0], kwargs={**({"pk": pk} if pk else {}), **(given or row.given)})
