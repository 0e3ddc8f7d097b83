"""Random games, alone and of two: no card is lost, none gets stuck, and both players' games end together."""

from collections import Counter

import pytest
from pydantic import ValidationError

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play.state import MAX_MANA, STARTING_LIFE, card_names
from rulesets.battle_dice.tests.table import Side
from rulesets.kit import Refused, redacted
from tests.support.rulesets.contract import answers, pressed, report, seeded

CROSSING = RULESET.crossing
PHASE_PAIRS = {("chaos", "wait"), ("focus", "wait"), ("summon", "wait"), ("battle", "wait"), ("aim", "aimed"),
            ("wait", "enemy"), ("wait", "quick"), ("wait", "block"), ("wait", "heal"), ("wait", "end")}
"""The possible phases of both players, in either order."""
RARE_CHANCE = 0.003
ACT_CHANCES = dict.fromkeys(("change-mana", "damage", "cure", "strike", "draw-by-card"), RARE_CHANCE) | {
    "lose": 0.0003, "win": 0.0003, "skip-battle": 0.1, "frost": 0.1, "end-game": 0}
"""{act: chance of considering it}, for acts outside the phases, and for those that do not advance the game."""
MAX_IDLE, MAX_PRESSES = 400, 20_000
"""The most presses in a row that do not advance a game, and the most presses of a game."""


class Game:
    """A game of one or two players; an act and its effects on the opponent are done together or not at all."""

    def __init__(self, decks, rng):
        self.sides, self.rng, self.seen = [Side(deck) for deck in decks], rng, Counter()
        # A player alone also enters the damage that the opponent has rolled.
        self.apart = ACT_CHANCES | ({"damage": 0.3} if len(decks) == 1 else {})
        order = rng.choice(("first", "second"))
        if len(decks) == 1:
            self.do(0, self.sides[0].offers()["start-game"].take(order=order))
        else:
            accepted, = CROSSING.target_offers(RULESET.acts["challenge"](order=order), None, {})
            self.do(1, accepted.take())

    def do(self, at, act):
        """Do an act of a player, and the acts that it causes for the opponent."""
        side = self.sides[at]
        before = side.play
        _sheet, after = pressed(RULESET, act, side.sheet, before, self.rng)
        side.play = RULESET.play.model_validate(after.model_dump())
        assert str(act.tell(side.sheet, side.play)) is not None
        if CROSSING.paired(before) or CROSSING.paired(side.play):
            for offer in CROSSING.forwarded(side.sheet, before, act, side.play):
                self.do(1 - at, offer.take())

    def press(self, at):
        """Press a random button with random answers; return its slug, "" if it does not advance the game."""
        side, other, rng = self.sides[at], self.sides[-1 - at], self.rng
        acts = [act for act in RULESET.acts.values() if not act.aimed and rng.random() < self.apart.get(act.slug, 1)]
        figures = CROSSING.figures(other.sheet, redacted(other.play))
        met = [CROSSING.adapt_to_partner(one, figures) for act in acts for one in act.offered(side.sheet, side.play)]
        offers = [one for one in met if one and (not one.rare or rng.random() < RARE_CHANCE)]
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
        """Check that no card is lost, and that the phases of both players fit together."""
        for side in self.sides:
            tokens = [name for name in side.names() if name.startswith("Dice Minion")]
            there = Counter([*side.play.hand, *side.play.deck, *side.play.discard, *side.names()])
            assert there - Counter(tokens) == Counter(card_names(side.sheet))
            assert 0 <= side.play.mana <= MAX_MANA
            assert 0 <= side.play.life <= STARTING_LIFE
        phases = self.phases
        assert len(phases) == 1 or {phases, phases[::-1]} & PHASE_PAIRS or sorted(phases) == ["lost", "won"], phases

    @property
    def phases(self):
        """The phase of each player."""
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
            idle, presses = 0 if done and done not in ACT_CHANCES else idle + 1, presses + 1
            assert idle < MAX_IDLE, game.phases
            assert presses < MAX_PRESSES, game.phases
        ends[game.phases] += 1
        seen += game.seen
    assert len(ends) == 2, "either end comes"
    assert {"aim-at", "deal", "snowball", "take-hit", "let-block"} <= {*seen} or not full or number == 1
    report(f"{sum(ends.values())} games of {number} by rules alone: {dict(ends)}, {dict(seen.most_common())}")
