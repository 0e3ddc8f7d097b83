"""The headings under which rolls and acts are listed."""

from django.utils.translation import gettext_lazy as _

DICE, TURN, ENEMY, CARDS, GAME = (
    _("Battle dice"), _("Your turn"), _("The opponent's turn and damage"), _("Cards and effects"), _("The game"))
