"""Games by chance, alone and of two whose acts reach each other: no card is lost, no dead end, both end together."""

from collections import Counter

import pytest
from pydantic import ValidationError

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play.state import LIFE, MANA, shuffled
from rulesets.battle_dice.tests.table import Side
from rulesets.kit import Refused, opened
from tests.support.rulesets.contract import answers, pressed, report, seeded

CROSSING = RULESET.crossing
STANDING = {("chaos", "wait"), ("focus", "wait"), ("summon", "wait"), ("battle", "wait"), ("aim", "aimed"),
            ("wait", "enemy"), ("wait", "quick"), ("wait", "block"), ("wait", "heal"), ("wait", "end")}
"""Where a game stands, for whoever has the turn and the other one, in either order."""
SELDOM = 0.003
APART = dict.fromkeys(("change-mana", "damage", "cure", "strike", "draw-by-card"), SELDOM) | {
    "lose": 0.0003, "win": 0.0003, "skip-battle": 0.1, "frost": 0.1, "end-game": 0}
"""What no phase leads to, and what leads to no end: how often it is thought of where it could be pressed."""
IDLE, LONG = 400, 20_000
"""Tries in a row after which nothing leads on, and presses after which a game should long have ended."""


class Game:
    """One side alone, or two: what one does reaches the other at once, or nothing of it has happened."""

    def __init__(self, decks, rng):
        self.sides, self.rng, self.seen = [Side(deck) for deck in decks], rng, Counter()
        # Whoever plays alone enters the damage that the other one rolled.
        self.apart = APART | ({"damage": 0.3} if len(decks) == 1 else {})
        order = rng.choice(("first", "second"))
        if len(decks) == 1:
            self.do(0, self.sides[0].offers()["start-game"].take(order=order))
        else:
            accepted, = CROSSING.target_offers(RULESET.acts["challenge"](order=order), None, {})
            self.do(1, accepted.take())

    def do(self, at, act):
        """An act of a side, and what it brings to the other one."""
        side = self.sides[at]
        before = side.play
        _sheet, after = pressed(RULESET, act, side.sheet, before, self.rng)
        side.play = RULESET.play.model_validate(after.model_dump())
        assert str(act.tell(side.sheet, side.play)) is not None
        if CROSSING.paired(before) or CROSSING.paired(side.play):
            for offer in CROSSING.forwarded(side.sheet, before, act, side.play):
                self.do(1 - at, offer.take())

    def press(self, at):
        """One of the buttons that a side has, filled in by chance; answers its slug, "" where it comes to nothing."""
        side, other, rng = self.sides[at], self.sides[-1 - at], self.rng
        acts = [act for act in RULESET.acts.values() if not act.aimed and rng.random() < self.apart.get(act.slug, 1)]
        figures = CROSSING.figures(other.sheet, opened(other.play))
        met = [CROSSING.facing(one, figures) for act in acts for one in act.offered(side.sheet, side.play)]
        offers = [one for one in met if one and (not one.rare or rng.random() < SELDOM)]
        if not offers:
            return ""
        offer, stood = rng.choice(offers), [one.play for one in self.sides]
        given = {key: rng.choice(answers(slot, (0, 0, 1, 1, 2))) for key, slot in offer.asks.items()}
        try:
            self.do(at, offer.take(**given))
        except (Refused, ValidationError):
            for one, play in zip(self.sides, stood, strict=True):
                one.play = play
            return ""
        self.check()
        self.seen[offer.cls.slug] += 1
        return "" if offer.rare else offer.cls.slug

    def check(self):
        """All cards are there, and two stand where a game of two can stand."""
        for side in self.sides:
            tokens = [name for name in side.names() if name.startswith("Dice Minion")]
            there = Counter([*side.play.hand, *side.play.deck, *side.play.discard, *side.names()])
            assert there - Counter(tokens) == Counter(shuffled(side.sheet))
            assert 0 <= side.play.mana <= MANA
            assert 0 <= side.play.life <= LIFE
        phases = self.phases
        assert len(phases) == 1 or {phases, phases[::-1]} & STANDING or sorted(phases) == ["lost", "won"], phases

    @property
    def phases(self):
        """Where each stands."""
        return tuple(side.play.phase for side in self.sides)


@pytest.mark.rule("BD-10", "BD-11", "BD-13", "BD-14", "BD-16", "BD-17", "BD-24", "BD-25", "BD-26")
@pytest.mark.parametrize("number", [1, 2])
def test_games_by_chance_lose_no_card_have_no_dead_end_and_end_for_both(number, full):
    ends, seen, decks = Counter(), Counter(), sorted(RULESET.examples)
    # Of few games these end one way and the other.
    for seed in range(200) if full else (0, 7, 10):
        rng = seeded(f"duel {number} {seed}")
        game, idle, presses = Game(rng.choices(decks, k=number), rng), 0, 0
        while not {"won", "lost"} & {*game.phases}:
            done = game.press(rng.randrange(number))
            idle, presses = 0 if done and done not in APART else idle + 1, presses + 1
            assert idle < IDLE, game.phases
            assert presses < LONG, game.phases
        ends[game.phases] += 1
        seen += game.seen
    assert len(ends) == 2, "either end comes"
    assert {"aim-at", "deal", "snowball", "take-hit", "let-block"} <= {*seen} or not full or number == 1
    report(f"{sum(ends.values())} games of {number} by rules alone: {dict(ends)}, {dict(seen.most_common())}")
