from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulesets import systems


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: what this is, and every system there is."""
    return render(request, "home.html", {"systems": systems().values()})
