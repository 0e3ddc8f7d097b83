"""The verification of an approval, for anyone who has its check code.

Nothing else prevents guessing: a code has 50 bits, and what it reveals is on paper anyway.
"""


from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sheets.audit_log.chain import CODE_LENGTH
from sheets.audit_log.check_codes import MAX_TYPED, grouped, is_code, normalized_code
from sheets.reviews.verification import proof_of


@require_safe
@never_cache
def verify(request: HttpRequest) -> HttpResponse:
    """Show the form for a check code; with `?code=` redirect to the page of that code."""
    code = normalized_code(request.GET.get("code", ""))
    if not code:
        return render(request, "reviews/verify.html")
    return redirect("verified", grouped(code)) if is_code(code) else _unknown(request, request.GET["code"])


@require_safe
@never_cache
def verified(request: HttpRequest, code: str) -> HttpResponse:
    """Show the public facts of the approval with a check code, in any spelling of the code."""
    proof = proof_of(normalized_code(code)) if is_code(normalized_code(code)) else None
    return render(request, "reviews/verify.html", {"proof": proof}) if proof else _unknown(request, code)


def _unknown(request: HttpRequest, typed: str) -> HttpResponse:
    code = normalized_code(typed)
    if is_code(code):
        fault = _("No approval has the check code {code}.").format(code=grouped(code))
    elif len(code) != CODE_LENGTH:
        fault = _("A check code has {letters} letters and digits; this one has "
                  "{n}.").format(letters=CODE_LENGTH, n=len(code))
    else:
        fault = _("This contains a letter or digit that no check code has.")
    return render(request, "reviews/verify.html", {"typed": typed[:MAX_TYPED], "fault": fault}, status=404)
