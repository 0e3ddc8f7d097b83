"""A post for a scene's thread: a character's rolls there since its last turn, and its current profile line."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from sheets.character import Character
from sheets.export.text import BBCode, bbcode_of
from sheets.models import Event, Receipt, Scene, Sheet
from sheets.pages.roll_texts import bbcode_line
from sheets.pages.seen_rolls import SeenRoll, seen_roll
from sheets.pages.turn_rolls import with_rolls

MOST = 50
"""The most rolls in a post; if there are more, it has the newest."""
TURNS = 400
"""The most turns, of all characters in a scene, that are searched for a character's last one."""


@dataclass(frozen=True)
class ThreadPost:
    """The rolls of a character since its last turn, with the text of its state."""

    rolls: list[tuple[Receipt, SeenRoll, str]]
    """(receipt, roll, address of the receipt)."""
    profile: str
    """The current profile line, "" if the system has none."""
    since: int
    """The key of the event that ended the character's last turn; 0 if it has had none."""
    last: int
    """The last number of the scene's log."""
    form: BBCode

    @property
    def state(self) -> str:
        """The text with the log number at which the profile is current; `thread_profiles.STATE` reads it."""
        return _("as of #{n}").format(n=self.last)

    @property
    def bbcode(self) -> str:
        """The whole post as BBCode; the player adds their own text."""
        form = self.form
        lines = [bbcode_line(form, *one) for one in self.rolls]
        # On a line of its own, so that nothing before it is read as a part of the name.
        profile = f"{form.slanted(_('Profile now') + ':')}\n{form.inline(self.profile)} {form.inline(self.state)}" \
            if self.profile else ""
        return "\n".join(filter(None, (*lines, profile)))


def post_of(request: HttpRequest, character: Character, scene: Scene) -> ThreadPost:
    """Return the post of a character in a scene, with the rolls that its reader may see."""
    since = last_turn_of(character.sheet, scene)
    rolls = [(one, seen, request.build_absolute_uri(reverse("receipt", args=[one.token])))
             for one in rolls_since(since, character.sheet, scene) if (seen := seen_roll(request, one))]
    now = character.play.to_text(character.written, character.name)
    return ThreadPost(rolls, now[1] if now else character.written.to_text(character.name, character.house), since,
                      scene.rolls, bbcode_of(scene.party))


def last_turn_of(sheet: Sheet, scene: Scene) -> int:
    """Return the key of the event that ended the last turn of a sheet in a scene; 0 if it has had none."""
    turns = Event.objects.filter(scene=scene, turn__isnull=False, undone=False).only("turn").order_by("-pk")[:TURNS]
    return next((one.pk for one in turns if _ends(one, str(sheet.pk))), 0)


def rolls_since(since: int, sheet: Sheet, scene: Scene) -> list[Receipt]:
    """Return the newest rolls of a sheet in a scene after an event, oldest first.

    Rolls that were taken back or repeated are left out.
    """
    again = Event.objects.filter(again=OuterRef("event"), undone=False)
    rolls = Receipt.objects.filter(~Exists(again), scene=scene, log__startswith="scene:", event__sheet=sheet,
                                   event__undone=False, event__pk__gt=since)
    return list(with_rolls(rolls).order_by("-number")[:MOST])[::-1]


def _ends(event: Event, sheet: str) -> bool:
    """Return True if an event ended a turn of a sheet; a turn that is held back has not ended."""
    passed = event.turn_passed
    if passed is None or sheet not in passed.before["on"] or sheet not in passed.of:
        return False
    return passed.after["round"] != passed.before["round"] or sheet in (passed.after["done"] or ())
