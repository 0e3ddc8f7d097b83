"""Whole games of two at a party's table by presses that come by chance: no card lost, no dead end, one end for both."""

import uuid
from collections import Counter

import pytest
from django.db import transaction
from django.utils import timezone

from rulesets import systems
from rulesets.battle_dice.play.state import LIFE, MANA, shuffled
from rulesets.kit import Refused
from sheets.models import Landing, Party, Sheet
from sheets.play.landings import pass_on
from sheets.play.services import press
from sheets.rolls.widgets import Widget, key_of
from tests.rulesets.contract import answers, report, seeded
from tests.sheets.parties.duel import Duel

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.prove]
DECKS = systems()["battle-dice"].examples
STANDING = {("chaos", "wait"), ("focus", "wait"), ("summon", "wait"), ("battle", "wait"), ("aim", "aimed"),
            ("wait", "enemy"), ("wait", "block"), ("wait", "heal"), ("wait", "end")}
"""Where a game stands, for whoever has the turn and the other one, in either order."""
SELDOM = 0.003
APART = dict.fromkeys(("change-mana", "damage", "cure", "strike", "draw-by-card"), SELDOM) | {
    "lose": 0.0002, "skip-battle": 0.1}
"""What no phase leads to, and what leads to no end: how often it is thought of where it could be pressed."""
MOST = 400
"""Presses after which a game that goes on has shown enough."""
MOST_IDLE = 300
"""Tries in a row after which nothing leads on any more."""


class Chance(Duel):
    """Both press whatever is offered, by chance; what a press may not do is no press."""

    def __init__(self, users, rng, decks):
        super().__init__(users)
        self.rng, self.presses, self.idle, self.refused, self.seen, self.sides = rng, 0, 0, Counter(), Counter(), {}
        for who, deck in zip(("anna", "ben"), decks, strict=True):
            Sheet.objects.filter(pk=self.sheets[who].pk).update(data=DECKS[deck]["data"])

    def widget(self, who) -> Widget | None:
        """One of the buttons that somebody has, filled in by chance."""
        offers = [one for one in self.sides[who].acts()
                  if self.rng.random() < (APART.get(one.cls.slug, 1) if not one.rare else SELDOM)]
        if not offers:
            return None
        offer = self.rng.choice(offers)
        given = {key: self.rng.choice(answers(slot, (0, 0, 1, 1, 2))) for key, slot in offer.asks.items()}
        return Widget(offer, {key: [str(value)] for key, value in given.items()})

    def step(self, who):
        """A press of somebody's, in a transaction as one by a browser is."""
        widget = self.widget(who)
        if widget is None or widget.made is None:
            return
        self.idle += 1
        try:
            with transaction.atomic():
                Party.objects.select_for_update().get(pk=self.party.pk)
                character = self.sides[who]
                character.sheet.played = timezone.now()
                character.sheet.save(update_fields=["played"])
                event = press(character, widget, uuid.uuid4(), who=self.users[who])
                pass_on(character, event, widget, self.users[who])
        except Refused:
            self.refused[key_of(widget.offer)] += 1
        else:
            self.presses += 1
            self.seen[widget.offer.cls.slug] += 1
            self.idle *= widget.offer.cls.slug in APART or widget.offer.rare

    def check(self):
        """All cards are there, and both stand where a game of two can stand."""
        self.sides = {who: self.character(who) for who in ("anna", "ben")}
        for one in self.sides.values():
            play, tokens = one.play, [avatar.card for avatar in one.play.avatars if
                                      one.written.card(avatar.card).has("tokenavatar")]
            there = Counter([*play.hand, *play.deck, *play.discard, *(avatar.card for avatar in play.avatars)])
            assert there - Counter(tokens) == Counter(shuffled(one.written))
            assert 0 <= play.mana <= MANA
            assert 0 <= play.life <= LIFE
        phases = tuple(one.play.phase for one in self.sides.values())
        assert phases in STANDING or phases[::-1] in STANDING or sorted(phases) == ["lost", "won"], phases
        assert not Landing.objects.filter(state="open").exists()
        if "won" in phases:
            return False
        assert self.idle < MOST_IDLE, phases
        return True


@pytest.mark.rule("BD-10", "BD-11", "BD-13", "BD-16", "BD-26")
def test_games_of_two_by_chance_lose_no_card_reach_no_dead_end_and_end_for_both(django_user_model, full):
    ends, presses, refused, seen = Counter(), 0, Counter(), Counter()
    for seed in range(200 if full else 8):
        rng = seeded(f"duel {seed}")
        with transaction.atomic():
            game = Chance(django_user_model.objects, rng, rng.choices(list(DECKS), k=2))
            game.begin(rng.choice(("first", "second")))
            for who, life in zip(("anna", "ben"), rng.choices((3, 5), k=2), strict=True):
                game.put(who, life=life)
            goes_on = game.check()
            while goes_on and game.presses < MOST:
                game.step(rng.choice(("anna", "ben")))
                goes_on = game.check()
            ends[goes_on or next(one for one in ("anna", "ben") if game.state(one).phase == "won")] += 1
            presses, refused, seen = presses + game.presses, refused + game.refused, seen + game.seen
            transaction.set_rollback(True)
    assert ends["anna"]
    assert ends["ben"]
    assert ends[True] < sum(ends.values()) / 2, "most of them end"
    report(f"{sum(ends.values())} games of two, {presses} presses, {dict(ends)}; refused {dict(refused)}")
    report(f"    {dict(seen.most_common())}")
