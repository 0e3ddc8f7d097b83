"""Whoever is curious walks all addresses: nothing that hangs on a secret roll differs, in any system.

Raw answers are compared with those of the same scene in which all that is secret to the reader is otherwise. In
`.ci/run` each page is read in one way or the other, and one or two of a roll's buttons are pressed; in `make prove`
all of them.
"""

import re
import uuid
from difflib import unified_diff
from itertools import product
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from rulesets.kit import Offer, Refused
from sheets.character import Character
from sheets.models import Event, Member, Party, Receipt, Sheet, TurnReceipt
from sheets.parties import services as parties
from sheets.receipts.chain import CheckedLog
from sheets.receipts.messages import encode
from sheets.rolls.widgets import key_of
from sheets.stage.broadcast import Step
from sheets.stage.moment import Moment, counts_of
from tests.support.everyday import everyday, slow
from tests.support.rulesets.contract import SYSTEMS, taken
from tests.support.sheets.fight import Fight
from tests.support.sheets.secret_game import Game
from tests.support.sheets.table_people import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite", mostly=True),
              pytest.mark.slow, pytest.mark.prove]
READERS = ("anna", "ben", "former", "stranger", "guest")
LINK = "s" * 24


class Evening(Fight):
    """A table at which a GM rolls for all, hidden and for a hidden opponent, and players roll at that opponent."""

    def __init__(self, slug):
        super().__init__(get_user_model().objects, slug)
        for who in ("former", "stranger"):
            self.users[who], self.browsers[who] = browser_of(get_user_model().objects, who)
        self.browsers["guest"] = Client(headers={"Accept-Language": "en"})
        parties.join_party(self.party, self.users["former"])
        self.bring("Troll", seen_by="private")
        self.bring("Dora", owner=self.users["helper"], opponent=False, seen_by="private")
        Sheet.objects.filter(name="Anna").update(seen_by="public", share=LINK, share_play=True)
        self.roll("anna", "anna")
        self.begin_turn("anna")
        self.hidden(2)
        self.do("throw:open", w=self.simple[0], **self.simple[1])
        self.roll("gm", "troll")
        self.roll("gm", "troll", at="anna")
        self.roll("anna", "anna", at="troll")
        self.roll("helper", "dora")
        self.hidden(1)
        self.do(f"reveal:{Event.objects.filter(hidden=True).first().pk}")
        self.before = self.moment()
        self.roll("anna", "anna", at="troll")
        self.turns = [*self.turns_of("anna", "troll")]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sheets.press.perform.announce", self.refuse)
            for who, name in (("ben", "ben"), ("gm", "troll"), ("helper", "dora")):
                self.roll(who, name, most=1)
        self.roll("ben", "ben")
        Receipt.objects.filter(event__sheet=self.sheets["anna"]).update(shared=True)
        member = self.party.members.get(user=self.users["former"])
        parties.leave_party(member)
        Event.objects.update(made=timezone.now() - timezone.timedelta(minutes=5))
        # The message of a refusal is shown once; show it now.
        for browser in self.browsers.values():
            browser.get("/")

    def begin_turn(self, name):
        """Have somebody's turn begin, and that of a hidden opponent with it."""
        before, after = ({"round": number, "on": on, "done": [], "held": []} for number, on in (
            (1, []), (2, [str(self.sheets[one].pk) for one in (name, "troll")])))
        Event.objects.create(party=self.party, scene=self.scene, key=uuid.uuid4(), widget="turn", title="Turn",
                             turn={"before": before, "after": after, "of": []})

    def turns_of(self, *names):
        """Yield the token of the address of the rolls of each one's turn; whose rolls they are makes it."""
        for name in names:
            token = Receipt.objects.filter(event__sheet=self.sheets[name], event__scene=self.scene).last().token
            answer = self.browsers["anna" if name == "anna" else "gm"].post(f"/rolls/{token}/", {"do": "turn"})
            assert answer.status_code == 302, answer.text
            yield TurnReceipt.objects.latest("pk").token

    def moment(self):
        """Return the table at this moment, as the streams compare it."""
        (_role, counts), = counts_of(self.party.pk, {self.users["gm"].pk}).values()
        return Moment(Party.objects.get(pk=self.party.pk), counts)

    def pieces(self, who):
        """Return the pieces that a member's stream carries of what happened since `before`."""
        step = Step(self.before, self.moment())
        step.fits = True
        me = Member.objects.get(party=self.party, user=self.users[who])
        return re.sub(r'(name=._press. value=.)[^"]*"', r"\1", step.pieces(me, "en"))

    @staticmethod
    def refuse(*_arguments, **_options):
        raise Refused("no")

    @property
    def simple(self):
        """A roll of the system that a GM throws, with what it asks for."""
        slug, roll = next(iter(self.ruleset.rolls.items()))
        made = next(taken(Offer(roll, ""), 1))
        return f"roll-{slug}", {key: value for key, value in made.model_dump(mode="json").items() if value is not None}

    def hidden(self, times):
        """The GM rolls hidden so many times."""
        before = Event.objects.filter(hidden=True).count()
        for _time in range(times):
            self.do("throw:hidden", w=self.simple[0], **self.simple[1])
        assert Event.objects.filter(hidden=True).count() == before + times

    def roll(self, who, name, at=None, most=2):
        """Have somebody make the first rolls that a sheet is offered, and its first act that throws."""
        before = Receipt.objects.count()
        for offer in [*Character(self.sheet(name)).rolls()][:most]:
            if made := next(taken(offer, 1), None):
                self.press(key_of(offer), who, name, at, **{key: getattr(made, key) for key in offer.asks})
        # A press may be refused before any die falls.
        assert Receipt.objects.count() > before or most == 1, (who, name, at)

    def unread(self, who):
        """Return the events of which somebody reads nothing."""
        found = Event.objects.filter(hidden=True) | Event.objects.filter(sheet=self.sheets["dora"])
        if who not in self.party.members.values_list("user__username", flat=True):
            found = Event.objects.exclude(sheet=self.sheets["anna"])
        return [*found.exclude(sheet=self.sheets.get(who)).values_list("pk", flat=True)]

    def otherwise(self, who):
        """The same evening to that reader: all dice, figures, outcomes and words that are secret to them are others."""
        unread = self.unread(who)
        for event in Event.objects.filter(pk__in=unread):
            event.given, event.veiled, event.done = changed(event.given), changed(event.veiled), changed(event.done)
            event.faces, event.outcome, event.figures = changed(event.faces), "Geheimnis-outcome", {}
            event.title, event.titles, event.widget = "Geheimnis", {}, "roll-geheim"
            event.save()
        mine = Receipt.objects.filter(made_by=self.users.get(who), event=None) if who in self.users else ()
        refused = Receipt.objects.filter(event=None).exclude(pk__in=[one.pk for one in mine])
        for one in (Receipt.objects.filter(event__in=unread) | refused).distinct():
            one.dice = [[die[0], die[1], die[0] + die[1] - die[2], *die[3:]] for die in one.dice]
            one.signature, one.nonce = bytes(256), "B" * 21 + "A"
            one.rolled = {**one.rolled, "parameters": {"secret": "Geheimnis-rolled"}, "at": []}
            one.token = encode(uuid.uuid4().bytes)
            one.save()

    def addresses(self):
        """Return the addresses of all rolls, and those at which something of them may be told."""
        yield from ("/", "/parties/", "/notifications/", "/account/download/", "/reviews/", "/rolls/keys.json",
                    "/sheets/")
        table, scene = self.address, f"/parties/{self.party.pk}/scenes/{self.scene.uuid}/"
        seats = [{"_by": self.sheets[by].pk, "_at": self.sheets[at].pk}
                 for by, at in (("anna", "troll"), ("troll", "anna"), ("ben", "dora"))]
        yield from (table, f"{table}?tools=dice", f"{table}waiting/", f"{table}asked/", f"{table}messages/",
                    f"/parties/{self.party.pk}/", f"/parties/{self.party.pk}/scenes/", scene, f"{scene}luck/",
                    f"/parties/{self.party.pk}/scenes/now/", f"/parties/{self.party.pk}/handouts/",
                    *(f"{scene}log.{form}" for form in ("md", "bbcode", "txt", "json")),
                    *(f"{table}?{urlencode(one)}" for one in seats))
        for sheet in self.sheets.values():
            yield from (f"/sheets/{sheet.pk}/{rest}" for rest in (
                "", "luck/", "landed/", "history/", "review/", "export/", "export.json", "export.md", "export.bbcode",
                "print/"))
        yield from (f"/shared/{LINK}/{rest}" for rest in ("", "export.json", "export.md", "export.bbcode"))
        yield from (f"/parties/{self.party.pk}/print/", f"{scene}post/")
        yield from (f"/rolls/{token}{end}" for token in self.turns for end in ("/", ".json"))
        yield from (f"/compare/{self.ruleset.slug}/?a={sheet.pk}&b={LINK}" for sheet in self.sheets.values())
        for token, event in self.rolls:
            yield from (f"/rolls/{token}/", f"/rolls/{token}.json")
            if event:
                yield from (f"/rolls/of/{event}/", f"/rolls/of/{event}/copy/")

    def papers(self, who):
        """Return the raw answers at the addresses of all PDFs of the party and its sheets."""
        party = f"/parties/{self.party.pk}/print"
        urls = [f"{party}/evening.pdf", f"{party}/cards-0.pdf", f"/shared/{LINK}/sheet.pdf", *(
            f"/sheets/{sheet.pk}/sheet.pdf{layout}" for sheet in self.sheets.values()
            for layout in ("", "?layout=pencil", "?layout=cards"))]
        return {url: Game.ask(self, who, url) for url in urls}

    def answers(self, who, full):
        """Return raw answers at these addresses, and what is posted there, with and without htmx; at full counts all.

        Else a page that is read by htmx too is so each other time, and each fourth button is pressed.
        """
        found = {}
        # Files and lists of rolls read no htmx.
        asked = [(url, htmx) for url in self.addresses() for htmx in (False, True)
                 if not htmx or url.startswith((self.address, "/shared/")) or url.endswith(("/copy/", "/luck/"))]
        with_htmx = [url for url, htmx in asked if htmx]
        if not full:
            but = {(url, bool(place % 2)) for place, url in enumerate(with_htmx)}
            asked = [one for one in asked if one not in but]
        for url, htmx in asked:
            text = Game.ask(self, who, url, htmx=htmx)
            # A download contains its own time.
            found[url, htmx] = text if "download" not in url else re.sub(r'(?m)^"made": .*$', "", text, count=1)
        for (token, event), do in [*product(self.rolls, ("share", "stop", "turn"))][::1 if full else 4]:
            found[f"{token} {do}", False] = Game.ask(self, who, f"/rolls/{token}/", {"do": do})
            if event:
                found[f"{event} {do}", True] = Game.ask(self, who, self.address, {"do": f"reveal:{event}"}, htmx=True)
        if who in READERS[:2]:
            found["stream", False] = self.pieces(who)
        return found


def changed(tree):
    """Return the same with other values."""
    if isinstance(tree, dict):
        return {key: changed(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [changed(one) for one in tree]
    return tree + 1 if isinstance(tree, int) and not isinstance(tree, bool) else tree


def differing(one, other):
    """Return the lines in which two answers differ."""
    if one == other:
        return []
    return [line for line in unified_diff(one.splitlines(), other.splitlines(), n=0, lineterm="")
            if line[0] in "+-" and not line.startswith(("+++", "---"))] or ["ends of lines"]


@pytest.fixture
def evening(request, monkeypatch):
    # Links of rolls that are changed behind their back do not fit.
    monkeypatch.setattr("sheets.pages.receipts.check_log", lambda _log: CheckedLog(1, 9))
    made = Evening(request.param)
    made.rolls = [*Receipt.objects.order_by("pk").values_list("token", "event")]
    return made


def in_systems(first):
    """Play the evening in one of the systems, and in the others in `make prove`."""
    slugs = [one.slug for one in SYSTEMS]
    return pytest.mark.parametrize("evening", everyday(slugs[first:] + slugs[:first]), indirect=True)


@in_systems(0)
@pytest.mark.parametrize("who", everyday(READERS))
def test_no_answer_hangs_on_what_is_secret_of_rolls(evening, who, full):
    first = evening.answers(who, full)
    evening.otherwise(who)
    for key, text in evening.answers(who, full).items():
        assert "Geheimnis" not in text, key
        assert differing(first[key], text) == [], key
    assert len({text[:3] for text in first.values()}) > 1


@in_systems(0)
@pytest.mark.parametrize("who", [slow(one) for one in READERS])
def test_no_paper_hangs_on_what_is_secret_of_rolls_or_tells_that_one_was_made_hidden(evening, who):
    first = evening.papers(who)
    evening.hidden(1)
    evening.otherwise(who)
    for url, text in evening.papers(who).items():
        assert differing(first[url], text) == [], url
    assert len({text[:3] for text in first.values()}) > 1


@in_systems(3)
@pytest.mark.parametrize("who", everyday(READERS))
def test_no_answer_tells_that_a_roll_was_made_hidden(evening, who, full):
    first = evening.answers(who, full)
    evening.hidden(2)
    for key, text in evening.answers(who, full).items():
        assert differing(first[key], text) == [], key
