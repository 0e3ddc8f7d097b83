"""The rules of a system in our own words, an anchor per rule."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from rulesets import systems


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Every numbered rule of a system in the reader's language."""
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    return render(request, "site/rules.html", {"ruleset": ruleset, "rules": ruleset.rules(get_language()).values()})
