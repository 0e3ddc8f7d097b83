"""The page of a scene for anybody who has its link."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sheets.parties.onlookers import OnlookersTable, lines_of, shared_scene
from sheets.scenes.titles import scene_time, scene_title


@require_safe
@never_cache
def onlookers(request: HttpRequest, token: str) -> HttpResponse:
    """Show a scene to anybody who has its link; they can do nothing there."""
    scene = shared_scene(token)
    table = OnlookersTable(scene)
    return render(request, "parties/scenes/onlookers.html", {
        "scene": scene, "ruleset": table.ruleset, "title": scene_title(scene), "time": scene_time(scene),
        "whose_turn": table.whose_turn, "lines": lines_of(table)})
