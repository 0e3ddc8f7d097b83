"""The input of a field that is asked anew with each press, as it was answered: read once, shown again as it was."""

from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Slot
from sheets.forms.inputs import Answers, Broken, Input, input_text, option_of, parsed, refused

LONGEST = 8_000
"""Characters of an answer: the longest field takes half of them, and a page gives back what was typed several times."""


def answered_input(slot: Slot, name: str, answers: Answers, start: Any = ...) -> Input:
    """The input of this name with what was answered, or with what it holds before anybody has.

    That is `start`, where it is known, else what the field says of itself. A text that is no value keeps its message;
    what is ticked beside a number is added to it. `BadRequest` where one is longer than an answer may be.
    """
    texts = answers.get(name, [])
    if any(len(one) > LONGEST for one in texts):
        raise refused(name)
    if slot.kind == "choices":
        return Input(slot, name, [one for one in texts or (() if start is ... else start) if one])
    text = texts[-1] if texts else input_text(_start(slot) if start is ... else start)
    ticked = answers.get(f"{name}+", ()) if slot.ask.addends else ()
    addends = [(label, more, str(index) in ticked)
               for index, (label, more) in enumerate((slot.ask.addends or {}).items())]
    try:
        if slot.positional and "~" in text:
            text = _found_again(slot, text)
        value = parsed(slot, text)
        if ticked:
            value = parsed(slot, str((value or 0) + sum(more for _label, more, on in addends if on)))
    except Broken as error:
        return Input(slot, name, None, text, str(error), addends=addends)
    return Input(slot, name, value, text, addends=addends)


def _found_again(slot: Slot, text: str) -> str:
    """Where the row stands by now that a form named by `option_of` (`Broken` where it is gone)."""
    mark = text.partition("~")[2]
    same = [option for value in slot.choices if (option := option_of(slot, value)).endswith(f"~{mark}")]
    if not same:
        raise Broken(_("What you chose is no longer there; choose again."))
    return (text if text in same else same[0]).partition("~")[0]


def _start(slot: Slot) -> Any:
    """What an input holds before anybody answers."""
    if not slot.required:
        return slot.default
    if slot.kind == "number":
        return max(slot.low or 0, slot.ask.least or 0) if slot.start is ... else slot.start
    if slot.kind == "text" and slot.ask.samples:
        return slot.ask.samples[0]
    return slot.choices[0] if slot.choices and not slot.nullable else None
