"""Changes of a sheet's notes and of its link."""

import secrets
from dataclasses import replace

from sheets.documents import overlong
from sheets.forms.notes import SentNotes
from sheets.models import Sheet
from sheets.models.store import store


def save_notes(sheet: Sheet, sent: SentNotes) -> SentNotes:
    """Save sent notes on a locked sheet; return them, with a fault if the document would become too long."""
    if not sent.can_save:
        return sent
    is_longer, sheet.notes = len(sent.text) > len(sent.stored), sent.text
    if is_longer and (fault := overlong(sheet)):
        sheet.notes = sent.stored
        return replace(sent, fault=fault)
    sheet.save(update_fields=["notes"])
    return sent


def share(sheet: Sheet, action: str, *, play: bool) -> None:
    """Renew the link of a locked sheet (action "share"), revoke it ("revoke"), or set whether it shows `play`."""
    link = None if action == "revoke" else secrets.token_urlsafe(24) if action == "share" else sheet.share
    store(sheet, share=link, share_play=action != "revoke" and play)
