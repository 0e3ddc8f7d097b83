"""The page of a system's rules in the site's own words: an anchor per rule, an index of terms, and single rules."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from rulesets.folding import order_key
from sheets.access import PageRequest
from sheets.models import system_or_404


@require_safe
def rules(request: PageRequest, slug: str) -> HttpResponse:
    """Show all numbered rules of a system in the reader's language; htmx gets only the one that `?rule=` names."""
    ruleset = system_or_404(slug)
    texts = ruleset.rules(get_language())
    if request.htmx and (one := texts.get(request.GET.get("rule", ""))):
        return render(request, "site/_rule.html", {"ruleset": ruleset, "rule": one})
    context = {"ruleset": ruleset, "rules": texts.values(),
               "terms": partial(sorted, texts.values(), key=lambda one: order_key(one.title))}
    return render(request, "site/rules.html", context)
