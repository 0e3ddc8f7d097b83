"""A game of Battle Dice with secret cards, read by everybody, and the same game in which they are others."""

import io
import json
import re
import zipfile
from copy import copy, deepcopy
from datetime import timedelta
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from rulesets import systems
from rulesets.battle_dice.examples import WEEB
from rulesets.kit import patched
from sheets.models import CO_GM, GM, PLAYER, Event, Member, Party, Scene, Sheet
from tests.support.database import undone
from tests.support.everybody import same

SYSTEM = systems()["battle-dice"]
NAMES = [f"Verdeckt-{letter * 5}" for letter in "ABCDEFGH"]
"""Eight cards that differ by nothing but their name."""
SUMMONED = NAMES[-1]
"""The one that lies open on the table."""
STARTED = ("act-start-game", {"order": "first"})
ROLES = {"gm": GM, "co-gm": CO_GM, "player": PLAYER, "owner": PLAYER}


def deck():
    """A document of eight different cards that may be summoned for nothing."""
    reaction = {"kind": "reaction", "name": "Konter", "cost": None, "text": "Kontert."}
    cards = [patched({"card": "custom", **WEEB}, {"name": name, "cost": 0, "effects": [reaction]}) for name in NAMES]
    return SYSTEM.document("Stiller Abend", SYSTEM.sheet.model_validate({"cards": cards}).model_dump())


class Game:
    """A party in which somebody has played a few turns; the browsers of all, and of some who are in none."""

    def __init__(self, users):
        self.browsers = {who: Client(raise_request_exception=False, headers={"Accept-Language": "en"})
                         for who in (*ROLES, "stranger", "link holder")}
        self.party = Party.objects.create(name="Runde", ruleset="battle-dice")
        document, people = deck(), {who: users.create_user(who) for who in (*ROLES, "stranger")}
        for who, user in people.items():
            self.browsers[who].force_login(user)
            if who in ROLES:
                Member.objects.create(party=self.party, user=user, role=ROLES[who])
        self.sheet = Sheet.objects.create(
            ruleset="battle-dice", name=document["name"], data=document["data"], owner=people["owner"], share="t" * 20,
            share_play=True, party=self.party, seen_by="public", finished=timezone.now())
        self.scene = Scene.objects.create(party=self.party, begun=timezone.now() - timedelta(hours=1))
        self.play()

    def again(self):
        """Itself as it was made, for another test."""
        found = copy(self)
        found.browsers = {who: same(browser) for who, browser in self.browsers.items()}
        found.party, found.sheet = deepcopy((self.party, self.sheet))
        return found

    def play(self):
        """Begun, two cards put away and others drawn, one summoned, one discarded for a Dice Minion."""
        self.press(*STARTED)
        self.press("act-put-away-hand-0")
        self.press("act-focus", change="0")
        self.sheet.refresh_from_db()
        self.sheet.play["hand"][0] = SUMMONED  # whichever it was: what is summoned is known to all
        self.sheet.play["deck"] = [name for name in NAMES if name not in self.sheet.play["hand"]][:5]
        self.sheet.play["discard"] = [name for name in NAMES
                                      if name not in (*self.sheet.play["hand"], *self.sheet.play["deck"])]
        self.sheet.save()
        self.press("act-summon-hand-0")
        self.press("act-summon-minion", card=self.hand[0])
        self.over()
        self.press("act-put-away-none", card="")
        assert len(self.hand) == 2
        # Nothing has just fallen, however long the tests take.
        Event.objects.update(made=timezone.now() - timedelta(minutes=5))

    def over(self):
        """Go on from one's turn without a battle, past the enemy's, to the next one."""
        for which in ("act-to-battle", "act-skip-battle", "act-no-attack", "act-next-turn"):
            self.press(which)

    @property
    def hand(self):
        """What is held now."""
        return Sheet.objects.get(pk=self.sheet.pk).play["hand"]

    def press(self, which, pressed=None, **answers):
        """One press of the owner's, which was taken."""
        before = self.sheet.events.count()
        given = {"w": which, "_press": str(uuid4()), **(pressed or {}), **answers}
        self.browsers["owner"].post(f"/sheets/{self.sheet.pk}/play/", given)
        assert self.sheet.events.count() == before + 1, which

    def ask(self, who, url, form=None, *, htmx=False, **headers):
        """A raw answer as text, with its head and without what is new in each; what was written is taken back."""
        headers |= {"HX-Request": "true"} if htmx else {}
        with undone():
            browser = self.browsers[who]
            answer = browser.get(url, headers=headers) if form is None else \
                browser.post(url, form, headers=headers, follow=True)
            content = answer.getvalue()
            if answer["Content-Type"] == "application/zip":
                return unzipped(content)
            head = {key: value for key, value in answer.headers.items() if key not in APART}
            text = f"{answer.status_code} {head} {content.decode(errors='replace')}"
        return re.sub(NEW, "*", text)


NEW = re.compile(r'csrfmiddlewaretoken" value="[^"]*"|_(?:press|once)" value="[^"]*"|/(?:join|onlookers)/[\w-]+'
                 r'|_saw" value="[\w-]{32}"|"X-CSRFToken": "[^"]*"|<time [^>]*>[^<]*</time>|/handouts/\d+/')


APART = ("Content-Security-Policy", "Expires")
"""Heads that are another in each answer: words in any order, the time of day."""


def unzipped(content):
    """The files of an archive as one text."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "".join(archive.read(name).decode() for name in sorted(archive.namelist()))


def otherwise(sheet):
    """The same game to all but its owner: each secret card is another, and so is what was thrown to draw it."""
    other = dict(zip(NAMES, [*NAMES[1:-1], NAMES[0], SUMMONED], strict=True))

    def changed(tree):
        return json.loads(re.sub("|".join(NAMES), lambda found: other[found[0]], json.dumps(tree)))

    sheet.refresh_from_db()
    sheet.play |= changed({key: sheet.play[key] for key in ("hand", "deck", "discard") if key in sheet.play})
    sheet.save()
    for event in sheet.events.all():
        event.before, event.title, event.text, event.said = changed(
            [event.before, event.title, event.text, event.said])
        event.widget = event.widget.replace("put-away-0", "put-away-1")
        if event.roll == "draw":
            event.faces, event.outcome = [face % 6 + 1 for face in event.faces], event.outcome % 6 + 1
            event.figures = {"places": [place % 6 + 1 for place in event.figures["places"]]}
        event.save()
