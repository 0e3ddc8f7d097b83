"""The answer to a press at a table: what it has changed of whoever acts and of what they may do."""

from itertools import islice
from typing import Any

from django.utils.functional import SimpleLazyObject

from rulesets.kit import Offer
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.press.log import latest_by_widget, stays
from sheets.rolls.against import AGAINST, Stated
from sheets.rolls.followups import holds, roll_cards
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import key_of, widgets
from sheets.secrets import for_others, unveiled
from sheets.stage.acting import Acting
from sheets.stage.panel import log_of
from sheets.stage.pieces import ASKING, rolls_otherwise


def what_changed(was: Acting, now: Acting, event: Event, answers: Answers, rows: str, *, anew: bool) -> dict[str, Any]:
    """What the table shows otherwise of who acts, as that was and is `now`; `rows` is the word for what the page shows.

    A mere roll changes nothing else, unless what it brought was done at once, which `anew` says.

    `parts` are templates, `changed` rows and `pressed` acts that are otherwise, `rolled` the row that fell, which stays
    as it was filled, and `keys` name the forms that take a new press as they stand.
    """
    event = unveiled(event, {str(now.at.sheet.pk)} if now.at and now.at.shown else ())
    # The page sends along what it asks of the other side for all rolls, which is nothing where somebody is aimed at.
    stated = {} if now.at else {name: texts for name, texts in answers.items() if name.startswith(AGAINST)}
    said = _fallen(now, event, Stated(stated)) | {
        "further": now.further(event), "parts": ["parties/table/_further.html"]}
    if not (event.act or anew):
        return said
    against, was_against = (one.against(answers, [event]).answers for one in (now, was))
    if rows != was.rows or [*against] != [*was_against] or _places(was.rolls) != _places(now.rolls):
        return {"parts": ["parties/table/_aim.html"], **now.shown(against)}
    last: Any = SimpleLazyObject(lambda: latest_by_widget(log_of(now.character)))
    said["changed"] = rolls_otherwise(now.ruleset, was.rolls, now.rolls, last, was_against, against)
    if _places(was.acts) != _places(now.acts):
        said["parts"] += ["parties/table/_rows.html", "parties/table/_acts.html", "parties/table/_further_acts.html"]
        return said | {"rows": now.rows, **now.acts_shown(widgets(now.acts, against=against))}
    anew = [offer for old, offer in zip(was.acts, now.acts, strict=True)
            if not offer.cls.with_fallen and (key_of(offer) == event.widget or ASKING(old) != ASKING(offer))]
    return said | {"pressed": [(one, ()) for one in widgets(anew, against=against)]}


def _places(offers: list[Offer]) -> list[tuple]:
    """What stands there, under which headings; an act that asks nothing stands there without a fold."""
    return [(key_of(one), str(one.group), [*one.filled]) for one in offers]


def _fallen(now: Acting, event: Event, against: Stated) -> dict[str, Any]:
    """What lies in the tray then, with what the roll leads on to that it stands in."""
    held = [*islice((now.met(one) for one in now.character.rolls() if holds(one, event)), 1)]
    first = any(key_of(one) == event.widget for one in held)
    seen = for_others(now.ruleset, event) if now.character.others else event
    last = {event.widget: seen} if first or not held else latest_by_widget(log_of(now.character))
    repeats = [*widgets(map(now.met, now.character.repeats()), against=against.answers)] if event.roll else []
    undo = event if event.act and not stays(now.character.sheet, event) else None
    cards = roll_cards(now.ruleset, held, last, against=against.answers)
    # What follows in the tray, and is a row nowhere, has its press with the tray.
    keys = [event.widget] if first and not event.act else []
    rolled = [one for one in cards if one.widget.key in keys]
    return {"against": against, "keys": keys, "rolled": rolled,
            "tray": tray_of(now.ruleset, seen, cards, repeats, undo)}
