"""The messages about happenings in a party, limited to what its players see, in the active language."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from rulesets.names import isolated
from sheets.character import Character
from sheets.models import PLAYER, PRIVATE, AskedRoll, Event, Happening, Member, Party, PendingEffect, Scene, Sheet
from sheets.models.events import OPEN
from sheets.models.reviews import APPROVED, RETURNED
from sheets.models.webhooks import EVENT
from sheets.scenes.titles import scene_title
from sheets.stage.participants import Participant
from sheets.stage.table import PartyTable
from sheets.stage.turn_words import whose_turn
from sheets.status.reviews import shown_names

NOBODY = 0
"""The key of a user who does not exist and so owns no sheet."""
Message = tuple[str, dict[str, Any]]
"""The type of a message, and its data."""


class PlayersTable(PartyTable):
    """The table of a party as seen by a player who has no sheet there."""

    def __init__(self, party: Party) -> None:
        super().__init__(Member(party=party, user_id=NOBODY, role=PLAYER), everywhere=True)

    def seat(self, sheet: Sheet, character: Character | None = None) -> Participant:
        """Return a sheet at the table as nobody's own; a private opponent's figures are not shown."""
        readable = sheet.seen_by != PRIVATE
        return replace(super().seat(sheet, character), mine=False, readable=readable,
                       shown=readable or not sheet.opponent)


class MessageWriter:
    """Writes the messages about a party's happenings; it leaves out what was deleted or hidden in the meantime."""

    def __init__(self, party: Party) -> None:
        self.party, self.table = party, PlayersTable(party)
        self.seats = {str(one.sheet.pk): one for one in self.table.participants}
        self.writers = {EVENT: self._event, "turn.started": self._turn, "roll.asked": self._asked,
                        "review.submitted": self._submitted, "review.decided": self._decided,
                        "scene.opened": self._opened, "scene.closed": self._closed}

    def messages(self, happening: Happening) -> Iterator[Message]:
        """Yield (type, data) of each message about a happening."""
        yield from self.writers[happening.kind](happening.data)

    def _data(self, text: str, *, scene: Scene | None = None, seat: Participant | None = None,
              sheet: dict[str, str] | None = None, url: str = "", **more: Any) -> dict[str, Any]:
        at = f"{reverse('table', args=[self.party.pk])}{f'?{scene.query}' if scene else ''}"
        found: dict[str, Any] = {"party": {"id": str(self.party.pk), "name": self.party.name}}
        if scene:
            found["scene"] = {"id": str(scene.uuid), "name": scene_title(scene)}
        if seat:
            found["seat"] = {"id": str(seat.sheet.pk), "name": seat.name}
            sheet = sheet or (None if seat.sheet.opponent else found["seat"])
        if sheet:
            found["sheet"] = sheet
        return {**found, "text": text, "url": f"{settings.SITE_URL}{url or at}", **more}

    def _event(self, data: dict[str, Any]) -> Iterator[Message]:
        event = Event.objects.filter(pk=data["event"], party=self.party, hidden=False).select_related("scene").first()
        if event is None:
            return
        scene = event.scene
        if scene and scene.by_itself and not scene.events.filter(pk__lt=event.pk).exists():
            yield self._scene(scene, "scene.opened")
        for line in self.table.log.lines_about(event.pk) if event.roll else ():
            seen = line.event
            if seen.roll:
                link = f"{settings.SITE_URL}{reverse('receipt-of', args=[event.pk])}"
                yield "roll.made", self._data(
                    str(line), scene=scene, seat=self.seats.get(str(event.sheet_id)), number=seen.number,
                    receipt=link, outcome=seen.outcome)
        acts = self.table.ruleset.acts
        for effect in PendingEffect.objects.filter(event=event, state=OPEN).order_by("pk"):
            if seat := self.seats.get(str(effect.sheet_id)):
                act = acts.get(effect.act)
                text = _("Something is waiting for {name}.") if act is None or act.hides() else \
                    _("“{what}” is waiting for {name}.")
                yield "effect.pending", self._data(
                    text.format(name=isolated(seat.name), what=act.title if act else ""), scene=scene, seat=seat)

    def _turn(self, data: dict[str, Any]) -> Iterator[Message]:
        seats = [self.seats[key] for key in data["on"] if key in self.seats]
        scene = self._find(data)
        if seats and scene:
            yield "turn.started", self._data(whose_turn(seats), scene=scene, seat=seats[0] if len(seats) == 1 else None)

    def _asked(self, data: dict[str, Any]) -> Iterator[Message]:
        for one in AskedRoll.objects.filter(pk__in=data["asked"], party=self.party).order_by("pk"):
            if seat := self.seats.get(str(one.sheet_id)):
                text = _("{name} is asked for a roll: {what}").format(name=isolated(seat.name), what=one.title)
                yield "roll.asked", self._data(text, scene=self.party.scene_of(seat.sheet), seat=seat)

    def _sheet(self, data: dict[str, Any]) -> dict[str, str] | None:
        """Return the sheet that a review is about, if players may read it."""
        sheet = Sheet.objects.not_deleted().filter(pk=data["sheet"], party=self.party).exclude(seen_by=PRIVATE).first()
        return {"id": str(sheet.pk), "name": shown_names([sheet])[sheet.pk].strip() or _("Unnamed")} if sheet else None

    def _submitted(self, data: dict[str, Any]) -> Iterator[Message]:
        sheet = self._sheet(data)
        text = _("“{sheet}” has been submitted for approval.").format(sheet=isolated(sheet["name"])) if sheet else \
            _("A sheet has been submitted for approval.")
        yield "review.submitted", self._data(text, sheet=sheet, url=reverse("reviews"))

    def _decided(self, data: dict[str, Any]) -> Iterator[Message]:
        # Only its owner and the GMs learn that a sheet was returned.
        sheet = None if data["decision"] == RETURNED else self._sheet(data)
        text = _("A GM has decided about a sheet.")
        if sheet:
            text = _("“{sheet}” has been approved.") if data["decision"] == APPROVED else \
                _("The approval of “{sheet}” has been withdrawn.")
        yield "review.decided", self._data(text.format(sheet=isolated(sheet["name"]) if sheet else ""), sheet=sheet,
                                           url=reverse("party", args=[self.party.pk]))

    def _opened(self, data: dict[str, Any]) -> Iterator[Message]:
        if scene := self._find(data):
            yield self._scene(scene, "scene.opened")

    def _closed(self, data: dict[str, Any]) -> Iterator[Message]:
        if scene := self._find(data):
            yield self._scene(scene, "scene.closed")

    def _find(self, data: dict[str, Any]) -> Scene | None:
        return Scene.objects.filter(pk=data["scene"], party=self.party).first()

    def _scene(self, scene: Scene, kind: str) -> Message:
        text = _("The scene “{scene}” has begun.") if kind == "scene.opened" else _("The scene “{scene}” has ended.")
        return kind, self._data(text.format(scene=isolated(scene_title(scene))), scene=scene)
