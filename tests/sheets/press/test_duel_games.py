"""Whole games of two at a party's table by presses that come by chance: no card lost, no dead end, one end for both."""

import uuid
from collections import Counter

import pytest
from django.db import transaction
from django.utils import timezone

from rulesets import systems
from rulesets.battle_dice.play.state import MAX_MANA, STARTING_LIFE, card_names
from rulesets.kit import Refused
from sheets.character import Character
from sheets.models import Party, PendingEffect, Sheet
from sheets.press.apply_effects import pass_on
from sheets.press.perform import press
from sheets.rolls.widgets import Widget, key_of
from sheets.status.reviews import review_status
from tests.support.everyday import everyday
from tests.support.rulesets.contract import answers, report, seeded
from tests.support.sheets.duel import Duel

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.prove, pytest.mark.alike]
DECKS = systems()["battle-dice"].examples
STANDING = {("chaos", "wait"), ("focus", "wait"), ("summon", "wait"), ("battle", "wait"), ("aim", "aimed"),
            ("wait", "enemy"), ("wait", "block"), ("wait", "heal"), ("wait", "end")}
"""Where a game stands, for whoever has the turn and the other one, in either order."""
SELDOM = 0.003
APART = dict.fromkeys(("change-mana", "damage", "cure", "strike", "draw-by-card"), SELDOM) | {
    "lose": 0.0002, "skip-battle": 0.1}
"""What no phase leads to, and what leads to no end: how often it is thought of where it could be pressed."""
MOST = 150
"""Presses after which a game that goes on has shown enough."""
MOST_IDLE = 300
"""Tries in a row after which nothing leads on any more."""
PARTS, GAMES = 8, 25
"""Tests, so that several processes share in them, and the games of each at full counts."""
ANEW = 20
"""After so many looks it is asked whom somebody plays against, else that is known."""


class Chance(Duel):
    """Both press whatever is offered, by chance; what a press may not do is no press."""

    def __init__(self, users, rng, decks):
        super().__init__(users)
        self.rng, self.presses, self.idle, self.refused, self.seen = rng, 0, 0, Counter(), Counter()
        self.sides, self.status, self.looks = {}, review_status(self.sheets["anna"]), 0
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
        """A press of somebody's, in a transaction as one by a browser is; whether the game goes on."""
        widget = self.widget(who)
        if widget is None or widget.complete is None:
            return True
        self.idle += 1
        try:
            with transaction.atomic():
                Party.objects.select_for_update().get(pk=self.party.pk)
                character = self.sides[who]
                character.sheet.played = timezone.now()
                character.sheet.save(update_fields=["played"])
                event = press(character, widget, uuid.uuid4(), user=self.users[who])
                pass_on(character, event, widget, self.users[who])
        except Refused:
            self.refused[key_of(widget.offer)] += 1
        else:
            self.presses += 1
            self.seen[widget.offer.cls.slug] += 1
            self.idle *= widget.offer.cls.slug in APART or widget.offer.rare
        return self.check()

    def look(self):
        """Both as they are now; what nothing in a game changes is asked of the database now and then only."""
        sheets = {one.pk: one for one in Sheet.objects.filter(party=self.party).select_related("party")}
        self.sides = {who: Character(sheets[self.sheets[who].pk], self.status) for who in ("anna", "ben")}
        self.looks += 1
        for one, other in (("anna", "ben"), ("ben", "anna")):
            if self.sides[one].play.is_playing and self.looks % ANEW:
                self.sides[one].foe = Character(self.sides[other].sheet, self.status, others=True)
            elif self.sides[one].play.is_playing:
                assert self.sides[one].foe.sheet == self.sheets[other]

    def check(self):
        """All cards are there, and both stand where a game of two can stand; whether it goes on."""
        self.look()
        for one in self.sides.values():
            play, tokens = one.play, [avatar.card for avatar in one.play.avatars if
                                      one.written.card_named(avatar.card).has_keyword("tokenavatar")]
            there = Counter([*play.hand, *play.deck, *play.discard, *(avatar.card for avatar in play.avatars)])
            assert there - Counter(tokens) == Counter(card_names(one.written))
            assert 0 <= play.mana <= MAX_MANA
            assert 0 <= play.life <= STARTING_LIFE
        phases = tuple(one.play.phase for one in self.sides.values())
        assert phases in STANDING or phases[::-1] in STANDING or sorted(phases) == ["lost", "won"], phases
        assert not PendingEffect.objects.filter(state="open").exists()
        if "won" in phases:
            return False
        assert self.idle < MOST_IDLE, phases
        return True


@pytest.mark.rule("BD-10", "BD-11", "BD-13", "BD-16", "BD-26")
@pytest.mark.parametrize("part", everyday(range(PARTS), PARTS // 4))
def test_games_of_two_by_chance_lose_no_card_reach_no_dead_end_and_end_for_both(django_user_model, full, part):
    ends, presses, refused, seen = Counter(), 0, Counter(), Counter()
    for number in range(GAMES if full else 1):
        rng = seeded(f"duel {part} {number}")
        with transaction.atomic():
            game = Chance(django_user_model.objects, rng, rng.choices(list(DECKS), k=2))
            game.begin(rng.choice(("first", "second")))
            for who, life in zip(("anna", "ben"), rng.choices((2, 4), k=2), strict=True):
                game.put(who, life=life)
            goes_on = game.check()
            while goes_on and game.presses < MOST:
                goes_on = game.step(rng.choice(("anna", "ben")))
            ends["go on" if goes_on else next(one for one in ("anna", "ben") if game.state(one).phase == "won")] += 1
            presses, refused, seen = presses + game.presses, refused + game.refused, seen + game.seen
            transaction.set_rollback(True)
    if full:
        assert ends["anna"]
        assert ends["ben"]
        assert ends["go on"] < GAMES / 2, "most of them end"
    report(f"games of two: {presses} presses of {len(seen)} kinds, {sum(refused.values())} refused, {dict(ends)}")
