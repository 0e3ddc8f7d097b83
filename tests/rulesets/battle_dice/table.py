"""One player's side of a game in tests: acts by their slug, dice as written."""

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play.state import Avatar, BattleDicePlay
from rulesets.dice import LoadedTray, thrown
from rulesets.document import read_tree

CORONA, PINA, SNOW, FAN = "The Corona Look", "Piña ≠ Rohkinar", "Snowbuddies", "The Biggest Fan"
FOKUS, BOOST, GUARD = "Dice Minion Fokus", "Dice Minion Boost", "Dice Minion Verteidigung"


class Side:
    """A deck and its state of play."""

    def __init__(self, example="quick", *avatars, **state):
        document = RULESET.examples[example] if isinstance(example, str) else example
        self.sheet = read_tree(document).sheet
        there = [one if isinstance(one, Avatar) else Avatar(card=one) for one in avatars]
        self.play = BattleDicePlay(avatars=there, **state)
        self.log = []

    def offers(self) -> dict[str, object]:
        """{slug, or slug and key: offer} of what can be done now."""
        found = {}
        for act in RULESET.acts.values():
            for offer in act.offered(self.sheet, self.play):
                found[f"{act.slug} {offer.key}".strip()] = offer
        return found

    def do(self, what, *faces, **answers):
        """Do an act that is offered; all the dice must be used."""
        act = self.offers()[what].take(**answers)
        roll, outcome, tray = act.roll(self.sheet, self.play), None, LoadedTray(*faces)
        if roll:
            outcome, _tray = thrown(roll.throw, tray)
        assert tray.left == []
        self.play = act.apply(self.sheet, self.play, outcome)
        self.log.append(str(act.tell(self.sheet, self.play)))
        return self

    def names(self) -> list[str]:
        """The avatars in play."""
        return [one.card for one in self.play.avatars]
