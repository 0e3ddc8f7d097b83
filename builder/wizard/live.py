"""Parts of a wizard page that change while somebody types, rendered for the page and again for each live answer.

They are rendered in Python because templates would be many times slower, and every change renders all of them.
"""

from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from builder.wizard import at_fields, examples, input_texts
from builder.wizard.context import Wizard
from builder.wizard.finding_notes import FindingNote
from builder.wizard.steps import FIGURE, Stage
from rulesets.grouping import by_key
from rulesets.kit import CheckedPart, Ledger, Wording, cached_text, short
from sheets import verdicts
from sheets.forms.inputs import Input
from sheets.forms.part_inputs import tighter
from sheets.history import saves
from sheets.outline import charts as charts_of

register = Library()

IN_THE_WAY = "in-the-way"
"""The id of the link to the first finding on the last step."""

_SAVE_STATUS = """<p id="saved" class="muted" data-version="{}" data-left="{}" data-said="{}">{}</p>{}
<p class="actions"><button class="link" form="step" name="do" value="undo:"{}>{}</button>
<button class="link" form="step" name="do" value="redo:"{}>{}</button></p>
<input type="hidden" form="step" name="_version" value="{}">"""

_FAULT = '<li class="note error"><p><strong>{}</strong> <a href="{}">{}</a>: {}</p></li>'
_NOTE = '<li class="note {}"><p><strong>{}</strong> {}</p><p class="actions">{}<a href="{}">{}</a></p>{}</li>'
_WAY = """<div class="mend"><button class="button quiet" form="step" name="do" value="{}">{}</button>
<details data-of="{} {} {}"><summary>{}</summary><ul>{}</ul></details></div>"""
_GRAVE = {"error": ("error", gettext_lazy("Not legal.")), "approval": ("ask", gettext_lazy("Needs approval.")),
          "warning": ("warn", gettext_lazy("Worth considering."))}

_FINDINGS = '<div id="{}--told" class="told">{}</div>'
_OPEN = '<li class="still-open"><p><strong>{}</strong></p><ul>{}</ul></li>'
_WAITS = '<li><a href="{}">{}</a>{}{}</li>'
_WHY = ' <a class="muted" href="{}">{}<span class="hidden"> ({})</span></a>'
_STEP = '<li class="of-step"><h2>{}</h2></li>'
_FOLDED = """<li class="of-step {}"><details data-of="{} {}"><summary>{} <span class="count">{}</span></summary>
<ul class="findings">{}</ul></details></li>"""


def answer(wizard: Wizard) -> str:
    """Return a live answer: out-of-band swaps, each with the id of the element whose content it replaces."""
    pieces: list[tuple[str, Any]] = [(f"step-{stage.step.slug}", state(wizard, stage)) for stage in wizard.stages]
    pieces += [(tag.__name__, tag(wizard)) for tag in (ledger, charts, findings, save_status, budget)]
    return "\n".join(f'<div id="{where}" hx-swap-oob="innerHTML">{conditional_escape(text)}</div>'
                     for where, text in (*pieces, *input_texts.texts(wizard)))


@register.simple_tag
def example(wizard: Wizard, path: str = "") -> str:
    """Return an example for a field, or without `path` for the name; "" if there is none."""
    found = examples.example(wizard.ruleset, wizard.sheet.data, path) if path else \
        examples.example_name(wizard.ruleset)
    return _("e.g. {text}").format(text=short(found)) if found else ""


@register.simple_tag
def bounds(wizard: Wizard, one: Input) -> dict[str, Any]:
    """Return the limits of a number and the messages for them, which a script shows while somebody types."""
    low, high = tighter((one.slot.low, one.slot.high), wizard.bounds(one.path))
    return {"low": low, "high": high,
            "least": "" if low is None else _("The minimum here is {n}.").format(n=low),
            "most": "" if high is None else _("The maximum here is {n}.").format(n=high)}


@register.simple_tag
def help_of(wizard: Wizard, one: Input) -> Wording:
    """Return the help text of a field, adapted to the house rules if it depends on them."""
    part, key = wizard.owner(one.path) if one.slot.ask.help else (None, "")
    own: Wording = one.slot.ask.help
    return part.helps(wizard.house).get(key, own) if isinstance(part, CheckedPart) else own


@register.simple_tag
def findings_at(wizard: Wizard, where: str) -> str:
    """Return the findings at an element of the page, below the Undo line if it belongs there."""
    said = at_fields.findings_html(found) if (found := wizard.marked.get(where)) else ""
    return format_html("{}{}", wizard.undo[1], said) if wizard.undo[0] == where else said


@register.simple_tag
def findings_element(wizard: Wizard, where: str) -> str:
    """Return the element that shows the findings at another element, empty if there are none."""
    return format_html(_FINDINGS, where, findings_at(wizard, where))


@register.simple_tag
def shows_error(wizard: Wizard, where: str) -> bool:
    """Return True if an element of the page shows an error about more than something not filled in yet."""
    return any(one.finding.severity == "error" and not one.still_open for one in wizard.marked.get(where, ()))


@register.simple_tag
def chosen_rows(wizard: Wizard, one: Input, tag: str) -> list[str]:
    """Return the paths of a list's rows that were made from an entry of its catalogue, or have the entry's label."""
    if one.slot.tag:
        found = (row[one.slot.tag] == tag for row in wizard.sheet.data[one.path])
    else:
        found = (str(row.label).casefold() == tag.casefold() for row in getattr(wizard.shape, one.path))
    return [f"{one.path}.{index}" for index, theirs in enumerate(found) if theirs]


@register.simple_tag
def unit_price(wizard: Wizard, one: Input) -> int | None:
    """Return the price of raising a number by one, None if it has no price."""
    part, key = wizard.owner(one.path)
    return part.unit_prices(wizard.house).get(key) if part else one.slot.ask.price


@register.simple_tag
def suggestions(wizard: Wizard, one: Input) -> tuple[str, ...]:
    """Return the texts that the draft's own content suggests for a field."""
    where, _dot, key = one.path.rpartition(".")
    return wizard.offered_words.get(f"{where.partition('.')[0]}.{key}", ())


@register.simple_tag
def state(wizard: Wizard, stage: Stage) -> str:
    """Return the state of a step: its number of faults, else its points and "?" if it needs approval, "✓" if done."""
    if stage.faults:
        words = _("to fix")
        return format_html('<span class="wrong" title="{}">! {}<span class="hidden"> {}</span></span>',
                           words, stage.faults, words)
    done = _asks() if stage.asks else _done() if stage.done else ""
    if stage.points is None or wizard.ledger is None:
        return mark_safe(done)  # noqa: S308
    points = f'<span class="wrong">{stage.points}</span>' if stage.over else stage.points
    unit = escape(wizard.ledger.unit.title)
    return mark_safe(f'{points}<span class="hidden"> {unit}</span> {done}')  # noqa: S308


@cached_text
def _done() -> str:
    """Return the mark of a step that is done."""
    return format_html('<span aria-hidden="true">✓</span><span class="hidden">{}</span>', _("done"))


@cached_text
def _asks() -> str:
    """Return the mark of a step with something that needs approval."""
    words = _("needs approval")
    return format_html('<span class="asks" title="{0}" aria-hidden="true">?</span><span class="hidden">{0}</span>',
                       words)


@register.simple_tag
def ledger(wizard: Wizard) -> str:
    """Return the points left and what points were spent on; "" without a budget."""
    if (found := wizard.ledger) is None:
        return ""
    lines = "".join(f'<li><span class="key part-{number}"></span><span>{escape(short(line.title))}</span>'
                    f"<span>{line.points}</span></li>" for number, line in enumerate(found.lines))
    return format_html('<p class="points-left">{} <span class="muted">{}</span></p>{}<ul class="ledger">{}</ul>',
                       _figure(found), found.text("over" if found.over else "budget_left"), _bar(found),
                       mark_safe(lines))  # noqa: S308


def _figure(found: Ledger, sign: str = "") -> str:
    """Return the number of points left; if too many are spent, `sign` and the excess."""
    over = found.over
    return format_html('<span class="figure wrong">{}{}</span>', sign, over) if over else \
        format_html('<span class="figure">{}</span>', found.left)


def _bar(found: Ledger) -> str:
    """Return a bar with a part for each line of the ledger; its length is the budget, or what is spent if more."""
    whole, start, parts = max(found.budget, found.spent, 1), 0.0, ""
    for number, line in enumerate(found.lines):
        width = 100 * line.points / whole
        shown = round(max(0, width - 0.7), 3)
        parts += f'<rect class="part-{number}" x="{round(start, 3)}" width="{shown}" height="12"/>'
        start += width
    return mark_safe('<svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'  # noqa: S308
                     f"{parts}</svg>")


@register.simple_tag
def charts(wizard: Wizard) -> str:
    """Return the bar charts of derived values."""
    found = charts_of(wizard.shape, wizard.house, wizard.verdict.derived)
    return mark_safe("".join(render_to_string("components/_bar_chart.html", {"chart": one}) for one in found))  # noqa: S308


@register.simple_tag
def findings(wizard: Wizard) -> str:
    """Return the list of invalid texts and findings."""
    faults = [format_html(_FAULT, _("Invalid entry."), one["link"], one["title"], one["message"])
              for one in wizard.faults]
    last = [note for note in wizard.notes if wizard.finished and note.finding.severity == "warning"]
    wrong = _by_step(wizard, "wrong", [
        (note, _note(note, wizard)) for note in wizard.notes if not note.still_open and note not in last])
    open_notes = [note for note in wizard.notes if note.still_open]
    waits = _by_step(wizard, "open", [
        (note, _wait(note, wizard, open_notes[at - 1] if at else None)) for at, note in enumerate(open_notes)])
    if waits:
        wrong.append(format_html(_OPEN, _("Still to fill in"), mark_safe("".join(waits))))  # noqa: S308
    # On the last step, warnings come after the other findings, but under the heading of their step if it has one.
    named = {wizard.step_of(note.finding) for note in wizard.notes if note not in last}
    wrong += [_note(note, wizard) for note in last if wizard.step_of(note.finding) in named]
    wrong += _by_step(wizard, "last", [
        (note, _note(note, wizard)) for note in last if wizard.step_of(note.finding) not in named])
    told = "\n".join([*faults, *wrong, unshown_note(wizard)])
    # If the draft cannot be finished yet, the page scrolls to the first link.
    return mark_safe(told.replace("<a ", f'<a id="{IN_THE_WAY}" ', 1) if wizard.finished else told)  # noqa: S308


def _by_step(wizard: Wizard, kind: str, notes_html: list[tuple[FindingNote, str]]) -> list[str]:
    """Return the findings on the whole sheet and this step, and those of other steps collapsed by step.

    On the last step none are collapsed.
    """
    by_step = by_key((wizard.step_of(note.finding), (note, text)) for note, text in notes_html)
    whole, here = by_step.pop("", []), by_step.pop(wizard.slug, [])
    # Warnings about the whole sheet come last, except on the first step.
    last = [] if wizard.slug == FIGURE.slug else [one for one in whole if one[0].finding.severity == "warning"]
    found = [text for note, text in (*whole, *here) if (note, text) not in last]
    for stage in (stage for stage in wizard.stages if stage.step.slug in by_step):
        notes, texts = zip(*by_step[stage.step.slug], strict=True)
        grave = "wrong" if kind == "wrong" and any(note.finding.severity == "error" for note in notes) else ""
        found += [format_html(_STEP, stage.title), *texts] if wizard.finished else [
            format_html(_FOLDED, grave, kind, stage.step.slug, stage.title, len(texts), mark_safe("".join(texts)))]  # noqa: S308
    return [*found, *(text for _note, text in last)]


def unshown_note(wizard: Wizard) -> str:
    """Return a note with the number of findings that the page has no room for, "" if there are none."""
    more = verdicts.untold(wizard.n_unshown_findings)
    return format_html('<li class="note"><p>{}</p></li>', more) if more else ""


def _note(note: FindingNote, wizard: Wizard) -> str:
    """Return a finding: its message, the link to its field, the link to its rule, and its fixes."""
    found, (grave, words) = note.finding, _GRAVE[note.finding.severity]
    where = format_html('<a href="{}">{}</a> ', note.link, note.where) if note.where else ""
    return format_html(_NOTE, grave, words, found.message, where, note.rule,
                       _("read %(rule)s") % {"rule": found.rule}, _ways(note, wizard))


def _wait(note: FindingNote, wizard: Wizard, before: FindingNote | None) -> str:
    """Return a finding that is still open; it links to its rule unless the finding before it has the same rule."""
    told = before is not None and before.finding.rule == note.finding.rule
    why = "" if told else format_html(_WHY, note.rule, _("why?"), note.finding.rule)
    return format_html(_WAITS, note.link, note.finding.message, why, _ways(note, wizard))


def _ways(note: FindingNote, wizard: Wizard) -> str:
    """Return the fixes of a finding, "" if this page shows them at its field."""
    if id(note) in wizard.marked_in_form:
        return ""
    return mark_safe("".join(  # noqa: S308
        format_html(_WAY, way.action, way.label, note.finding.rule, note.finding.path, number, _("What it changes"),
                    format_html_join("", "<li>{}: {} → {}</li>", ((one.title, one.before, one.after)
                                                                  for one in way.changes)))
        for number, way in enumerate(note.ways, 1)))


@register.simple_tag
def save_status(wizard: Wizard) -> str:
    """Return the time and version of the last save, the buttons Undo and Redo, and the hidden field of the version."""
    sheet, disabled = wizard.sheet, mark_safe(" disabled")
    saved = _("Saved {at}, version {version}").format(at=f"{timezone.localtime(sheet.updated):%H:%M}",
                                                      version=sheet.version)
    guest = "" if sheet.owner_id else format_html(
        '<p class="muted">{}</p>', _("Saved for this browser only; sign in to save it to your account."))
    return format_html(
        _SAVE_STATUS, sheet.version, wizard.ledger.left if wizard.ledger else "", wizard.announcement, saved, guest,
        "" if saves.can_undo(sheet) else disabled, _("Undo"), "" if saves.can_redo(sheet) else disabled, _("Redo"),
        sheet.version)


@register.simple_tag
def budget(wizard: Wizard) -> str:
    """Return the points left, or without a budget the number of open findings, for the line that is always visible."""
    if (found := wizard.ledger) is None:
        # The count is short, to fit beside the button on a phone; it leaves out warnings that are not open.
        many = len(wizard.faults) + sum(one.still_open or one.finding.severity != "warning" for one in wizard.notes)
        told = ngettext("{n} open", "{n} open", many).format(n=many) if many else ""
        return format_html('<span>{}</span><span class="hidden"> {}</span>', told,
                           wizard.announcement or _("No problems found."))
    wrong = wizard.faults or any(not note.still_open and note.finding.severity == "error" for note in wizard.notes)
    mark = mark_safe(' · <span class="wrong">!</span>') if wrong else ""
    figure = _figure(found, "−")
    told = figure if found.over else escape(_("{figure} left")).replace("{figure}", figure)
    return mark_safe(f'<span>{told}</span>{_bar(found)}<span class="muted">{mark}</span>')  # noqa: S308
