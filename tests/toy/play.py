"""A toy wears off."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import HIGHEST, Act, Count, Play, field


class ToyPlay(Play):
    """How worn it is."""

    worn: Count = field(_("Worn"), 0)

    def effective(self, sheet):
        """Each wear takes strength (TY-06)."""
        return sheet.model_copy(update={"strength": max(0, sheet.strength - self.worn)}) if self.worn else sheet


class Wear(Act):
    """TY-06: played with."""

    by: Count = field(_("By"))
    title, rules = _("Wear off"), ("TY-06",)

    @classmethod
    def offered(cls, sheet, play):
        """Always."""
        yield cls.asking()

    def apply(self, sheet, play, outcome=None):
        """A little more each time."""
        return play.model_copy(update={"worn": min(HIGHEST, play.worn + self.by)})
