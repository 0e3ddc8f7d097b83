"""A scene as people with its link see it: names, deeds and outcomes, but no figures of sheets that are not public."""

from dataclasses import replace

from django.http import Http404
from django.utils.translation import gettext as _

from rulesets import systems
from sheets.character import Character
from sheets.models import PLAYER, PUBLIC, Member, Scene, Sheet
from sheets.stage.participants import Participant
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LogLine

LINES, DICE = 200, 2000
"""The most lines and dice that are shown; if there are more, the newest."""


class OnlookersTable(PartyTable):
    """The table of a shared scene as seen by a person outside the party."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(Member(party=scene.party, role=PLAYER), everywhere=True)
        self.scene = scene

    def seat(self, sheet: Sheet, character: Character | None = None) -> Participant:
        """Return a sheet at the table; its figures are shown only if it is public and no opponent."""
        public = sheet.seen_by == PUBLIC and not sheet.opponent
        return replace(super().seat(sheet, character), mine=False, shown=public, readable=public)


def shared_scene(token: str) -> Scene:
    """Return the scene with a share token; raise Http404 if there is none."""
    found = Scene.objects.select_related("party").filter(share=token).first()
    if found is None or found.party.ruleset not in systems():
        raise Http404
    return found


def lines_of(table: OnlookersTable) -> list[LogLine]:
    """Return the newest lines of the scene, the newest first; users are not named."""
    told = table.log.of_scene(table.scene, LINES, DICE)
    return [one if one.event.sheet_id else replace(one, who="" if one.event.turn else _("GM")) for one in told][::-1]
