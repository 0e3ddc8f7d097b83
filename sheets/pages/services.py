"""Changes of the notes of a sheet and of its link."""

import secrets
from dataclasses import replace

from sheets.documents import overlong
from sheets.forms.notes import SentNotes
from sheets.models import Sheet
from sheets.models.store import store


def save_notes(sheet: Sheet, sent: SentNotes) -> SentNotes:
    """Save the notes on a locked sheet, as far as its document has room for them."""
    if not sent.saved:
        return sent
    longer, sheet.notes = len(sent.text) > len(sent.stored), sent.text
    if longer and (fault := overlong(sheet)):
        sheet.notes = sent.stored
        return replace(sent, fault=fault)
    sheet.save(update_fields=["notes"])
    return sent


def share(sheet: Sheet, action: str, *, play: bool) -> None:
    """Make the link of a held sheet anew (`share`), revoke it (`revoke`), or have it show `play` or not."""
    link = None if action == "revoke" else secrets.token_urlsafe(24) if action == "share" else sheet.share
    store(sheet, share=link, share_play=action != "revoke" and play)
