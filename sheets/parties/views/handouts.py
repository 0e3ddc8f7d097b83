"""The handouts of a party, which GMs give to members: the list, and a page for each."""

from collections.abc import Collection
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import systems
from rulesets.folding import order_key
from rulesets.names import isolated, one_line
from sheets.access import handouts, membership
from sheets.buttons import pressed, pressed_about, row_key
from sheets.faces.pictures import HANDOUT, MOST_BYTES, BadPicture, glance, rewritten
from sheets.models import Handout, Member
from sheets.parties.handouts import TEXT, hand_out, open_handout, players, show_to, take_back
from sheets.parties.services import LONGEST, Full
from sheets.stage.handouts import new_for

ALL = "all"
"""The form's value for all members, including those who join later."""
SIZES = {"picture": "large", "glance": "small"}
"""{name of a size in an address: field of the handout}."""


class Both(Exception):
    """A form chooses all members and also some of them."""

    def __str__(self) -> str:
        return _("Both “Everyone” and single names are selected: choose one or the other. Nobody has received it yet.")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def handouts_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the handouts that a member may read; on POST create a handout as a GM, or open one."""
    if request.method != "POST":
        return _page(request, membership(request, pk))
    action, about = pressed_about(request.POST, ("give", "open"))
    if action == "open":
        with transaction.atomic():
            me = membership(request, pk, lock=True)
            shown = _handout(me, about)
            open_handout(me, shown)
        return redirect("handout", pk, shown.pk)
    me = membership(request, pk, gm=True)
    try:
        pictures = _pictures(request)
    except BadPicture as error:
        return _page(request, me, str(error))
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        fault = _give(request, me, pictures)
    return _page(request, me, fault) if fault else redirect("handouts", pk)


def _page(request: HttpRequest, me: Member, fault: str = "") -> HttpResponse:
    new = {one.pk for one in new_for(me)}
    return render(request, "parties/handouts/list.html", {
        "me": me, "party": me.party, "ruleset": systems()[me.party.ruleset], "fault": fault,
        "found": [(one, one.pk in new) for one in handouts(me).defer("large", "small", "text").order_by("-made")],
        "players": players(me.party) if me.gm else (),
        "title": request.POST.get("title", "")[:2 * LONGEST], "text": request.POST.get("text", "")[:2 * TEXT],
        "chosen": request.POST.getlist("whom") if request.method == "POST" else [ALL],
    }, status=422 if fault else 200)


def _pictures(request: HttpRequest) -> tuple[bytes, bytes] | None:
    """Return the posted picture in both sizes, None without one; raise `BadPicture` if it is invalid."""
    file = request.FILES.get("file")
    # One byte more than allowed suffices to detect a file that is too large.
    content = file.read(MOST_BYTES + 1) if file else b""
    if not content:
        return None
    large = rewritten(content, HANDOUT)
    return large, glance(large)


def _give(request: HttpRequest, me: Member, pictures: tuple[bytes, bytes] | None) -> str:
    """Create the handout of a form; return the error, "" if there is none."""
    title = one_line(request.POST.get("title", ""))
    text = request.POST.get("text", "").replace("\r\n", "\n").strip()
    if "\0" in text:
        return _("The text contains a NUL, which cannot be stored; remove it.")
    if not title:
        return _("The handout has no title yet; players need one to find it by.")
    for sent, most in ((title, LONGEST), (text, TEXT)):
        if len(sent) > most:
            return _("A text has {n} characters; the maximum here is {most}.").format(n=len(sent), most=most)
    if not (text or pictures):
        return _("There is nothing to read or see yet; write a text or choose a picture.")
    try:
        members = _whom(request, me)
        if members is not None and not members:
            return _("Nobody is selected to get it yet; choose at least one.")
        hand_out(me, title, text, pictures, members)
    except (Both, Full) as error:
        return str(error)
    messages.success(request, _("“{title}” has been handed out.").format(title=isolated(title)))
    return ""


def _whom(request: HttpRequest, me: Member) -> Collection[Member] | None:
    """Return the members that a form chooses, None for all; raise `Both` if it chooses all and some."""
    named = request.POST.getlist("whom")
    if ALL in named and len(named) > 1:
        raise Both
    return None if ALL in named else [one for one in players(me.party) if str(one.pk) in named]


def _handout(me: Member, number: str) -> Handout:
    """Return a handout that a member may read, or raise Http404."""
    return get_object_or_404(handouts(me), pk=row_key(number))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def handout(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a handout; on POST show it to more members, or delete it, for a GM."""
    if request.method != "POST":
        me = membership(request, pk)
        shown = get_object_or_404(handouts(me), pk=number)
        readers = sorted(shown.readers.select_related("member__user") if me.gm else [],
                         key=lambda one: order_key(one.member.user.username))
        reader_ids = {one.member_id for one in readers}
        return render(request, "parties/handouts/handout.html", {
            "me": me, "party": me.party, "ruleset": systems()[me.party.ruleset],
            "handout": shown, "readers": readers,
            "others": [one for one in players(me.party) if one.pk not in reader_ids] if me.gm else ()})
    action = pressed(request.POST, ("show", "take-back"))
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        shown = get_object_or_404(handouts(me).select_related("party"), pk=number)
        if action == "show":
            try:
                show_to(shown, _whom(request, me))
            except Both as error:
                messages.error(request, str(error))
            return redirect("handout", pk, number)
        title = shown.title
        take_back(shown)
    messages.success(request, _("“{title}” has been taken back; nobody has it any more.").format(title=isolated(title)))
    return redirect("handouts", pk)


@require_safe
def handout_picture(request: HttpRequest, pk: UUID, number: int, size: str) -> HttpResponse:
    """Return the picture of a handout that the member may read."""
    key = handouts(membership(request, pk)).filter(pk=number).exclude(small=None).values_list("key", flat=True).first()
    if key is None or size not in SIZES:
        raise Http404
    # A picture never changes, so the key suffices for the ETag.
    tag = f'"{key.hex}-{size}"'
    if (answer := get_conditional_response(request, etag=tag)) is None:
        content = Handout.objects.filter(pk=number).values_list(SIZES[size], flat=True).get()
        answer = HttpResponse(bytes(content or b""), content_type="image/webp")
    answer["ETag"] = tag
    return answer
