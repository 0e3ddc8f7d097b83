"""Ole & Friends Battle Dice: a deck of eight cards, avatars, time mana, and dice compared in pairs."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="battle-dice",
    prefix="BD",
    title="Ole & Friends Battle Dice",
    summary=_(
        "Eight cards, two time mages, a duel. Summon avatars, roll battle dice, block, heal."
    ),
    minutes=5,
    words={"figure": _("Name"),
           "intro": _("What is your deck called? You can choose the cards first, and change them at any time."),
           "name": _("Name of the deck"), "random": _("Deal a random deck"),
           "build": _("Build a deck for this party")},
)
