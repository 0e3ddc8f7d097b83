"""The addresses of every kind of page, each for whoever sees most of it."""

from builder.management.commands.demo import PLAYER
from builder.wizard.steps import steps
from sheets.models import Party, Sheet

NOBODY = ("/", "/account/login/", "/account/signup/", "/account/password/reset/", "/import/", "/paste/", "/validate/",
          "/verify/", "/privacy/", "/accessibility/", "/api/v1/docs", "/join/there/", "/nowhere/")
ACCOUNT = ("/", "/sheets/", "/sheets/trash/", "/parties/", "/opponents/", "/reviews/", "/notifications/", "/account/",
           "/account/email/", "/account/password/change/", "/account/2fa/", "/account/delete/", "/reports/")
PARTY = ("", "table/", "table/?_by={sheet}", "settings/", "house/", "opponents/", "handouts/", "scenes/", "ready/",
         "print/", "leave/")
SHEET = ("/sheets/{sheet}/", "/sheets/{sheet}/luck/", "/sheets/{sheet}/review/", "/sheets/{sheet}/history/",
         "/sheets/{sheet}/export/", "/sheets/{sheet}/print/", "/sheets/{sheet}/picture/", "/shared/{share}/")


def pages(slug):
    """Yield (role, address) of the kinds of page, a system's or, where it is "", of those that belong to none."""
    if not slug:
        yield from (("stranger", address) for address in NOBODY)
        yield from (("gm", address) for address in ACCOUNT)
        return
    party = Party.objects.filter(ruleset=slug).first()
    sheet = Sheet.objects.filter(ruleset=slug, owner__username=PLAYER).exclude(share=None).first()
    keys = {"sheet": sheet.pk, "share": sheet.share}
    yield from (("gm", f"/parties/{party.pk}/{part.format(**keys)}") for part in PARTY)
    yield from (("player", address.format(**keys)) for address in SHEET)
    yield from (("player", f"/drafts/{sheet.pk}/{step}/") for step in steps(sheet.system))
    yield from (("stranger", f"/{kind}/{slug}/") for kind in ("rules", "dice", "compare"))
