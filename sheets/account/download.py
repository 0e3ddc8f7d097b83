"""The download of everything that is stored about a user."""

import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial, reduce
from operator import or_
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import CASCADE, Q, QuerySet
from django.http import FileResponse, HttpRequest
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rulesets import systems
from sheets.documents import document_of, written
from sheets.export.download_cookie import set_download_cookie
from sheets.export.long_files import CHUNK_ROWS, chunks, file_response, json_pieces
from sheets.models import (
    Answer,
    Evening,
    Event,
    Handout,
    HandoutReader,
    Party,
    PushDevice,
    Receipt,
    Reply,
    Review,
    Sheet,
    Webhook,
)
from sheets.models.called import Called, Sought, by_name
from sheets.press.log import as_read
from sheets.signed_in import signed_in_user

RECEIPT = ("log", "number", "made", "key__identity", "nonce", "rolled", "token", "shared")
"""The columns of a receipt that are in the download; its dice are in the log, as far as its owner may see them."""

SECRET = ("owner", "guest", "veiled", "key", "hashed")
"""The columns that no row has in the download."""


@login_required
@require_safe
@never_cache
def download(request: HttpRequest) -> FileResponse:
    """Return the user's data as a zip file: the account, and each sheet as a document and with its history and log."""
    name = f"bogenschmiede-{request.user.username}"
    answer = file_response(partial(_write, signed_in_user(request)), "application/zip", name, "zip")
    set_download_cookie(request, answer)
    return answer


def _write(user: User, file: IO[bytes]) -> None:
    now = time.localtime()[:6]
    with zipfile.ZipFile(file, "w") as archive:
        for name, pieces in _files(user):
            entry = zipfile.ZipInfo(name, now)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as inside:
                for piece in pieces:
                    inside.write(piece)


def _files(user: User) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield (name, pieces) of each file of the zip: everything stored about a user except secrets."""
    yield "account.json", json_pieces({
        "format": "bogenschmiede.account", "version": 1, "made": timezone.now(),
        "account": {key: getattr(user, key) for key in
                    ("username", "email", "first_name", "last_name", "date_joined", "last_login", "is_superuser")},
        "emails": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        # Dice that the user threw as a GM, without a sheet.
        "dice": _rows(Event.objects.filter(who=user, sheet=None).order_by("pk")),
        "receipts": Receipt.objects.filter(dice_log__user=user).order_by("pk").values(
            *RECEIPT, "dice", "outcome").iterator(CHUNK_ROWS),
        # Handouts that the user made (their pictures are files), and those that they were given.
        "handouts": Handout.objects.filter(by=user).order_by("pk").values(
            "id", "party", "made", "title", "text", "for_all").iterator(CHUNK_ROWS),
        "given": _rows(HandoutReader.objects.filter(member__user=user).order_by("pk")),
        # The webhooks that depend on the user, without their addresses and secrets.
        "webhooks": Webhook.objects.filter(keeper=user).order_by("pk").values(
            "party", "form", "host", "kinds", "language", "state", "made").iterator(CHUNK_ROWS),
        "devices": list(PushDevice.objects.filter(user=user).order_by("pk").values("name", "language", "made")),
        # The user's answers to dates of evenings, and the evenings that the user planned.
        "evening_answers": Answer.objects.filter(member__user=user).order_by("pk").values(
            "evening__party", "starts", "answer", "made").iterator(CHUNK_ROWS),
        "evenings": Evening.objects.filter(planner=user).order_by("pk").values(
            "party", "state", "starts", "zone", "weeks", "note", "made").iterator(CHUNK_ROWS),
        # The parties in which the user has taken a ready-made character.
        "taken": list(Party.objects.filter(takers=user).order_by("pk").values_list("pk", flat=True)),
        # The user's reviews of other users' sheets, without the findings, which belong to the sheets' owners.
        "reviews": Review.objects.filter(by=user).exclude(sheet__owner=user).order_by("number").values(
            "number", "kind", "made", "party_key", "revision_number", "said", "code").iterator(CHUNK_ROWS),
        "others": {label: _rows(found) for label, found in _other_tables(user)},
    })
    handouts = Handout.objects.filter(by=user).exclude(large=None).values_list("pk", "large")
    for pk, large in handouts.iterator(CHUNK_ROWS):
        yield f"handouts/{pk}.webp", [bytes(large or b"")]
    for sheet in Sheet.objects.filter(owner=user).select_related("portrait").order_by("created").iterator(CHUNK_ROWS):
        # A sheet whose system no longer exists or cannot read its data is included only as it is stored.
        with suppress(ValueError):
            if sheet.ruleset in systems():
                yield f"sheets/{sheet.pk}.json", [written(document_of(sheet).asdict())]
        if sheet.portrait:
            yield f"sheets/{sheet.pk}.webp", [bytes(sheet.portrait.whole)]
        yield f"sheets/{sheet.pk}.all.json", json_pieces({
            "stored": _row(sheet),
            "history": _rows(sheet.changes.order_by("number")),
            "log": (_log_row(event) for events in chunks(sheet.events.order_by("pk").iterator(CHUNK_ROWS))
                    for event in as_read(events, user.pk)),
            "receipts": Receipt.objects.filter(Q(sheet=sheet) | Q(event__sheet=sheet)).order_by("pk").values(
                *RECEIPT).iterator(CHUNK_ROWS),
            "landed": _rows(sheet.pending_effects.order_by("pk")),
            "asked": _rows(sheet.asked_rolls.order_by("pk")),
            # Questions to the targets of its rolls, which waited for the answers.
            "questions": _rows(sheet.questions_asked.order_by("pk")),
            "revisions": _rows(sheet.revisions.order_by("number")),
            "reviews": _rows(sheet.reviews.order_by("number")),
            "tags": [one.name for one in by_name(sheet.tags.all())],
            # The encounters that it belongs to as an opponent.
            "placed": _rows(sheet.placed.order_by("pk")),
            "replies": _rows(Reply.objects.filter(entry__sheet=sheet).order_by("pk")),
        })


def _other_tables(user: User) -> Iterator[tuple[str, QuerySet]]:
    """Yield (table, rows) of all other tables whose rows are deleted with the user, including any added later."""
    for model in apps.get_models():
        if model in (EmailAddress, Authenticator, PushDevice, Sheet):
            continue
        fields = [field.name for field in model._meta.concrete_fields if field.related_model is get_user_model()
                 and field.remote_field and field.remote_field.on_delete is CASCADE]
        if fields:
            yield model._meta.label, model._base_manager.filter(
                reduce(or_, (Q(**{field: user}) for field in fields))).order_by("pk")


def _rows(found: QuerySet) -> Iterator[dict]:
    return map(_row, found.iterator(CHUNK_ROWS))


def _row(instance: Any) -> dict:
    return {field.name: field.value_from_object(instance) for field in instance._meta.concrete_fields
            if field.name not in SECRET and not isinstance(field, Called | Sought)}


def _log_row(event: Event) -> dict:
    """Return a line of the log; veiled figures are left out, because they may reveal those of its targets."""
    return _row(event) | ({"figures": {}} if event.veiled else {})
