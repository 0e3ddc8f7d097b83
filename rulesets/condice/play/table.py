"""Acts for temporary effects, rounds, items, fights and adventures (CD-28, CD-46, CD-49 to CD-51)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import model_validator

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES, SPECIAL_ABILITIES, Attribute, variant_text
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play.acts import usable_abilities
from rulesets.condice.play.state import (
    SIZE_EFFECTS,
    SIZE_NAMES,
    ConDicePlay,
    Delta,
    Effect,
    Item,
)
from rulesets.kit import (
    Act,
    Count,
    Name,
    Offer,
    Play,
    Refused,
    RemoveRow,
    Text,
    Thrown,
    Wording,
    field,
    row,
    signed,
    with_row,
    without_row,
)

if TYPE_CHECKING:
    from rulesets.condice.play.others import BoostOther
    from rulesets.condice.sheet import ConDice

OWN_ABILITY = _("Is it your own ability, and so your action?")
ROUNDS = ngettext_lazy("{n} round", "{n} rounds", "n")


def with_duration(what: str, rounds: int | None) -> str:
    """Return a text followed by the number of rounds, if that is limited."""
    return what if rounds is None else f"{what}, {ROUNDS.format(n=rounds)}"


def change_text(act: "ChangeAttributes | BoostOther", by: int, name: str = "") -> str:
    """Return an act's change of attributes in words: its name, the attributes, the change and its duration."""
    titles = [str(ATTRIBUTES[key]) for key in act.attributes] + [str(SPECIAL_ABILITIES)] * act.abilities
    what, rounds = f"{', '.join(titles)} {signed(by)}", act.rounds
    return with_duration(f"{name}: {what}" if name else what, rounds)


def abilities_with_variant(sheet: "ConDice", play: ConDicePlay, slug: str) -> Iterator[tuple]:
    """Yield (ability, offer key, note, known fields) for each ability of one kind whose variant is chosen."""
    limit = attribute_limit_fields(sheet)
    for index, one in usable_abilities(sheet, play, slug):
        if one.variant:
            rounds, count, by = one.variants[one.variant]
            yield (one, f"abilities.{index}", variant_text(rounds, count, by),
                   {**limit, "by": by, "rounds": rounds, "most": min(count, limit["most"])})


def attribute_limit_fields(sheet: "ConDice") -> dict:
    """Return the known fields of an offer that limit its attributes: to five, or six if the house rules count six."""
    six = sheet.house_or(ConDiceHouse).six_attributes
    return {"most": len(ATTRIBUTES) + 1} if six else {"most": len(ATTRIBUTES), "abilities": False}


def check_attribute_count(act: Any) -> Any:
    """Return the act; raise ValueError unless it changes 1 to `most` attributes, each once. Abilities count as one."""
    chosen = len(act.attributes) + act.abilities
    if len(set(act.attributes)) < len(act.attributes) or not 0 < chosen <= act.most:
        raise ValueError(_("Choose between 1 and {n} attributes, each once.").format(n=act.most))
    return act


class ChangeAttributes(Act):
    """CD-50: change this character's attributes, by its own boost (CD-36), one of others (CD-33) or an aura (CD-32)."""

    name: Name = field(_("What is it called?"), "")
    attributes: list[Attribute] = field(_("Which attributes change?"), choices=ATTRIBUTES)
    by: Delta = field(_("By how much?"), help=_("A negative number lowers it."))
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    abilities: bool = field(SPECIAL_ABILITIES, default=False, help=_("They count as one more attribute."))
    most: Count = field(_("Maximum attributes"), len(ATTRIBUTES))
    own: bool = field(OWN_ABILITY, default=False)
    title, group = _("Boost, debuff or aura"), rolls.EFFECTS_HEADING
    rules = ("CD-50", "CD-32", "CD-33", "CD-36", "CD-09")

    check_attributes = model_validator(mode="after")(check_attribute_count)

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it for each of the character's boosts, and once to fill in for the effects of others."""
        yield from (cls.offer(one.label, key, note, name=str(one.label), own=True, **known)
                    for one, key, note, known in abilities_with_variant(sheet, play, "boost"))
        yield cls.offer(key="others", own=False, **attribute_limit_fields(sheet))

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the effect; if it comes from the character itself, this is the action of the turn."""
        effect = Effect(name=self.name, rounds=self.rounds, abilities=self.by if self.abilities else 0)
        after = play.with_action_done() if self.own else play
        return after.with_effect(sheet, effect.model_copy(update=dict.fromkeys(self.attributes, self.by)))

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Return the change in words, with its name unless that is the ability's title."""
        name = self.name.strip()
        return change_text(self, self.by, "" if name == str(CATALOGUE["boost"].title) else name)


Size = Literal["grow", "shrink"]
SIZE_CHOICES = {"grow": _("Grow"), "shrink": _("Shrink")}


class ChangeSize(Act):
    """CD-28: this character grows or shrinks, for some rounds or until it is ended."""

    size: Size = field(_("Grow or shrink?"), choices=SIZE_CHOICES)
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    own: bool = field(OWN_ABILITY, default=False)
    title, rules, group = _("Change size"), ("CD-28", "CD-50", "CD-09"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it for each such ability of the character, and once for others who change its size."""
        yield from (cls.offer(_("Change your own size"), f"abilities.{index}", own=True)
                    for index, _one in usable_abilities(sheet, play, "groesse-aendern"))
        yield cls.offer(own=False)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the effect; if it comes from the character itself, this is the action of the turn."""
        effect = Effect(rounds=self.rounds).model_copy(update=SIZE_EFFECTS[self.size])
        return (play.with_action_done() if self.own else play).with_effect(sheet, effect)

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Say in which direction and for how long."""
        return with_duration(str(SIZE_NAMES[self.size]), self.rounds)


class EndEffect(RemoveRow):
    """CD-50: end an effect early."""

    index: Count = field(_("Effect"))
    title, rules, rows, group = _("End an effect"), ("CD-50",), "effects", rolls.EFFECTS_HEADING

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the effect."""
        return _("End “{name}”").format(name=row.label)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Remove the effect and undo its changes of figures and life."""
        return play.with_only_effects(sheet, without_row(play.effects, self.index))


class EndRound(Act):
    """CD-50, CD-52: a round ends; each effect has one round fewer left, and ends at 0."""

    title, rules, group = _("End the round"), ("CD-50", "CD-52"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it while an effect has limited rounds, or if somebody tried to break free in this round."""
        if play.break_free_tried or any(effect.rounds is not None for effect in play.effects):
            yield cls.offer()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Count the rounds of each effect down, and remove those at 0."""
        effects = [effect if effect.rounds is None else effect.model_copy(update={"rounds": max(0, effect.rounds - 1)})
                   for effect in play.effects]
        return play.with_new_round().with_only_effects(sheet, [effect for effect in effects if effect.rounds != 0])


class AddItem(Act):
    """CD-51: gain an item in play."""

    name: Name = field(_("What do you gain?"))
    effect: Text = field(_("What does it do?"), "")
    title, rules, group = _("Gain an item"), ("CD-51",), rolls.TABLE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Always offer it."""
        yield cls.offer()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the item."""
        return play.model_copy(update={"items": with_row(play.items, Item(name=self.name, effect=self.effect))})

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Return the name of the item and its effect."""
        return f"{self.name} ({self.effect})" if self.effect.strip() else self.name or str(self.title)


class UseItem(Act):
    """CD-51: use up an item, which stays listed with a tick."""

    index: Count = field(_("Item"))
    title, rules, group = _("Use up an item"), ("CD-51",), rolls.TABLE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it for each item that is not used up."""
        yield from (cls.offer(_("Use up {name}").format(name=item.name) if item.name.strip() else cls.title,
                              f"items.{index}", index=index)
                    for index, item in enumerate(play.items) if not item.used)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Mark the item as used, which is the action of the turn; raise `Refused` if it is used already."""
        item = row(play.items, self.index)
        if item.used:
            raise Refused(_("{name} is already used up.").format(name=item.name.strip() or _("Item")))
        items = [*play.items[:self.index], item.model_copy(update={"used": True}), *play.items[self.index + 1:]]
        return play.with_action_done().model_copy(update={"items": items})


class NewFight(Act):
    """CD-49: begin a new fight; rerolls are available again, holds and effects with limited rounds end."""

    title, rules, group = _("New fight"), ("CD-49", "CD-50"), rolls.TABLE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it while there is something to reset."""
        if play.rerolls_used or play.holds or play.bonds or any(effect.rounds is not None for effect in play.effects):
            yield cls.offer()

    @classmethod
    def takes_part(cls, sheet: "ConDice", play: ConDicePlay) -> bool:
        """Return True also if the turn is used, so that its dice do not count in the new fight (CD-53)."""
        return super().takes_part(sheet, play) or play.moved or play.acted

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Reset the turn and the rerolls, and end all holds and the effects with limited rounds."""
        unlimited = [effect for effect in play.effects if effect.rounds is None]
        return play.with_new_turn().with_only_effects(sheet, unlimited).model_copy(
            update={"repeated": False, "repeats": 0, "holds": [], "bonds": []})

    def tell_change(self, sheet: "ConDice", before: ConDicePlay, after: ConDicePlay) -> str:
        """Name the others at the table whose sheets still record a hold on, or by, this character."""
        names = dict.fromkeys([*(one.target for one in before.holds if one.source),
                               *(one.by for one in before.bonds if one.source)])
        if not any(names):
            return self.tell(sheet, after)
        return _("For {names} the hold stays on their own sheet until a new fight begins there, too, or somebody ends "
                 "it.").format(names=", ".join(filter(None, names)))


class NewFightForAll(NewFight):
    """CD-49: begin a new fight for everyone, which ends a hold on both sides."""

    def tell_change(self, sheet: "ConDice", before: ConDicePlay, after: ConDicePlay) -> str:
        """Say no more than the title."""
        return self.tell(sheet, after)


class EndAdventure(Act):
    """CD-46: end the adventure; lost points come back, and life is full again."""

    title, rules, group = _("End the adventure"), ("CD-46",), rolls.TABLE_HEADING
    opponents_too = False

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it if points are lost, a loss is due, or life is not full."""
        if play.losses or play.losses_due or play.life is not None:
            yield cls.offer()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Return a fresh state that keeps the items."""
        return ConDicePlay(items=play.items, full_life=play.full_life)
