"""Acts on a ConDice character in a fight: damage, healing, losses at 0 life, rerolls."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.play.state import Losable, Target
from rulesets.kit import HIGHEST, Act, Count, Offer, Play, Refused, Roll, Thrown, Wording, field

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


def usable_abilities(sheet: "ConDice", play: "ConDicePlay", slug: str) -> list:
    """Return (index, ability) of each ability of one kind that the character can use now."""
    return [(i, one) for i, one in enumerate(play.effective(sheet).abilities) if one.ability == slug]


class Damage(Act):
    """CD-45: damage to the character; its own defence reduces it, and the rest lowers life."""

    points: Count = field(_("How much damage is it?"))
    against: Literal["defence", "mental_resistance", "nothing"] = field(_("What reduces it?"), "defence", choices={
        "defence": _("Defence (physical damage)"),
        "mental_resistance": _("Mental resistance (mental damage)"),
        "nothing": _("nothing (the damage ignores defence, or everything has been subtracted)"),
    })
    title, rules, group = _("Take damage"), ("CD-45", "CD-03", "CD-05", "CD-35", "CD-43", "CD-46"), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Always offer it, with the current defence and mental resistance as a note."""
        now = play.effective(sheet)
        yield cls.offer(note=_("Defence {defence}, mental resistance {resistance}").format(
            defence=now.defence, resistance=now.mental_resistance))

    def damage_left(self, sheet: "ConDice", play: "ConDicePlay") -> int:
        """Return the damage that the current protection leaves (CD-03, CD-05)."""
        now = play.effective(sheet)
        return max(0, self.points - (0 if self.against == "nothing" else getattr(now, self.against)))

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Lower life by the damage that the protection leaves, not below 0."""
        return play.with_damage(sheet, self.damage_left(sheet, play))

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the damage, the part of it that got through, and the life left."""
        through = self.damage_left(sheet, play)
        text = _("{n} damage taken, life {left}") if through == self.points else \
            _("{n} of {points} got through, life {left}")
        return text.format(points=self.points, n=through, left=play.life_left(sheet))


class Heal(Act):
    """CD-45: restore life, up to the maximum."""

    points: Count = field(_("How many life points are regained?"))
    title, rules, group = _("Be healed"), ("CD-45",), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while life is missing."""
        if play.life_left(sheet) < play.max_life(sheet):
            yield cls.offer()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Raise life, up to the maximum."""
        return play.with_life(sheet, play.life_left(sheet) + self.points)

    def tell_change(self, sheet: "ConDice", before: "ConDicePlay", after: "ConDicePlay") -> str:
        """Report the life points actually gained."""
        return self.model_copy(update={"points": after.life_left(sheet) - before.life_left(sheet)}).tell(sheet, after)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say how much life is left now."""
        return _("{n} regained, life {left}").format(n=self.points, left=play.life_left(sheet))


class HealYourself(Act):
    """CD-48: the character heals itself with its own ability."""

    title, rules, group = _("Heal yourself"), ("CD-48", "CD-24"), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it with the ability, while life is missing."""
        if usable_abilities(sheet, play, "heilung") and play.life_left(sheet) < play.max_life(sheet):
            yield cls.offer()

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the die whose result is the number of life points."""
        extra = max((one.extra_characters for _index, one in usable_abilities(sheet, play, "heilung")), default=0)
        return rolls.OwnHealing(characters=min(HIGHEST, 1 + extra))

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Raise life by the result of the die; this is the action of the turn."""
        return play.with_action_done().with_life(sheet, play.life_left(sheet) + outcome.value)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say how much life is left now."""
        return _("Regained by the die, now {left}").format(left=play.life_left(sheet))


class RollAttribute(Act):
    """CD-46: the first die, which decides which attribute loses points."""

    title, rules, group = _("Roll for the loss"), ("CD-46",), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while a loss is due whose attribute is still to be rolled."""
        if play.losses_due and not play.loss_attribute:
            yield cls.offer()

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the GM's die."""
        return rolls.AttributeLoss()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Store the attribute for the second die; raise `Refused` if none is to be rolled."""
        if not play.losses_due or play.loss_attribute:
            raise Refused(_("There is no attribute to roll for right now."))
        return play.model_copy(update={"loss_attribute": outcome.value})


class RollLoss(Act):
    """CD-46: the second die, which decides how many points the attribute loses."""

    attribute: Losable | None = field(_("Attribute that loses points"), None)
    title, rules, group = _("Roll how many points"), ("CD-46",), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once the attribute is known, and again if no candidate is on the sheet any more."""
        if play.loss_attribute and (play.loss_points is None or not loss_candidates(sheet, play.loss_attribute)):
            yield cls.offer(attribute=play.loss_attribute)

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the GM's die."""
        return rolls.LossPoints()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Deduct the points at once, unless the GM has to pick among several attacks or abilities."""
        targets = list(loss_candidates(sheet, play.loss_attribute))
        if not play.loss_attribute or (targets and play.loss_points is not None):
            raise Refused(_("There are no points to roll for right now."))
        play = play.model_copy(update={"loss_points": outcome.value})
        return play if len(targets) > 1 else play.with_loss(sheet, targets[0] if targets else None)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say that the GM picks, that the sheet has nothing to lose, or that the points are lost."""
        if play.loss_points:
            return str(_("The GM picks what loses the points"))
        if self.attribute and not loss_candidates(sheet, self.attribute):
            return str(_("The sheet has none; nothing is lost"))
        return str(_("They are lost until the end of the adventure"))


class PickLoss(Act):
    """CD-46: where there are several attacks or abilities, the GM picks the one that loses points."""

    target: Target = field(_("What loses the points"))
    title, rules, group = _("Pick what loses points"), ("CD-46",), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer one for each attack or ability in question."""
        if play.loss_points is not None:
            for target, label in loss_candidates(sheet, play.loss_attribute).items():
                loses = ngettext_lazy("{what} loses {n} point", "{what} loses {n} points", "n")
                yield cls.offer(loses.format(n=play.loss_points, what=label), target, target=target)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Deduct the points; raise `Refused` if the target is not a candidate."""
        if play.loss_points is None or self.target not in loss_candidates(sheet, play.loss_attribute):
            raise Refused(_("That cannot lose points right now."))
        return play.with_loss(sheet, self.target)


def loss_candidates(sheet: "ConDice", attribute: str | None) -> dict[str, Wording]:
    """Return {target: label} of each attribute, attack or ability that may lose the points."""
    if kind := {"attack": "attacks", "ability": "abilities"}.get(attribute or ""):
        return {f"{kind}.{index}": one.label for index, one in enumerate(getattr(sheet, kind))}
    return {attribute: rolls.AttributeLoss.outcomes[attribute]} if attribute else {}


def dice_text(count: int) -> str:
    """Return a number of dice in words, such as "2 dice"."""
    return rolls.DICE.format(n=count)


class Explode(Act):
    """CD-31: an explosion, which costs 1 life point for each die; at least 1 life point must remain."""

    dice: Count = field(_("How many dice, at 1 life point each?"), least=1)
    defence: Count = field(_("Defence of the target"), rolls.TYPICAL_DEFENCE, target_figure="defence")
    title, rules, group = _("Explode"), ("CD-31", "CD-53"), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it if the character has the ability, and more than 1 life point."""
        if usable_abilities(sheet, play, "explosion") and play.life_left(sheet) > 1:
            yield cls.offer(note=_("At most {dice}").format(dice=dice_text(play.life_left(sheet) - 1)))

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return one roll for all neighbours, with the defence of one; raise `Refused` if life is too low to pay."""
        self.life_after_paying(sheet, play)
        return rolls.Explosion(dice=self.dice, defence=self.defence)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Pay 1 life point for each die."""
        return play.with_action_done().with_life(sheet, self.life_after_paying(sheet, play))

    def life_after_paying(self, sheet: "ConDice", play: "ConDicePlay") -> int:
        """Return the life points left after paying for the dice; raise `Refused` if there are too few."""
        if (left := play.life_left(sheet)) < 2:
            raise Refused(_("Life is {left}; an explosion needs at least 2, because 1 has to "
                            "remain.").format(left=left))
        if not 0 < self.dice < left:
            message = _("You chose {dice}; with {left} life you can choose 1 to {most}, because 1 has to remain.")
            raise Refused(message.format(dice=dice_text(self.dice), left=left, most=left - 1))
        return left - self.dice

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say what it cost, and how much life is left."""
        return _("{n} paid, life {left}").format(n=self.dice, left=play.life_left(sheet))


class RepeatRoll(Act):
    """CD-30, CD-49: reroll the last roll; the new result counts, and the log shows both."""

    title, rules, repeats, group = _("Reroll the last roll"), ("CD-49", "CD-30"), True, rolls.TABLE_HEADING
    only_directly_after = True

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once per turn, and once per fight for each time the ability was bought."""
        if not play.repeated_now and play.rerolls_used < len(usable_abilities(sheet, play, "wurf-wiederholen")):
            yield cls.offer()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Count the reroll; raise `Refused` if none is left in this fight, or one was used in this turn."""
        bought = len(usable_abilities(sheet, play, "wurf-wiederholen"))
        if not bought:
            raise Refused(_("Rerolls need the special ability “{name}”.").format(
                name=CATALOGUE["wurf-wiederholen"].title))
        if play.rerolls_used >= bought:
            raise Refused(_("This fight's reroll is used up; a new fight brings it back."))
        if play.repeated_now:
            raise Refused(_("There has already been a reroll this turn; next turn allows another."))
        return play.model_copy(update={
            "repeated": True, "repeats": play.rerolls_used + 1, "repeated_now": True})
