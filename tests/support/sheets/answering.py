"""Whole scenes with attacks whose targets may be asked before the roll falls, beside a referee who says what they may.

What is asked is read from the page of whoever answers, and answered by what stands there.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass

from sheets.models import Event, PendingEffect, Question, Sheet
from tests.support.sheets.whole_scene import WholeScene

SELDOM = .2
"""How often the GM answers for a player."""
CARD = re.compile(r'<li class="card" id="question-(\d+)">(.*?)</li>', re.DOTALL)
BUTTON = re.compile(r'name="do" value="([^"]+)"[^>]*>(.*?)</button>', re.DOTALL)


@dataclass(frozen=True)
class Card:
    """A question as a page shows it: where it is sent, by which key, and {word: text} of its buttons."""

    address: str
    press: str
    buttons: dict[str, str]


class Answering(WholeScene):
    """A scene in which people attack each other; with `waits` the party asks their targets first."""

    waits = False

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.seen = Counter()

    def begins(self):
        """The GM says first whether rolls wait."""
        if self.waits:
            assert self.settle("waits", "gm", "on").status_code == 302
        super().begins()

    def ends(self):
        """End the fight, of which nobody is asked any more."""
        super().ends()
        assert not Question.objects.filter(response__isnull=True).exists()

    def fight_out(self):
        """Have both sides attack each other in turn until nobody of one is left."""
        self.begins()
        while foes := self.foes(name := min(self.referee.on)):
            if not self.referee.fallen(name):
                self.attacks_in_turn(name, foes)
                self.check()
                self.put_out()
            if name in self.referee.on:
                self.ends_turn(name)
                self.check()
        self.ends()

    def foes(self, name):
        """The names of the other side of whom the referee says that they still stand."""
        opponents = self.referee.opponents
        return sorted(one for one in self.referee.there
                      if (one in opponents) != (name in opponents) and not self.referee.fallen(one))

    def attacks_in_turn(self, name, foes):
        """Somebody attacks one of the other side."""
        self.attacks(name, foes[0])

    def attacks(self, name, at):
        """Somebody attacks somebody in one of the ways of a sheet, and what lands there is taken."""
        raise NotImplementedError

    def put_out(self):
        """Have those who have fallen do nothing more, where it is the GM who says so."""

    def untouched(self):
        """All that must not change while somebody is asked."""
        return (self.stored(), dict(Sheet.objects.filter(party=self.party).values_list("pk", "played")),
                Event.objects.count(), PendingEffect.objects.count())

    def offered(self, name, at, wanted, place="press-button"):
        """The buttons of a page that aims at somebody, as far as they are wanted, or those of the tray."""
        page = self.look(self.player(name), name, at).text
        return {one for one in re.findall(rf'id="{place}-([^"]+)"', page) if re.fullmatch(wanted, one)}

    def cards(self, who):
        """{number: question} on the page of somebody."""
        page = self.read(who).text
        return {int(number): Card(html.unescape(re.search(r'action="([^"]+)"', card)[1]),
                                  re.search(r'name="_press" value="([^"]+)"', card)[1],
                                  {word: html.unescape(text).strip() for word, text in BUTTON.findall(card)})
                for number, card in CARD.findall(page)}

    def strikes(self, name, at, which, may, **fields):
        """Somebody presses a roll; answer the number of what is asked, None where nobody is.

        `may` is {key: title} of what the referee says that the target may do; nothing where it is not asked.
        """
        before, asked, who = self.untouched(), Question.objects.count(), self.player(name)
        assert self.press(which, who, name, at, **fields).status_code == 302
        if not (self.waits and may):
            assert Question.objects.count() == asked, "nobody is asked"
            return None
        number = self.asks_of(name, at, may, before)
        if self.tenth():
            self.sends(who, number, f"call-off:{number}")
            assert not Question.objects.filter(pk=number).exists()
            assert self.untouched() == before
            assert self.press(which, who, name, at, **fields).status_code == 302
            number = self.asks_of(name, at, may, before)
        return number

    def asks_of(self, name, at, may, before):
        """The number of what is asked: its buttons stand where they belong, and nothing has happened yet."""
        number = Question.objects.filter(response__isnull=True).latest("pk").pk
        assert self.untouched() == before, "nothing falls and nothing is spent before the answer"
        responds = {f"respond:{number}:{key}": title for key, title in may.items()}
        off, gms = f"call-off:{number}", {"gm", "helper"}
        for who in self.browsers:
            cards = self.cards(who)
            if who in {self.player(at), *gms}:
                # A GM who plays both sides answers, or calls it off.
                more = {off} if who in gms and name in self.referee.opponents else set()
                buttons = cards[number].buttons
                assert set(buttons) - set(responds) == more, (who, "may call it off")
                assert buttons.items() >= responds.items(), (who, "may answer")
            elif who == self.player(name):
                assert [*cards[number].buttons] == [off], (who, "waits")
            else:
                assert number not in cards, (who, "is not concerned")
        return number

    def answers(self, number, at, may):
        """Whoever plays the target, or the GM, presses one of the responses."""
        choice = self.chance.choice(sorted(may))
        self.responder = "gm" if self.chance.random() < SELDOM else self.player(at)
        self.sends(self.responder, number, f"respond:{number}:{choice}")
        self.seen[choice] += 1
        return choice

    def sends(self, who, number, word):
        """Press a button of a question."""
        card = self.cards(who)[number]
        assert word in card.buttons
        assert self.browsers[who].post(card.address, {"do": word, "_press": card.press}).status_code == 302

    def since(self, count):
        """What has fallen and was done since there were so many events, the oldest first."""
        return list(Event.objects.order_by("pk")[count:])

    def done_again(self, event, name, which):
        """Each so many-th act that an answer has done is taken back, and done once more by its own button."""
        if not self.tenth():
            return
        after, who = self.stored(), self.player(name)
        assert self.settle("back", who, event.pk).status_code == 302
        assert self.stored() != after
        assert self.try_act(name, which, who).status_code == 302
        assert self.stored() == after

    def landed(self, event, expected):
        """What a roll brought is exactly this, [(name, act, figures)]; answer it with its numbers, the oldest first."""
        found = [(self.names[str(one.sheet_id)], one.act, one.filled, one.pk)
                 for one in PendingEffect.objects.filter(event=event).order_by("pk")]
        left = [one[:3] for one in found]
        for one in expected:
            left.remove(one)
        assert left == []
        return found

    def applies(self, name, number):
        """Whoever plays somebody takes what landed there; answer its event."""
        who = self.player(name)
        return self._pressed(lambda: self.settle("apply", who, number),
                             lambda event: self.settle("back", who, event.pk))
