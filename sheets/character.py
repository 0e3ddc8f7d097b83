"""A stored sheet with its parsed data, as it is played."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, tee
from typing import Any

from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from rulesets.kit import Act, FreeRoll, Gauge, Nudge, Offer, Part, Roll, Seated, redacted
from sheets.models import CO_GM, GM, Member, PendingEffect, Sheet
from sheets.models.events import APPLIED
from sheets.status.reviews import ReviewStatus, review_status

READ = ("version", "name", "data", "house", "play", "played", "party_id")
"""The fields of a sheet that a character is made from."""


class Character:
    """A stored sheet with its parsed data: the system, the sheet as written, the state of play, the sheet as it is now.

    If the party's GMs have approved a revision, that is played, even if the sheet has changed since. In a party, the
    state of play includes the party's shared counters. With `others`, it is the sheet as everybody but its owner sees
    it, for reading only; with `unplayed`, it is as if nothing had happened at the table yet. `sees_foe` is True if the
    reader may see the paired opponent, which not all readers may. `reader` is the user's key, None for an unknown
    reader, as with a shared link.
    """

    def __init__(self, sheet: Sheet, status: ReviewStatus | None = None, *, others: bool = False,
                 unplayed: bool = False) -> None:
        self.sheet, self.review_status, self.others = sheet, status or review_status(sheet), others
        self.unplayed, self.sees_foe = unplayed, not others
        self.reader = None if others else sheet.owner_id
        self.ruleset = sheet.system
        # The same as `shown_state`, without its query.
        state = self.review_status.revision or sheet
        self.name = state.name
        self.house = self.ruleset.house.model_validate(state.house)
        self.written = self.ruleset.sheet.model_validate(state.data).under(self.house)
        whole = self.ruleset.play.model_validate({} if unplayed else {**sheet.play, **self.common()})
        self.play = redacted(whole) if others else whole
        self.now = self.play.effective(self.written)
        self.barred = self._barred()
        """The reason why the sheet cannot be played, "" if it can."""
        self._made: dict[Any, Iterator[Offer]] = {}

    @property
    def target_name(self) -> str:
        """The name for the target of a deed: "you" if the sheet is the reader's own and no opponent."""
        own = self.reader is not None and self.reader == self.sheet.owner_id and not self.sheet.opponent
        return pgettext("whom a blow hits", "you") if own else self.name

    def of(self, sheet: Sheet) -> "Character":
        """Return the character for another state of the same sheet, for the same reader."""
        found = Character(sheet, self.review_status, others=self.others)
        found.reader = self.reader
        return found

    def _barred(self) -> str:
        party = self.sheet.party
        if party is None or not party.approval or self.sheet.opponent or self.review_status.revision:
            return ""
        if self.review_status.waiting:
            return _("In this party only sheets approved by a GM can be played; this one is waiting for approval.")
        if self.others:
            return _("In this party only sheets approved by a GM can be played.")
        return _("In this party only sheets approved by a GM can be played; submit this one first.")

    def is_unchanged(self, sheet: Sheet, status: ReviewStatus | None = None) -> bool:
        """Return True if `sheet`, the same row read again, is unchanged, and so are its reviews and its party.

        `status` is its review status, if known.
        """
        was = self.sheet
        if any(getattr(was, key) != getattr(sheet, key) for key in READ):
            return False
        return not sheet.party or (
            was.party is not None
            and (was.party.table, was.party.approval) == (sheet.party.table, sheet.party.approval)
            and self.review_status == (status or review_status(sheet, self.review_status)))

    def common(self) -> dict[str, Any]:
        """Return the counters that the sheet shares with its party."""
        if not self.sheet.party or not self.ruleset.shared:
            return {}
        table = self.ruleset.table.model_validate(self.sheet.party.table)
        return {key: getattr(table, key) for key in self.ruleset.shared}

    @property
    def as_seated(self) -> Seated:
        """The character as the party's table sees it."""
        return Seated(self.name, self.written, self.play)

    @cached_property
    def read_by_gm(self) -> bool:
        """True if the reader acts as one of the GMs of its party, or if it is in none."""
        party, there = self.sheet.party_id, Member.objects.filter(user=self.reader, role__in=(GM, CO_GM))
        return party is None or (self.reader is not None and there.filter(party=party).exists())

    def gauges(self) -> Iterator[Gauge]:
        """Yield the gauges, with the buttons that lower and raise them only if the reader may press these."""
        for gauge in self.play.gauges(self.written):
            less, more = (nudge and self._for_reader(nudge) for nudge in (gauge.less, gauge.more))
            yield replace(gauge, less=less, more=more)

    def _for_reader(self, nudge: Nudge) -> Nudge | None:
        cls = nudge.offer.cls
        return nudge if not (issubclass(cls, Act) and cls.gm_only) or self.read_by_gm else None

    def takes_part(self, offer: Offer) -> bool:
        """Return True if the character takes part in a group action."""
        if self.barred or not issubclass(offer.cls, Act):
            return not self.barred
        return (offer.cls.opponents_too or not self.sheet.opponent) and offer.cls.takes_part(self.written, self.play)

    @cached_property
    def foe(self) -> "Character | None":
        """The paired opponent without its secrets; None if there is none at the table."""
        found = paired_with(self.sheet) if self.sees_foe and self.ruleset.crossing.paired(self.play) else None
        return Character(found, others=True) if found else None

    @cached_property
    def offers_without_partner(self) -> list[Offer]:
        """The acts that are offered because the paired opponent is no longer at the table."""
        crossing = self.ruleset.crossing
        gone = self.sees_foe and crossing.paired(self.play) and self.foe is None
        return [*crossing.offers_without_partner(self.written, self.play)] if gone else []

    def offers(self, kind: type = object, *, aimed: bool = False) -> Iterator[Offer]:
        """Yield the rolls, then the acts, of the given kind."""
        if not issubclass(kind, Act):
            yield from self.rolls()
        if not issubclass(kind, Roll):
            yield from self.acts(aimed=aimed)

    def rolls(self) -> Iterator[Offer]:
        """Return the rolls of the sheet as it is now."""
        return self._once("rolls", lambda: chain(
            self._met(self.now.roll_offers(self.play), self.written, self.now, self.play), [FreeRoll.offer(rare=True)]))

    def _once(self, which: Any, make: Callable[[], Iterator[Offer]]) -> Iterator[Offer]:
        """Return the offers named `which`, made lazily and only once in each language."""
        key = which, get_language()
        self._made[key], found = tee(self._made.get(key) or make())
        return found

    def repeats(self) -> Iterator[Offer]:
        """Yield the acts that would repeat the last roll."""
        for act in self.ruleset.acts.values():
            if act.repeats:
                yield from act.offered(self.written, self.play)

    def acts(self, *, aimed: bool = False) -> Iterator[Offer]:
        """Return the acts that make sense now, those that need a target only if there is one (`aimed`)."""
        return self._once(("acts", aimed), lambda: self._acts(aimed=aimed))

    def _acts(self, *, aimed: bool) -> Iterator[Offer]:
        for act in self.ruleset.acts.values():
            if aimed or not act.aimed:
                offers = act.offered(self.written, self.play)
                if act.gm_only:
                    offers = (one for one in offers if self.read_by_gm)
                yield from self._met(offers, self.play, self.written)
        yield from self.offers_without_partner

    def _met(self, offers: Iterator[Offer], *places: Part) -> Iterator[Offer]:
        """Return the offers adapted to the paired opponent, if any, each with its row in these `places`."""
        if self.foe:
            crossing, figures = self.ruleset.crossing, self._figures
            faced = (crossing.adapt_to_partner(one, figures) for one in offers)
            offers = (crossing.with_target_figures(one, figures) for one in faced if one)
        return (one.at_row(self.play, *places) for one in offers if not one.about or one.about in self._at_table)

    @cached_property
    def _at_table(self) -> set[str]:
        """The keys of all sheets that are played at its party's table."""
        there = Sheet.objects.filter(party=self.sheet.party_id, offered=False, deleted=None)
        return {str(pk) for pk in there.values_list("pk", flat=True)} if self.sheet.party_id else set()

    @cached_property
    def _figures(self) -> Mapping[str, Any]:
        return self.ruleset.crossing.figures(self.foe.written, self.foe.play) if self.foe else {}


def paired_with(sheet: Sheet, *, gone: bool = False) -> Sheet | None:
    """Return the sheet at the same table that `sheet` is paired with, if the pairing is mutual; it is not locked.

    With `gone` it may be in the trash.
    """
    party, act = sheet.party, sheet.system.crossing.pairs
    if party is None or act is None:
        return None
    found = _pairing(sheet, act.slug)
    other = found and (found.event.sheet_id if found.sheet_id == sheet.pk else found.sheet_id)
    there = Sheet.objects.filter(pk=other, party=party, offered=False).first() if other else None
    if there is None or (there.deleted and not gone) or _pairing(there, act.slug) != found:
        return None
    there.party = party
    return there


def _pairing(sheet: Sheet, act: str) -> PendingEffect | None:
    """Return the pending effect that last paired a sheet in its party."""
    pairings = PendingEffect.objects.filter(Q(sheet=sheet.pk) | Q(event__sheet=sheet.pk), state=APPLIED, act=act,
                                            event__party=sheet.party_id)
    return pairings.select_related("event").order_by("-applied").first()
