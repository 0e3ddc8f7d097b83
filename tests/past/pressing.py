"""How a frozen past was played: browsers, and whatever a sheet offers pressed in them."""

# ruff: noqa: PLC0415 - one story, told once; Django comes after its environment

import uuid
from collections import Counter
from itertools import count

PRESSES = 36
"""Presses on a sheet, in each language."""
SERIAL = count(1)


class Seldom(Counter):
    """Counts of what was pressed that begin, {roll or act: count}, higher for what is to be pressed more seldom."""

    def __init__(self, begin):
        super().__init__()
        self.begin = begin

    def __missing__(self, key):
        return self.begin.get(key[0], 0)


def press_key():
    """Return the key of a press: the next number, as that packs better than what a browser makes."""
    return str(uuid.UUID(int=next(SERIAL)))


def browser(user=None, language="de"):
    from django.test import Client
    client = Client(headers={"Accept-Language": language})
    if user:
        client.force_login(user)
    return client


def pressed(sheet, language, rng, times, presses=PRESSES):
    """Press as its owner what a sheet offers, what was pressed least first; now and then take it back.

    Return how much happened on the sheet, None where it is not to be played.
    """
    from sheets.character import Character
    from sheets.models import Event, Sheet
    from sheets.press.log import last_act, last_events
    from sheets.rolls.rows import roll_cards
    from sheets.rolls.widgets import Widget
    client = browser(sheet.owner, language)
    for number in range(presses):
        character = Character(Sheet.objects.select_related("party", "owner").get(pk=sheet.pk))
        if character.barred:
            return None
        last = last_events(character.sheet)
        found = [card.widget for root in roll_cards(character.ruleset, character.rolls(), last)
                 for card in root.with_followups()]
        found += [Widget(offer) for offer in character.acts()]
        least = min((times[one.offer.cls, (number % 2) * one.key], rng.random(), place)
                    for place, one in enumerate(found))
        widget = found[least[2]]
        times[widget.offer.cls, ""] += 1
        times[widget.offer.cls, widget.key] += 1
        answers = filled(widget, rng)
        client.post(f"/sheets/{sheet.pk}/play/", {
            "w": widget.key, "_press": press_key(), **answers})
        if number % 9 == 8 and (last := last_act(character.sheet)):
            client.post(f"/sheets/{sheet.pk}/play/", {"w": "undo", "_event": last.pk})
    return Event.objects.filter(sheet=sheet).count()


def filled(widget, rng):
    """Return answers with which a roll or an act makes sense; where a few tries find none, those that stand there."""
    from sheets.rolls.widgets import Widget
    for _try in range(9):
        answers = {one.path: answered(one, rng) for one in widget.inputs}
        texts = {key: one if isinstance(one, list) else [one] for key, one in answers.items()}
        if Widget(widget.offer, texts).complete:
            return answers
    return {one.path: one.text for one in widget.inputs}


def answered(one, rng):
    """Return a text for an input, mostly the one that stands in it."""
    slot = one.slot
    if slot.kind == "choices":
        options = [str(one) for one in slot.choices or ()]
        return rng.sample(options, rng.randint(0, min(2, len(options)))) if options else []
    if slot.kind == "check":
        return rng.choice(["", "on"])
    if slot.choices and rng.random() < 0.5:
        return str(rng.choice([one for one in slot.choices if one is not None]))
    if slot.kind == "number" and rng.random() < 0.5:
        low = slot.low or 0
        return str(rng.randint(low, min(low + 6, slot.high if slot.high is not None else low + 6)))
    return one.text or rng.choice(["Ölkännchen", "Schild „Wächter“", "Fear of heights"])
