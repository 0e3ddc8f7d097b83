"""The luck of a party in a scene: a page, or the part of it that the recap unfolds."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sheets.access import PageRequest, membership
from sheets.parties.scene_luck import luck_of_scene
from sheets.scenes.titles import scene_time, scene_title
from sheets.stage.table import PartyTable


@require_safe
@never_cache
def scene_luck(request: PageRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show how lucky the characters of a party were in a scene, as far as the member may know it."""
    me = membership(request, pk)
    table, scene = PartyTable(me, everywhere=True), get_object_or_404(me.party.scenes, uuid=uuid)
    whole, each = luck_of_scene(table, scene)
    return render(request, "parties/scenes/_luck.html" if request.htmx else "parties/scenes/luck.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": scene, "title": scene_title(scene),
        "time": scene_time(scene), "luck": whole, "each": each})
