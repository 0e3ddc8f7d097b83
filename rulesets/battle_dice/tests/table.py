"""One player's side of a game in tests, with acts by their slugs and given dice."""

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play.state import Avatar
from rulesets.document import read_tree
from tests.support.rulesets.table import Table

CORONA, PINA, SNOW, FAN = "The Corona Look", "Piña ≠ Rohkinar", "Snowbuddies", "The Biggest Fan"
FOKUS, BOOST, GUARD = "Dice Minion Fokus", "Dice Minion Boost", "Dice Minion Verteidigung"


class Side(Table):
    """A deck and its state of play."""

    ruleset = RULESET

    def __init__(self, example="quick", *avatars, **state):
        document = RULESET.examples[example] if isinstance(example, str) else example
        avatars = [one if isinstance(one, Avatar) else Avatar(card=one) for one in avatars]
        super().__init__(read_tree(document).sheet, avatars=avatars, **state)
        self.log = []

    def offers(self) -> dict[str, object]:
        """Return {slug, or slug and key: offer} of the acts that are offered now, without a target."""
        found = {}
        for act in (one for one in RULESET.acts.values() if not one.aimed):
            for offer in act.offered(self.sheet, self.play):
                found[f"{act.slug} {offer.key}".strip()] = offer
        return found

    def do(self, what, *faces, **answers):
        """Do an offered act; all of the dice must be used."""
        self.log.append(str(self.take(self.offers()[what].take(**answers), *faces)))
        return self

    def names(self) -> list[str]:
        """Return the names of the avatars in play."""
        return [one.card for one in self.play.avatars]
