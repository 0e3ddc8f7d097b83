"""A sheet pressed at random: what is pressed stays under the finger with the focus, and what came of it is in view."""

import random

import pytest

from rulesets import systems
from rulesets.dice import RealTray
from tests.support.browser.waits import LONGEST, drawn
from tests.support.browser.wizard_actions import seated
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser

EVERY_DAY, FULL, ON_A_PHONE = 15, 200, 40
WIDE, PHONE = (1280, 800), (360, 780)
SEEN = [(slug, *size) for at, slug in enumerate(systems()) for size in ((WIDE, PHONE), (PHONE, WIDE))[at % 2]]
"""Each system at either size, so that of every other one some are seen wide and some on a phone."""
SHIFT = 2
"""Pixels by which what is pressed may move."""

KINDS = {
    "roll": ".roll-row button.roll", "gauge": ".nudge button", "act": "#act-list form.act:not(.card) > button",
    "act that asks": "form.act.card > button.button", "undo": "#take-back", "what follows": "#tray .tray-follow button",
}
PRESSABLE = """(kinds) => Object.fromEntries(Object.entries(kinds).map(([kind, where]) =>
  [kind, [...document.querySelectorAll(where)].filter((one) => one.form.action.includes("/play/"))
    // What lies in the tray is taken back there, and not at the log.
    .filter((one) => one.id !== "take-back" || !document.getElementById("tray-undo")).map((one) => one.id)]))"""
UNFOLD = """async (id) => {
  const button = document.getElementById(id);
  for (let at = button.parentElement; at; at = at.parentElement) {
    if (!at.matches("details:not([open])")) continue;
    const opened = new Promise((done) => at.addEventListener("toggle", done, {once: true}));
    at.querySelector("summary").click();
    await opened;
  }
  if (!button.checkVisibility()) {
    const part = [...(button.closest(".pane")?.classList ?? [])].find((one) => one.startsWith("pane-")) ?? "pane-log";
    document.querySelector(`.tabs a[href="#tab-${part.slice(5)}"]`).click();
  }
  for (const field of button.form.querySelectorAll("input:not([type]), textarea")) {
    if (field.checkVisibility()) field.value ||= "Probe";
  }
  const choices = button.form.querySelector("fieldset:not(:has(:checked)) [type=checkbox]");
  if (choices) choices.checked = true;
}"""
AT = """(id) => {
  const button = document.getElementById(id);
  if (!button?.checkVisibility()) return null;
  const box = button.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  return {x, y, left: box.left, top: box.top, hit: button.contains(document.elementFromPoint(x, y))};
}"""
CENTRED = "(id) => document.getElementById(id).scrollIntoView({block: 'center', behavior: 'instant'})"
HEARD = """(longest) => {
  const heard = new AbortController(), {signal} = heard;
  window.answered = new Promise((done) => {
    const say = (what) => { heard.abort(); done(what); };
    addEventListener("submit", () => { window.submitted = true; }, {capture: true, signal});
    for (const how of ["afterSettle", "responseError", "sendError", "swapError"]) {
      document.addEventListener(`htmx:${how}`, ({detail}) => {
        if (detail.requestConfig.verb === "post") say(how);
      }, {signal});
    }
    setTimeout(say, longest, "nothing");
  });
  window.submitted = false;
}"""
CAME = """(id) => {
  const seen = (one) => {
    const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
      && one.contains(document.elementFromPoint(x, y));
  };
  const said = [...document.querySelectorAll("#tray.fresh .tray-outcome, #messages .note, .fault")];
  const active = document.activeElement;
  return {focus: active.id || active.tagName, in_tray: Boolean(active.closest("#tray")),
          said: said.map((one) => one.innerText), seen: said.some(seen)};
}"""


def place(page, key):
    """Where the button is, once the page asks for nothing and stands as it is drawn."""
    drawn(page)
    return page.evaluate(AT, key)


def within_reach(page, key):
    """Where the button is, once it is unfolded and in view."""
    page.evaluate(UNFOLD, key)
    at = place(page, key)
    if not at["hit"]:
        page.evaluate(CENTRED, key)
        at = place(page, key)
    for _tray_or_fold in range(2):
        if not at["hit"]:
            # What lies over it is put away as people do it: first what opened beside a figure, then what fell.
            page.keyboard.press("Escape")
            page.evaluate(UNFOLD, key)
            page.evaluate(CENTRED, key)
            at = place(page, key)
    return at


def press(page, key):
    """Press a button with the mouse; answers what is wrong with what came of it."""
    before = within_reach(page, key)
    if not before["hit"]:
        return ["cannot be pressed: something covers it"]
    page.evaluate(HEARD, LONGEST)
    page.mouse.click(before["x"], before["y"])
    if not page.evaluate("window.submitted"):
        return ["the press is lost"]
    if (how := page.evaluate("() => window.answered")) != "afterSettle":
        return [f"is answered by {how}"]
    after = place(page, key)
    came, wrong = page.evaluate(CAME, key), []
    if after:
        shift = max(abs(after[side] - before[side]) for side in ("left", "top"))
        if shift > SHIFT:
            wrong.append(f"moved by {after['left'] - before['left']:.0f}, {after['top'] - before['top']:.0f} px")
        if came["focus"] != key:
            wrong.append(f"lost the focus to {came['focus']}")
    elif not came["in_tray"]:
        wrong.append(f"is gone, and the focus is at {came['focus']}")
    if not came["seen"]:
        wrong.append(f"its outcome is out of view: {came['said']}")
    return wrong


def presses(page, lot, times):
    """{press: faults} of so many presses of whatever there is to press, by lot."""
    wrong = {}
    for number in range(times):
        there = {kind: keys for kind, keys in page.evaluate(PRESSABLE, KINDS).items() if keys}
        kind = lot.choice([*there])
        key = lot.choice(there[kind])
        if found := press(page, key):
            wrong[number, kind, key] = found
    return wrong


@pytest.fixture
def lot(slug, monkeypatch):
    """The lot by which presses are drawn and dice fall: the same each time."""
    drawn_by = random.Random(slug)  # noqa: S311 - the same lot each time

    def face(tray, faces):
        tray.fallen.append(drawn_by.choice(faces))
        return tray.fallen[-1]

    monkeypatch.setattr(RealTray, "face", face)
    return drawn_by


@pytest.mark.parametrize(("slug", "width", "height"), everyday(SEEN, each=4))
def test_a_press_moves_nothing_under_the_finger_and_shows_what_came_of_it(visit, lot, full, slug, width, height):
    page = seated(visit, next(iter(systems()[slug].examples.values())))
    page.set_viewport_size({"width": width, "height": height})
    times = FULL if full else EVERY_DAY
    wrong = presses(page, lot, times if width > 360 else min(times, ON_A_PHONE))
    assert wrong == {}, "\n".join(f"{' '.join(map(str, key))}: {', '.join(found)}" for key, found in wrong.items())
