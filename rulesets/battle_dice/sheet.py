"""The deck: its cards, its figures, and the rolls that it offers (BD-01 to BD-06)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import battles, hints, measures, rolls
from rulesets.battle_dice.card import MANA_LABEL, Card
from rulesets.battle_dice.cards import CATALOGUE, DECK_SLUGS, LISTED_CARDS, AnyCard, Custom, listed_card, merge_rows
from rulesets.battle_dice.house import BattleDiceHouse as BattleDiceHouse  # noqa: PLC0414
from rulesets.battle_dice.keywords import KEYWORDS, KINDS, TERMS, X, value_points
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

DECK_STEP = Step("deck", _("Deck"), _(
    "By the book: eight cards, no more than three of a kind. Dice Minions are summoned in play, not put in the deck."))
CARD_UNIT = Unit(_("Cards"), _("{spent} of {budget} cards"), _("more to choose, of {budget} cards"),
                 _("{spent} of {budget} cards chosen."), _("To choose"), ngettext_lazy(
                     "card too many; {budget} are allowed", "cards too many; {budget} are allowed", "over"))
_TOO_FEW = ngettext_lazy("{n} card is in the deck, but it must be exactly {wanted}; choose {more} more.",
                         "{n} cards are in the deck, but it must be exactly {wanted}; choose {more} more.", "n")
_TOO_FEW_LISTED = ngettext_lazy(
    "{n} card is in the deck, it must be exactly {wanted}; choose {more} more. The list has room for {room} of them, "
    "the others have to be own cards.",
    "{n} cards are in the deck, it must be exactly {wanted}; choose {more} more. The list has room for {room} of them, "
    "the others have to be own cards.", "n")


class BattleDice(Sheet):
    """A deck."""

    cards: list[AnyCard] = rows(_("Cards"), step=DECK_STEP, row_name=_("Card"), counted="copies", terms=TERMS)

    @property
    def distinct_cards(self) -> list[tuple[int, Card]]:
        """(index of its first row, card with the copies of all its rows) of each card."""
        return list(merge_rows(self.cards))

    def card_named(self, name: str) -> Card:
        """Return the card with that name in play; an empty card if neither the deck nor the list has it."""
        matches = (card for card in (*self.cards, *LISTED_CARDS) if card.name_in_play == name)
        return next(matches, None) or Custom(card="custom", copies=0, name=name, cost=0)

    def ledger(self, house: BattleDiceHouse) -> Ledger:
        """Return the ledger: the copies of each card are spent, and the size of a deck is the budget."""
        lines = tuple(Spent(card.label, f"cards.{row}", card.copies) for row, card in self.distinct_cards)
        return Ledger(house.deck_size, lines, CARD_UNIT)

    @derived("cards", _("Cards"), "BD-01", "BD-05", tile=False)
    def size(self, house: BattleDiceHouse | None = None) -> int:
        """Return the number of cards in the deck."""
        return sum([card.copies for card in self.cards])

    @derived("mana_curve", _("Mana curve"), "BD-05", words="costs_in_words")
    def mana_curve(self, house: BattleDiceHouse | None = None) -> dict[str, Any]:
        """Return {cost: copies} in ascending order, X last."""
        curve: dict[int | str, int] = {}
        for card in self.cards:
            if card.copies:
                cost = card.mana_cost
                curve[cost] = curve.get(cost, 0) + card.copies
        last = {X: curve.pop(X)} if X in curve else {}
        return {str(cost): curve[cost] for cost in sorted(curve)} | last

    @derived("average_cost", _("Average cost"), "BD-05", how="{0.average_in_words}")
    def average_cost(self, house: BattleDiceHouse | None = None) -> str | None:
        """Return the average cost of a card as a fraction, without cards that cost X; None if there are no others."""
        return None if self.average is None else str(self.average)

    @derived("keywords", _("Keywords"), "BD-05", "BD-20", words="keywords_in_words")
    def keywords(self, house: BattleDiceHouse | None = None) -> dict[str, Any]:
        """Return {keyword: sum over all copies}; a keyword without a number counts 1, X is left out."""
        return self.keyword_sums(at_half_life=False)

    @property
    def average(self) -> Fraction | None:
        """The average cost of a card, without cards that cost X; None if there are no others."""
        costs: list[tuple[Any, int]] = [(card.mana_cost, card.copies) for card in self.cards if card.mana_cost != X]
        cards = sum([copies for _cost, copies in costs])
        return Fraction(sum([cost * copies for cost, copies in costs]), cards) if cards else None

    @property
    def average_in_words(self) -> str:
        """The average as a decimal, and the number of effects of each kind (BD-05)."""
        counts = dict.fromkeys(KINDS, 0)
        for card in self.cards:
            for effect in card.card_effects:
                counts[effect.kind] += card.copies
        effects = ", ".join(f"{title} {counts[kind]}" for kind, title in KINDS.items())
        text = _("{n} time mana per card; effects: {effects}")
        return text.format(n="–" if self.average is None else decimal(self.average), effects=effects)

    def keyword_sums(self, *, at_half_life: bool) -> dict[str, int]:
        """Return {keyword: sum over all copies}, for avatars above half life or at half life."""
        sums: dict[str, int] = {}
        for card in self.cards:
            for keyword in card.card_keywords if card.copies else ():
                if keyword.value != X:
                    points = value_points(keyword.value, at_half_life=at_half_life)
                    sums[keyword.keyword] = sums.get(keyword.keyword, 0) + points * card.copies
        return {key: sums[key] for key in KEYWORDS if key in sums}

    def costs_in_words(self, house: BattleDiceHouse) -> dict[str, str]:
        """Return {cost: label} of the mana curve."""
        return {cost: f"{cost} {MANA_LABEL}" for cost in self.mana_curve()}

    def keywords_in_words(self, house: BattleDiceHouse) -> dict[str, str]:
        """Return {keyword: label}, with the sum at half life where it differs."""
        halved, text = self.keyword_sums(at_half_life=True), _("{keyword} ({n} at half life or less)")
        return {key: KEYWORDS[key] if halved[key] == n else text.format(keyword=KEYWORDS[key], n=halved[key])
                for key, n in self.keywords().items()}

    @rule("BD-01")
    def check_size(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """Yield an error if there are too few or too many cards."""
        size, wanted = self.size(), house.deck_size
        if size < wanted:
            room = sum(max(0, house.same_card - copies) for copies in self.fillable().values())
            message = _TOO_FEW if wanted - size <= room else _TOO_FEW_LISTED
            yield error(message, "cards", self.additions(house, wanted - size), lacking=True, n=size,
                        wanted=wanted, more=wanted - size, room=room)
        elif size > wanted:
            yield error(_("{n} cards are in the deck, but it must be exactly {wanted}; take {more} out."), "cards",
                        self.removals(size - wanted), n=size, wanted=wanted, more=size - wanted)

    def additions(self, house: BattleDiceHouse, more: int) -> Iterator[Mend]:
        """Yield the ways to add cards: more copies of a card, a new listed card, or some of each."""
        present = {card.card: (row, card) for row, card in self.distinct_cards if card.card in DECK_SLUGS}
        for row, card in present.values():
            if card.copies + more <= house.same_card:
                yield Mend(_("{n} more {card}"), {f"cards.{row}.copies": self.cards[row].copies + more},
                           n=more, card=card.label)
        for slug in DECK_SLUGS:
            if slug not in present and more <= house.same_card:
                yield Mend(_("Add {n} {card}"), {"cards": [*self._dump_cards(), listed_card(slug, more).model_dump()]},
                           n=more, card=CATALOGUE[slug].title)
        filled, left = self._dump_cards(), more
        for key, copies in self.fillable().items():
            room = min(left, max(0, house.same_card - copies))
            if isinstance(key, int):
                filled[key]["copies"] += room
            elif room:
                filled.append(listed_card(key, room).model_dump())
            left -= room
        yield Mend(_("Fill up the deck"), {"cards": filled})

    def fillable(self) -> dict[int | str, int]:
        """Return {row or slug: copies} of the cards to fill a deck up with: listed cards, then custom ones."""
        present = {card.card: (row, card.copies) for row, card in self.distinct_cards if card.card in DECK_SLUGS}
        copies_by_row: dict[int | str, int] = dict(present.get(slug, (slug, 0)) for slug in DECK_SLUGS)
        return copies_by_row | {row: card.copies for row, card in self.distinct_cards if card.card == "custom"}

    def removals(self, over: int) -> Iterator[Mend]:
        """Yield the ways to take cards out: copies of one card, a whole card, or the last cards of the list."""
        for row, card in enumerate(self.cards):
            if card.copies > over:
                yield Mend(_("{n} fewer {card}"), {f"cards.{row}.copies": card.copies - over},
                           n=over, card=card.label)
            elif card.copies == over:
                yield Mend(_("Take {card} out"), {f"cards.{row}": DROP}, card=card.label)
        patch: dict[str, Any] = {}
        for row in reversed(range(len(self.cards))):
            if removed := min(over, self.cards[row].copies):
                left = self.cards[row].copies - removed
                patch |= {f"cards.{row}.copies": left} if left else {f"cards.{row}": DROP}
            over -= removed
        yield Mend(_("Take out the last cards"), patch)

    def _dump_cards(self) -> list[dict[str, Any]]:
        return [card.model_dump() for card in self.cards]

    @rule("BD-02")
    def check_copies(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """Yield an error for each card with too many copies in all its rows."""
        for row, card in self.distinct_cards:
            if card.copies > house.same_card:
                others = [n for n, one in enumerate(self.cards) if one.key == card.key and n != row]
                patch = {f"cards.{row}.copies": house.same_card} | {f"cards.{n}": DROP for n in others}
                yield error(_("{card} is in the deck {n} times, but only {most} are allowed."), f"cards.{row}.copies",
                            [Mend(_("Keep {most} {card}"), patch, most=house.same_card, card=card.label)],
                            card=card.label, n=card.copies, most=house.same_card)

    @rule("BD-04")
    def check_consent(self, house: BattleDiceHouse) -> Iterator[Finding]:
        """Yield a need for approval for each custom card, unless the house rules ask for no consent."""
        for row, card in self.distinct_cards if house.consent else ():
            if card.card == "custom":
                patch = {f"cards.{n}": DROP for n, one in enumerate(self.cards) if one.key == card.key}
                yield approval(_("{card} is not on the list of cards; the GM has to agree to it."), f"cards.{row}",
                               [Mend(_("Take {card} out"), patch, card=card.label)], card=card.label)

    def hints(self, house: BattleDiceHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the chances to draw each card, and the benefit of one more die."""
        yield from hints.deck_hints(self, house)

    def measures(self, house: BattleDiceHouse) -> Iterator[Measure]:
        """Yield the figures to compare the deck with a party."""
        yield from measures.deck_measures(self)

    def roll_offers(self, play: "BattleDicePlay") -> Iterator[Offer]:
        """Yield the battle rolls with the current figures, the chances to draw cards, then other rolls."""
        attack, defence, flink = play.attack_dice(self), play.defence_dice(self), play.flink(self)
        if attack <= rolls.MAX_DICE:
            yield rolls.Battle.offer(_("Your attack"), "attack", _("AD {n}").format(n=attack), attack_dice=attack,
                                     aims={"defence_dice": "defence_dice", "flink": "flink"})
        if not rolls.exceeds_limits(defence, flink=flink):
            note = _("DD {n}, Flink {flink}").format(n=defence, flink=flink)
            yield rolls.Battle.offer(_("The opponent's attack"), "defence", note, defence_dice=defence,
                                     aims={"attack_dice": "attack_dice"},
                                     flink=battles.useful_flink(defence, defence, flink))
        yield rolls.Battle.offer(_("Any battle dice"), "any")
        if self.size() == rolls.DECK_SIZE:
            for roll, title in ((rolls.OpeningHand, _("In the opening hand: {cards}")),
                                (rolls.Seen, _("Drawn yet? {cards}"))):
                yield from (roll.offer(title.format(cards=cards), str(copies), copies=copies)
                            for copies, cards in self.names_by_copies().items())
        yield rolls.Heal.offer(rare=True)
        yield rolls.Minion.offer(rare=True)

    def names_by_copies(self) -> dict[int, str]:
        """Return {copies: names of the cards with this number of copies}."""
        names_of = by_key((card.copies, str(card.label)) for _row, card in self.distinct_cards
                       if 0 < card.copies <= rolls.DECK_SIZE)
        return {copies: ", ".join(names) for copies, names in sorted(names_of.items(), reverse=True)}
