"""Acts for temporary effects, rounds, items, fights and adventures (CD-28, CD-46, CD-49 to CD-51)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import model_validator

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES, SIXTH, Attribute, variant_text
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play.acts import owned
from rulesets.condice.play.state import (
    GROWN,
    SIZES,
    Change,
    ConDicePlay,
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
    added,
    field,
    row,
    signed,
    without,
)

if TYPE_CHECKING:
    from rulesets.condice.play.others import BoostOther
    from rulesets.condice.sheet import ConDice

OWN = _("Is it your own ability, and so your action?")
ROUNDS = ngettext_lazy("{n} round", "{n} rounds", "n")


def lasting(what: str, rounds: int | None) -> str:
    """Return a change in words, with the number of rounds it lasts if that is limited."""
    return what if rounds is None else f"{what}, {ROUNDS.format(n=rounds)}"


def changed(act: "ChangeAttributes | BoostOther", by: int, name: str = "") -> str:
    """Return the attributes that an act changes, the change, its rounds and its name in words."""
    titles = [str(ATTRIBUTES[key]) for key in act.attributes] + [str(SIXTH)] * act.abilities
    what, rounds = f"{', '.join(titles)} {signed(by)}", act.rounds
    return lasting(f"{name}: {what}" if name else what, rounds)


def variants(sheet: "ConDice", play: ConDicePlay, slug: str) -> Iterator[tuple]:
    """Yield (ability, offer key, note, fields to fill in) for each ability of one kind whose variant is chosen."""
    known = most_attributes(sheet)
    for index, one in owned(sheet, play, slug):
        if one.variant:
            rounds, count, by = one.variants[one.variant]
            yield (one, f"abilities.{index}", variant_text(rounds, count, by),
                   {**known, "by": by, "rounds": rounds, "most": min(count, known["most"])})


def most_attributes(sheet: "ConDice") -> dict:
    """Return the fields known of a change: up to five attributes, or six if the house counts abilities as one."""
    six = sheet.house_or(ConDiceHouse).six_attributes
    return {"most": len(ATTRIBUTES) + 1} if six else {"most": len(ATTRIBUTES), "abilities": False}


def some_attributes(act: Any) -> Any:
    """Return the act; raise ValueError unless it has 1 to `most` attributes, each once. Abilities count as one."""
    chosen = len(act.attributes) + act.abilities
    if len(set(act.attributes)) < len(act.attributes) or not 0 < chosen <= act.most:
        raise ValueError(_("Choose between 1 and {n} attributes, each once.").format(n=act.most))
    return act


class ChangeAttributes(Act):
    """CD-50: this character's attributes change, by its own boost (CD-36), another's (CD-33) or an aura (CD-32)."""

    name: Name = field(_("What is it called?"), "")
    attributes: list[Attribute] = field(_("Which attributes change?"), choices=ATTRIBUTES)
    by: Change = field(_("By how much?"), help=_("A negative number lowers it."))
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    abilities: bool = field(SIXTH, default=False, help=_("They count as one more attribute."))
    most: Count = field(_("Maximum attributes"), len(ATTRIBUTES))
    own: bool = field(OWN, default=False)
    title, rules, group = _("Boost, debuff or aura"), ("CD-50", "CD-32", "CD-33", "CD-36", "CD-09"), rolls.EFFECTS

    sane = model_validator(mode="after")(some_attributes)

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer one for each of the character's boosts, and one to fill in for effects of others."""
        yield from (cls.asking(one.label, *words, name=str(one.label), own=True, **known)
                    for one, *words, known in variants(sheet, play, "boost"))
        yield cls.asking(key="others", own=False, **most_attributes(sheet))

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the effect; with the character's own ability it is the action of the turn."""
        effect = Effect(name=self.name, rounds=self.rounds, abilities=self.by if self.abilities else 0)
        after = play.having_acted() if self.own else play
        return after.with_effect(sheet, effect.model_copy(update=dict.fromkeys(self.attributes, self.by)))

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Return the change in words, with its name unless that is the title of the ability."""
        name = self.name.strip()
        return changed(self, self.by, "" if name == str(CATALOGUE["boost"].title) else name)


Size = Literal["grow", "shrink"]
WAYS = {"grow": _("Grow"), "shrink": _("Shrink")}


class ChangeSize(Act):
    """CD-28: this character grows or shrinks, for some rounds or until it is ended."""

    size: Size = field(_("Grow or shrink?"), choices=WAYS)
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    own: bool = field(OWN, default=False)
    title, rules, group = _("Change size"), ("CD-28", "CD-50", "CD-09"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer one for each own ability, and one for others who change the character's size."""
        yield from (cls.asking(_("Change your own size"), f"abilities.{index}", own=True)
                    for index, _one in owned(sheet, play, "groesse-aendern"))
        yield cls.asking(own=False)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the effect; with the character's own ability it is the action of the turn."""
        effect = Effect(rounds=self.rounds).model_copy(update=SIZES[self.size])
        return (play.having_acted() if self.own else play).with_effect(sheet, effect)

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Say in which direction and for how long."""
        return lasting(str(GROWN[self.size]), self.rounds)


class EndEffect(RemoveRow):
    """CD-50: an effect ends before its time."""

    index: Count = field(_("Effect"))
    title, rules, rows, group = _("End an effect"), ("CD-50",), "effects", rolls.EFFECTS

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the effect."""
        return _("End “{name}”").format(name=row.label)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Remove the effect, and with it its changes of figures and life."""
        return play.with_effects(sheet, without(play.effects, self.index))


class EndRound(Act):
    """CD-50, CD-52: a round is over; effects have one round less and go at 0."""

    title, rules, group = _("End the round"), ("CD-50", "CD-52"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it while an effect counts rounds, or a try to break free was made in this round."""
        if play.tried_free or any(effect.rounds is not None for effect in play.effects):
            yield cls.asking()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Count the rounds of each effect down, and remove those at 0."""
        counted = [effect if effect.rounds is None else effect.model_copy(update={"rounds": max(0, effect.rounds - 1)})
                   for effect in play.effects]
        return play.next_round().with_effects(sheet, [effect for effect in counted if effect.rounds != 0])


class AddItem(Act):
    """CD-51: something gained in play."""

    name: Name = field(_("What do you gain?"))
    effect: Text = field(_("What does it do?"), "")
    title, rules, group = _("Gain an item"), ("CD-51",), rolls.TABLE

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Always offer it."""
        yield cls.asking()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Add the item."""
        return play.model_copy(update={"items": added(play.items, Item(name=self.name, effect=self.effect))})

    def tell(self, sheet: "ConDice", play: ConDicePlay) -> str:
        """Return the name of the item and its effect."""
        return f"{self.name} ({self.effect})" if self.effect.strip() else self.name or str(self.title)


class UseItem(Act):
    """CD-51: an item is used up; it stays listed with a tick."""

    index: Count = field(_("Item"))
    title, rules, group = _("Use up an item"), ("CD-51",), rolls.TABLE

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer one for each item left."""
        yield from (cls.asking(_("Use up {name}").format(name=item.name) if item.name.strip() else cls.title,
                               f"items.{index}", index=index)
                    for index, item in enumerate(play.items) if not item.used)

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Mark the item as used; this is the action of the turn (`Refused` if it is used already)."""
        item = row(play.items, self.index)
        if item.used:
            raise Refused(_("{name} is already used up.").format(name=item.name.strip() or _("Item")))
        items = [*play.items[:self.index], item.model_copy(update={"used": True}), *play.items[self.index + 1:]]
        return play.having_acted().model_copy(update={"items": items})


class NewFight(Act):
    """CD-49: a new fight; repeats are available again, effects with rounds and all holds are over."""

    title, rules, group = _("New fight"), ("CD-49", "CD-50"), rolls.TABLE

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it while there is something to reset."""
        if play.repeats_used or play.holds or play.bonds or any(effect.rounds is not None for effect in play.effects):
            yield cls.asking()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Reset the turn, the repeats and the holds, and end effects that count rounds."""
        lasting = [effect for effect in play.effects if effect.rounds is None]
        return play.next_turn().with_effects(sheet, lasting).model_copy(
            update={"repeated": False, "repeats": 0, "holds": [], "bonds": []})

    def tell_change(self, sheet: "ConDice", before: ConDicePlay, after: ConDicePlay) -> str:
        """Name the others at the table whose sheets still have a hold of this character, or on it."""
        names = dict.fromkeys([*(one.target for one in before.holds if one.source),
                               *(one.by for one in before.bonds if one.source)])
        if not any(names):
            return self.tell(sheet, after)
        return _("For {names} the hold stays on their own sheet until a new fight begins there, too, or somebody ends "
                 "it.").format(names=", ".join(filter(None, names)))


class EndAdventure(Act):
    """CD-46: the adventure is over; lost points come back, life is full."""

    title, rules, group = _("End the adventure"), ("CD-46",), rolls.TABLE
    opponents_too = False

    @classmethod
    def offered(cls, sheet: "ConDice", play: ConDicePlay) -> Iterator[Offer]:
        """Offer it while points are lost, a loss is due, or life is not full."""
        if play.losses or play.losses_due or play.life is not None:
            yield cls.asking()

    def apply(self, sheet: "ConDice", play: ConDicePlay, outcome: Thrown = None) -> Play:
        """Return a fresh state that keeps the items."""
        return ConDicePlay(items=play.items, full_life=play.full_life)
