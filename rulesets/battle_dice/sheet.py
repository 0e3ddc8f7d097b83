"""The deck: eight cards, its figures, and what rolls it brings to the table (BD-01 to BD-06)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import flink as flinks
from rulesets.battle_dice import hints, measures, rolls
from rulesets.battle_dice.card import MANA, Card
from rulesets.battle_dice.cards import CATALOGUE, LISTED, OWN, AnyCard, Custom, listed, together
from rulesets.battle_dice.house import BattleDiceHouse as BattleDiceHouse  # noqa: PLC0414
from rulesets.battle_dice.keywords import KEYWORDS, KINDS, TERMS, X, amount
from rulesets.grouping import by_key
from rulesets.kit import (
    DROP,
    Finding,
    Ledger,
    Measure,
    Mend,
    Offer,
    Sheet,
    Spent,
    Step,
    Unit,
    Wording,
    approval,
    decimal,
    derived,
    error,
    rows,
    rule,
)

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay

DECK = Step("deck", _("Deck"), _(
    "By the book eight cards, no more than three of a kind. Dice Minions come in play, not in the deck."))
CARDS = Unit(_("Cards"), _("{spent} of {budget} cards"), _("more to choose, of {budget} cards"),
             _("{spent} of {budget} cards chosen."), _("To choose"), ngettext_lazy(
                 "card too many; {budget} are allowed", "cards too many; {budget} are allowed", "over"))


_MORE = ngettext_lazy("{n} card is in the deck, it must be exactly {wanted}; choose {more} more.",
                      "{n} cards are in the deck, it must be exactly {wanted}; choose {more} more.", "n")
_MORE_OF_OWN = ngettext_lazy(
    "{n} card is in the deck, it must be exactly {wanted}; choose {more} more. The list has room for {room} of them, "
    "the others have to be own cards.",
    "{n} cards are in the deck, it must be exactly {wanted}; choose {more} more. The list has room for {room} of them, "
    "the others have to be own cards.", "n")


class BattleDice(Sheet):
    """A deck."""

    cards: list[AnyCard] = rows(_("Cards"), step=DECK, one=_("Card"), counted="copies", terms=TERMS)

    @property
    def kinds(self) -> list[tuple[int, Card]]:
        """(row, card with all its copies) of each card."""
        return list(together(self.cards))

    def card(self, name: str) -> Card:
        """The card of a name at the table; one that the deck and the list lack has a name and no more."""
        known = (card for card in (*self.cards, *LISTED) if card.name_on_it == name)
        return next(known, None) or Custom(card="custom", copies=0, name=name, cost=0)

    def ledger(self, house: BattleDiceHouse) -> Ledger:
        """Return the cards by kind."""
        lines = tuple(Spent(card.label, f"cards.{row}", card.copies) for row, card in self.kinds)
        return Ledger(house.deck_size, lines, CARDS)

    @derived("cards", _("Cards"), "BD-01", "BD-05", tile=False)
    def size(self, house: BattleDiceHouse | None = None) -> int:
        """Return the cards in the deck."""
        return sum([card.copies for card in self.cards])

    @derived("mana_curve", _("Mana curve"), "BD-05", words="costs_in_words")
    def mana_curve(self, house: BattleDiceHouse | None = None) -> dict[str, Any]:
        """Return {cost: copies}, the costs ascending, X last."""
        found: dict[int | str, int] = {}
        for card in self.cards:
            if card.copies:
                cost = card.price_in_mana
                found[cost] = found.get(cost, 0) + card.copies
        last = {X: found.pop(X)} if X in found else {}
        return {str(cost): found[cost] for cost in sorted(found)} | last

    @derived("average_cost", _("Average cost"), "BD-05", how="{0.in_words}")
    def average_cost(self, house: BattleDiceHouse | None = None) -> str | None:
        """Return the average cost of a card as a fraction, costs of X aside; None if no card has a number."""
        found = self.average
        return None if found is None else str(found)

    @derived("keywords", _("Keywords"), "BD-05", "BD-20", words="keywords_in_words")
    def keywords(self, house: BattleDiceHouse | None = None) -> dict[str, Any]:
        """Return {keyword: sum over all copies}; one without a number counts its cards, X is not summed."""
        return self.sums(hurt=False)

    @property
    def average(self) -> Fraction | None:
        """The average cost of a card."""
        paid: list[tuple[Any, int]] = [(card.price_in_mana, card.copies) for card in self.cards
                                       if card.price_in_mana != X]
        cards = sum([copies for _cost, copies in paid])
        return Fraction(sum([cost * copies for cost, copies in paid]), cards) if cards else None

    @property
    def in_words(self) -> str:
        """The average as a decimal, and the effects by kind (BD-05)."""
        found = dict.fromkeys(KINDS, 0)
        for card in self.cards:
            for one in card.effects_on_it:
                found[one.kind] += card.copies
        effects = ", ".join(f"{title} {found[kind]}" for kind, title in KINDS.items())
        text = _("{n} time mana a card; effects: {effects}")
        return text.format(n="–" if self.average is None else decimal(self.average), effects=effects)

    def sums(self, *, hurt: bool) -> dict[str, int]:
        """Return the sums of the keywords, above half life or hurt."""
        found: dict[str, int] = {}
        for card in self.cards:
            for one in card.carried if card.copies else ():
                if one.value != X:
                    found[one.keyword] = found.get(one.keyword, 0) + amount(one.value, hurt=hurt) * card.copies
        return {key: found[key] for key in KEYWORDS if key in found}

    def costs_in_words(self, house: BattleDiceHouse) -> dict[str, str]:
        """Return the labels of the mana curve."""
        return {cost: f"{cost} {MANA}" for cost in self.mana_curve()}

    def keywords_in_words(self, house: BattleDiceHouse) -> dict[str, str]:
        """Return the labels of the keywords, with the sum at half life where it is another."""
        hurt, text = self.sums(hurt=True), _("{keyword} (at half life {n})")
        return {key: KEYWORDS[key] if hurt[key] == n else text.format(keyword=KEYWORDS[key], n=hurt[key])
                for key, n in self.keywords().items()}

    @rule("BD-01")
    def eight(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """Neither more cards nor fewer."""
        size, wanted = self.size(), house.deck_size
        if size < wanted:
            room = sum(max(0, house.same_card - copies) for copies in self.fillable().values())
            message = _MORE if wanted - size <= room else _MORE_OF_OWN
            yield error(message, "cards", self.additions(house, wanted - size), lacking=True, n=size,
                        wanted=wanted, more=wanted - size, room=room)
        elif size > wanted:
            yield error(_("{n} cards are in the deck, it must be exactly {wanted}; take {more} out."), "cards",
                        self.removals(size - wanted), n=size, wanted=wanted, more=size - wanted)

    def additions(self, house: BattleDiceHouse, more: int) -> Iterator[Mend]:
        """Yield the ways to add cards: copies of what is there, cards of the list, or some of each."""
        held = {card.card: (row, card) for row, card in self.kinds if card.card in OWN}
        for row, card in held.values():
            if card.copies + more <= house.same_card:
                yield Mend(_("{n} more {card}"), {f"cards.{row}.copies": self.cards[row].copies + more},
                           n=more, card=card.label)
        for slug in OWN:
            if slug not in held and more <= house.same_card:
                yield Mend(_("Add {n} {card}"), {"cards": [*self._dumped(), listed(slug, more).model_dump()]},
                           n=more, card=CATALOGUE[slug].title)
        filled, left = self._dumped(), more
        for key, copies in self.fillable().items():
            room = min(left, max(0, house.same_card - copies))
            if isinstance(key, int):
                filled[key]["copies"] += room
            elif room:
                filled.append(listed(key, room).model_dump())
            left -= room
        yield Mend(_("Fill the deck up"), {"cards": filled})

    def fillable(self) -> dict[int | str, int]:
        """Return {row or slug: copies in the deck} of what a deck is filled up with: the list, then own cards."""
        held = {card.card: (row, card.copies) for row, card in self.kinds if card.card in OWN}
        found: dict[int | str, int] = dict(held.get(slug, (slug, 0)) for slug in OWN)
        return found | {row: card.copies for row, card in self.kinds if card.card == "custom"}

    def removals(self, over: int) -> Iterator[Mend]:
        """Ways to take cards out: copies of one card, a whole card, or from the end of the list."""
        for row, card in enumerate(self.cards):
            if card.copies > over:
                yield Mend(_("{n} fewer {card}"), {f"cards.{row}.copies": card.copies - over},
                           n=over, card=card.label)
            elif card.copies == over:
                yield Mend(_("Take {card} out"), {f"cards.{row}": DROP}, card=card.label)
        patch: dict[str, Any] = {}
        for row in reversed(range(len(self.cards))):
            if taken := min(over, self.cards[row].copies):
                left = self.cards[row].copies - taken
                patch |= {f"cards.{row}.copies": left} if left else {f"cards.{row}": DROP}
            over -= taken
        yield Mend(_("Take the last cards out"), patch)

    def _dumped(self) -> list[dict[str, Any]]:
        return [card.model_dump() for card in self.cards]

    @rule("BD-02")
    def three(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """Copies over all rows of the same card."""
        for row, card in self.kinds:
            if card.copies > house.same_card:
                others = [n for n, one in enumerate(self.cards) if one.key == card.key and n != row]
                patch = {f"cards.{row}.copies": house.same_card} | {f"cards.{n}": DROP for n in others}
                yield error(_("{card} is in the deck {n} times, {most} are allowed."), f"cards.{row}.copies",
                            [Mend(_("Keep {most} {card}"), patch, most=house.same_card, card=card.label)],
                            card=card.label, n=card.copies, most=house.same_card)

    @rule("BD-04")
    def agreed(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """The GM has to agree to own cards, each told once however many rows it stands in, unless that is a given."""
        for row, card in self.kinds if house.consent else ():
            if card.card == "custom":
                patch = {f"cards.{n}": DROP for n, one in enumerate(self.cards) if one.key == card.key}
                yield approval(_("{card} is no card of the list; the GM has to agree to it."), f"cards.{row}",
                               [Mend(_("Take {card} out"), patch, card=card.label)], card=card.label)

    def hints(self, house: BattleDiceHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the chances to open with each card and to see it."""
        yield from hints.of(self, house)

    def measures(self, house: BattleDiceHouse) -> Iterator[Measure]:
        """Yield how it compares with a party."""
        yield from measures.of(self)

    def widgets(self, play: "BattleDicePlay") -> Iterator[Offer]:
        """Yield the battle as it stands, the deck's chances, then what the table rolls."""
        attack, defence, flink = play.attack(self), play.defence(self), play.flink_of(self)
        if attack <= rolls.MOST:
            yield rolls.Battle.asking(_("Your attack"), "attack", _("AD {n}").format(n=attack), attack_dice=attack,
                                      aims={"defence_dice": "defence_dice", "flink": "flink"})
        if not rolls.too_many(defence, flink=flink):
            note = _("DD {n}, Flink {flink}").format(n=defence, flink=flink)
            yield rolls.Battle.asking(_("The enemy's attack"), "defence", note, defence_dice=defence,
                                      aims={"attack_dice": "attack_dice"},
                                      flink=flinks.helping(defence, defence, flink))
        yield rolls.Battle.asking(_("Any battle dice"), "any")
        if self.size() == rolls.DECK:
            for roll, title in ((rolls.OpeningHand, _("In the opening hand: {cards}")),
                                (rolls.Seen, _("Seen by a turn: {cards}"))):
                yield from (roll.asking(title.format(cards=cards), str(copies), copies=copies)
                            for copies, cards in self.by_copies().items())
        yield rolls.Heal.asking(rare=True)
        yield rolls.Minion.asking(rare=True)

    def by_copies(self) -> dict[int, str]:
        """Return {copies: the names of the cards that have so many}."""
        found = by_key((card.copies, str(card.label)) for _row, card in self.kinds if 0 < card.copies <= rolls.DECK)
        return {copies: ", ".join(names) for copies, names in sorted(found.items(), reverse=True)}
