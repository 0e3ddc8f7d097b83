"""Games of two by chance, as their acts reach each other: no card is lost, there is no dead end, both end together."""

from collections import Counter

import pytest
from pydantic import ValidationError

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play.state import LIFE, MANA, shuffled
from rulesets.battle_dice.tests.table import Side
from rulesets.dice import RealTray, thrown
from rulesets.kit import Refused, opened
from tests.support.rulesets.contract import answers, report, seeded

CROSSING = RULESET.crossing
STANDING = {("chaos", "wait"), ("focus", "wait"), ("summon", "wait"), ("battle", "wait"), ("aim", "aimed"),
            ("wait", "enemy"), ("wait", "block"), ("wait", "heal"), ("wait", "end")}
"""Where a game stands, for whoever has the turn and the other one, in either order."""
SELDOM = 0.003
APART = dict.fromkeys(("change-mana", "damage", "cure", "strike", "draw-by-card"), SELDOM) | {
    "lose": 0.0003, "skip-battle": 0.1}
"""What no phase leads to, and what leads to no end: how often it is thought of where it could be pressed."""
IDLE, LONG = 400, 20_000
"""Tries in a row after which nothing leads on, and presses after which a game should long have ended."""


class Both:
    """Two sides; what one does reaches the other at once, or nothing of it has happened."""

    def __init__(self, decks, rng):
        self.sides, self.rng, self.seen, self.refused = [Side(deck) for deck in decks], rng, Counter(), Counter()
        challenge = RULESET.acts["challenge"].asking().take(order=rng.choice(("first", "second")))
        accepted, = CROSSING.landing(challenge, None, {})
        self.do(1, accepted.take())

    def do(self, at, act):
        """An act of a side, and what it brings to the other one."""
        side, other = self.sides[at], self.sides[1 - at]
        before = side.play
        roll = act.roll(side.sheet, before)
        outcome = thrown(roll.throw, RealTray(self.rng.randbytes))[0] if roll else None
        side.play = act.apply(side.sheet, before, outcome)
        side.play = RULESET.play.model_validate(side.play.model_dump())
        assert str(act.tell(side.sheet, side.play)) is not None
        if CROSSING.paired(before) or CROSSING.paired(side.play):
            for offer in CROSSING.passes(side.sheet, before, act, side.play):
                self.do(1 - at, offer.take())
        assert other.play

    def press(self, at):
        """One of the buttons that a side has, filled in by chance; answers its slug, "" where it comes to nothing."""
        side, other, rng = self.sides[at], self.sides[1 - at], self.rng
        figures = CROSSING.figures(other.sheet, opened(other.play))
        met = [CROSSING.facing(one, figures) for act in RULESET.acts.values() if not act.aimed
               for one in act.offered(side.sheet, side.play)]
        offers = [one for one in met if one and rng.random() < (
            SELDOM if one.rare else APART.get(one.cls.slug, 1))]
        if not offers:
            return ""
        offer = rng.choice(offers)
        given = {key: rng.choice(answers(slot, (0, 0, 1, 1, 2))) for key, slot in offer.asks.items()}
        stood = [one.play for one in self.sides]
        try:
            self.do(at, offer.take(**given))
        except (Refused, ValidationError):
            self.refused[offer.cls.slug] += 1
            for one, play in zip(self.sides, stood, strict=True):
                one.play = play
            return ""
        self.seen[offer.cls.slug] += 1
        return "" if offer.rare else offer.cls.slug

    def check(self):
        """All cards are there, and both stand where a game of two can stand."""
        for side in self.sides:
            tokens = [name for name in side.names() if name.startswith("Dice Minion")]
            there = Counter([*side.play.hand, *side.play.deck, *side.play.discard, *side.names()])
            assert there - Counter(tokens) == Counter(shuffled(side.sheet))
            assert 0 <= side.play.mana <= MANA
            assert 0 <= side.play.life <= LIFE
        phases = self.phases
        assert phases in STANDING or phases[::-1] in STANDING or sorted(phases) == ["lost", "won"], phases

    @property
    def phases(self):
        """Where both stand."""
        return tuple(side.play.phase for side in self.sides)


@pytest.mark.rule("BD-10", "BD-11", "BD-13", "BD-14", "BD-16", "BD-17", "BD-24", "BD-25", "BD-26")
def test_games_of_two_by_chance_lose_no_card_have_no_dead_end_and_end_for_both(full):
    ends, seen, refused, decks = Counter(), Counter(), Counter(), sorted(RULESET.examples)
    for seed in range(200 if full else 6):
        rng = seeded(f"two {seed}")
        game, idle, presses = Both(rng.choices(decks, k=2), rng), 0, 0
        game.check()
        while "won" not in game.phases:
            pressed = game.press(rng.choice((0, 1)))
            idle = 0 if pressed and pressed not in APART else idle + 1
            presses += 1
            assert idle < IDLE, game.phases
            assert presses < LONG, game.phases
            game.check()
        ends[game.phases] += 1
        seen, refused = seen + game.seen, refused + game.refused
    assert len(ends) == 2, "either side wins some of them"
    assert {"aim-at", "deal", "snowball", "take-hit", "let-block"} <= {*seen} or not full
    report(f"{sum(ends.values())} games of two by rules alone: {dict(ends)}, {dict(seen.most_common())}, "
           f"refused {dict(refused)}")
