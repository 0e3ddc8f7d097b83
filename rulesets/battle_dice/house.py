"""The house rules of Battle Dice: deck, own cards, frost (BD-01, BD-02, BD-04, BD-25)."""

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import rolls
from rulesets.kit import Count, House, field


class BattleDiceHouse(House):
    """The figures that a party may change; the defaults are the book's."""

    deck_size: Count = field(_("Cards in a deck"), rolls.DECK_SIZE)
    same_card: Count = field(_("Maximum copies of a card"), 3)
    consent: bool = field(_("Custom cards need approval"), default=True)
    frost_mana: Count = field(_("What a frost token adds to the cost of an active effect"), 2)
