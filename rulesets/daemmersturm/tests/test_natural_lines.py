"""Profile lines as people write them are read right, or the doubt is put as a question (DS-07)."""

import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import LINE
from rulesets.document import read_tree
from tests.support.rulesets.contract import report

pytestmark = pytest.mark.rule("DS-07")
SKILLS = "(N=20+3|15, F=20-3|12, Z=20+0|10)"
BARE = SKILLS[1:-1]
POINTS = "[AP: 6 | FP: 0 | MP: 0]"
HANS = {"melee": {"attack": 3, "defence": 15}, "ranged": {"attack": -3, "defence": 12},
        "magic": {"attack": 0, "defence": 10}, "life": 20, "resource": "none", "abilities": [{"name": "Sprinten"}]}
BOTH = {"abilities": [{"name": "Sprinten"}, {"name": "Harter Hund"}]}
LIST = f"Hans-Peter: {SKILLS} LP 20, Besondere Fähigkeiten: "


def row(name, text=""):
    return {"name": name, "text": text} if text else {"name": name}


SURE = {
    # Values of now, of all, of before.
    LINE.replace("LP 20", "LP 17/20"): {}, LINE.replace("LP 20", "LP: 17 / 20"): {},
    LINE.replace("LP 20", "17/20 LP"): {}, LINE.replace("LP 20", "LP 17 von 20"): {},
    LINE.replace("LP 20", "LP 20 (noch 17)"): {}, LINE.replace("LP 20", "LP 20 (aktuell: 12)"): {},
    LINE.replace("LP 20", "LP 17 (max. 20)"): {}, LINE.replace("LP 20", "LP 17 (von 20)"): {},
    LINE.replace("LP 20", "LP 20 (15+5)"): {}, LINE.replace("LP 20", "LP 20 (15 + 5)"): {},
    LINE.replace("LP 20", "LP 20 (verletzt)"): {}, LINE.replace("LP 20", "[s]LP 18[/s] LP 20"): {},
    LINE.replace("LP 20", "LP [s]18[/s] 20"): {}, LINE.replace("LP 20", "LP ~~18~~ 20"): {},
    LINE.replace("LP 20", "LP <del>18</del> 20"): {}, LINE.replace("20+3|15", "20+2 → 20+3|15"): {},
    LINE.replace("20+3|15", "[s]20+2[/s] 20+3|15"): {}, LINE.replace("|15", "|14→15"): {},
    LINE.replace("AP: 6", "AP: 4/6"): {}, LINE.replace("AP: 6", "AP 4 von 6"): {},
    LINE.replace("AP: 6", "AP: 4 (6)"): {}, LINE.replace("AP: 6 | FP: 0 | MP: 0", "AP: 4/6 | FP: 0/0 | MP: 1/2"): {
        "resource": "mana"},
    # Four kinds of points.
    LINE.replace("MP: 0", "EP: 2"): {"resource": "elements"}, LINE.replace("MP: 0", "SP: 2"): {"resource": "shadow"},
    LINE.replace("MP: 0", "LP: 2"): {"resource": "light"}, LINE.replace("MP: 0", "LiP: 2"): {"resource": "light"},
    LINE.replace("MP: 0", "Lichtpunkte 1/2"): {"resource": "light"},
    LINE.replace("MP: 0", "EP: 0 | SP: 2 | LiP: 0 | MP: 0"): {"resource": "shadow"},
    LINE.replace("MP: 0", "EP: 0 | SP: 0 | LiP: 0 | MP: 0"): {},
    LINE.replace(" | FP: 0", ""): {}, LINE.replace(" | ", " / "): {}, LINE.replace(" | ", ", "): {},
    LINE.replace(" | ", "; "): {}, LINE.replace("AP: 6 | FP: 0 | MP: 0", "AP 6 FP 0 MP 0"): {},
    LINE.replace(POINTS, "AP: 6 | FP: 0 | MP: 0"): {}, LINE.replace(POINTS, "(AP: 6 | FP: 0 | MP: 0)"): {},
    LINE.replace(POINTS, "AP 6, FP 0, MP 0"): {},
    # Skills.
    LINE.replace("20+3", "W20+3").replace("20-3", "W20-3").replace("20+0", "W20+0"): {},
    LINE.replace("20+3", "1w20+3").replace("20-3", "1w20-3").replace("20+0", "1w20"): {},
    LINE.replace("20+3", "d20+3"): {}, LINE.replace(SKILLS, BARE): {},
    LINE.replace(SKILLS, BARE.replace(", ", " ")): {}, LINE.replace(SKILLS, BARE.replace(", ", " / ")): {},
    LINE.replace(SKILLS, BARE.replace(", ", "\n")): {}, LINE.replace(SKILLS, BARE.replace("=", " ")): {},
    LINE.replace(SKILLS, "(Nahkampf: 20+3/15, Fernkampf: 20-3/12, Zauberei: 20/10)"): {},
    LINE.replace(", Z=", " und Z="): {}, LINE.replace(f"{SKILLS} LP 20", f"{BARE}, LP 20"): {},
    # Signs and words between the parts.
    LINE.replace("LP 20, ", "20 LP | "): {}, LINE.replace("LP 20, ", "LP 20. "): {},
    LINE.replace("LP 20, ", "LP 20 - "): {}, LINE.replace("LP 20, ", "LP 20\n"): {},
    LINE.replace("LP 20, ", "und LP 20; "): {}, LINE.replace("Besondere Fähigkeiten", "Fähigkeiten"): {},
    LINE.replace("Besondere Fähigkeiten", "Spezialfähigkeiten"): {}, LINE.replace("Besondere Fähigkeiten", "BF"): {},
    # Lists.
    f"{LIST}Sprinten; Harter Hund\n{POINTS}": BOTH, f"{LIST}\n- Sprinten\n- Harter Hund\n{POINTS}": BOTH,
    f"{LIST}\n• Sprinten\n• Harter Hund\n\n{POINTS}": BOTH, f"{LIST}\n1. Sprinten\n2. Harter Hund\n{POINTS}": BOTH,
    f"{LIST}[list][*]Sprinten\n[*]Harter Hund[/list]\n{POINTS}": BOTH, f"{LIST}Sprinten | Harter Hund\n{POINTS}": BOTH,
    f"{LIST}Sprinten · Harter Hund\n{POINTS}": BOTH, f"{LIST}„Sprinten“, „Harter Hund“\n{POINTS}": BOTH,
    f"{LIST}Adlerauge und Nachsetzen\n{POINTS.replace('FP: 0', 'FP: 3')}": {
        "abilities": [row("Adlerauge"), row("Nachsetzen")]},
    f"{LIST}Sprinten (2x pro Kampf, 1 AP), Harter Hund\n{POINTS}": {
        "abilities": [row("Sprinten", "2x pro Kampf, 1 AP"), row("Harter Hund")]},
    f"{LIST}Sprinten, Harter Hund [passiv]\n{POINTS}": {"abilities": [row("Sprinten"), row("Harter Hund [passiv]")]},
    f"{LIST}Sprinten [passiv], Harter Hund\n{POINTS}": {"abilities": [row("Sprinten [passiv]"), row("Harter Hund")]},
    f"{LIST}Sprinten, Harter Hund.\n{POINTS}": BOTH, f"{LIST}Sprinten, Harter Hund :)\n{POINTS}": BOTH,
    # Before and behind.
    f"[img]https://example.org/hans.png[/img] {LINE}": {}, f":crossed_swords: {LINE} :smile:": {},
    f"⚔️ {LINE} 🛡️": {}, f"{LINE} ;-)": {}, f"![Hans](https://example.org/hans.png)\n{LINE}": {},
    f"[20:15] {LINE}": {}, f"[12.03.26, 20:15] anna: {LINE}": {}, f"12.03.2026, 20:15 - anna: {LINE}": {},
    f"20:15 <anna> {LINE}": {}, f"<anna> {LINE}": {}, f"anna — heute um 20:15 Uhr\n{LINE}": {},
    f"anna schrieb: {LINE}": {}, f"[quote=anna]{LINE}[/quote]\nStimmt so.": {},
    f"> {LINE.replace(chr(10), chr(10) + '> ')}": {},
    f"Hier ist mein Profil: {LINE}": {}, f"Name: {LINE}": {}, f"Charakter: {LINE}": {}, f"Profilzeile: {LINE}": {},
    LINE.replace("Hans-Peter:", "Hans-Peter hat"): {}, LINE.replace("Hans-Peter:", "Hans-Peter -"): {},
    LINE.replace("Hans-Peter:", "Hans-Peter |"): {}, LINE.replace("Hans-Peter:", "„Hans-Peter“:"): {},
    LINE.replace("Hans-Peter: ", "Hans-Peter\n"): {},
    f"Hans-Peter hat {BARE} und LP 20. Seine besonderen Fähigkeiten sind Sprinten, Harter Hund.\n{POINTS}": BOTH,
}
ASKED = {
    f"{LIST}Sprinten und Harter Hund\n{POINTS}": [BOTH, {"abilities": [row("Sprinten und Harter Hund")]}],
    f"{LIST}Sprinten / Harter Hund\n{POINTS}": [BOTH, {"abilities": [row("Sprinten / Harter Hund")]}],
    f"{LIST}Sprinten - Harter Hund\n{POINTS}": [BOTH, {"abilities": [row("Sprinten - Harter Hund")]}],
    f"{LIST}Sprinten & Harter Hund\n{POINTS}": [BOTH, {"abilities": [row("Sprinten & Harter Hund")]}],
    f"{LIST}Sprinten, Harter Hund. Er trägt einen Mantel\n{POINTS}": [
        BOTH, {"abilities": [row("Sprinten"), row("Harter Hund. Er trägt einen Mantel")]}],
    f"{LIST}Sprinten\nEr trägt einen Mantel.\n{POINTS}": [
        {"abilities": [row("Sprinten Er trägt einen Mantel")]}, {}],
    f"{LIST}Sprinten, das kann er seit dem letzten Winter richtig gut\n{POINTS}": [
        {}, {"abilities": [row("Sprinten"), row("das kann er seit dem letzten Winter richtig gut")]}],
    LINE.replace("AP: 6", "AP: 4"): [{}, {"claimed": {"action_points": 4, "focus_points": 0, "magic_points": 0}}],
    LINE.replace("MP: 0", "Mana: 1"): [{"resource": "mana"}, {
        "resource": "mana", "claimed": {"action_points": 6, "focus_points": 0, "magic_points": 1}}],
    LINE.replace("AP: 6", "AP: 6 → 4"): [{}, {"claimed": {"action_points": 4, "focus_points": 0, "magic_points": 0}}],
    LINE.replace("LP 20", "LP 20 → 17"): [{}, {"life": 17}], LINE.replace("LP 20", "LP 20 -> 17"): [{}, {"life": 17}],
    LINE.replace("LP 20", "LP 15 (+5)"): [{"life": 15}, {"life": 20}],
    LINE.replace("LP 20", "LP 17 (20)"): [{}, {"life": 17}],
    f"So, hier meins: {LINE}": [{"name": "So, hier meins: Hans-Peter"}, {}],
    LINE.replace("Hans-Peter: ", "Hans-Peter — heute um 20:15 Uhr\n"): [{}, {"name": ""}],
}


def read(text):
    return RULESET.sheet.from_text(text)


def told(passage):
    """Return the passage's data with its name, which is Hans-Peter unless it is said."""
    return {"name": passage.name, **(passage.data or {})}


@pytest.mark.parametrize("text", SURE)
def test_a_natural_line_is_read_right(text):
    passage, = read(text)
    assert (passage.offences, passage.ambiguities) == ((), ())
    assert told(passage) == {"name": "Hans-Peter"} | HANS | SURE[text]


@pytest.mark.parametrize("text", ASKED)
def test_a_doubtful_line_is_asked_about_and_each_answer_is_read_as_it_says(text):
    passage, = read(text)
    assert (passage.offences, passage.data) == ((), None)
    ambiguity, = passage.ambiguities
    found = []
    for reading in ambiguity.readings:
        again, = read(text[:reading.start] + reading.words + text[reading.end:])
        assert (again.offences, again.ambiguities) == ((), ())
        found.append(told(again))
    assert found == [{"name": "Hans-Peter"} | HANS | one for one in ASKED[text]]


def test_at_most_a_quarter_of_eighty_natural_lines_is_asked_about():
    report(f"daemmersturm: {len(SURE)} natural lines read right, {len(ASKED)} asked about")
    assert len(SURE) + len(ASKED) >= 80
    assert len(ASKED) * 4 <= len(SURE) + len(ASKED)


@pytest.mark.parametrize(("text", "left"), [
    (LINE, {}), (LINE.replace("LP 20", "LP 17/20"), {"life": 17}),
    (LINE.replace("LP 20", "LP 20 (noch 17)").replace("AP: 6", "AP: 4/6"), {"life": 17, "action_points": 4}),
])
def test_a_line_tells_what_is_left(text, left):
    assert dict(read(text)[0].left) == left


def test_what_was_guessed_is_never_valid():
    for text in ASKED:
        passage, = read(text)
        assert passage.data is None


def test_the_readings_are_legal_profiles():
    for text in SURE:
        passage, = read(text)
        assert read_tree(RULESET.document(passage.name, passage.data)).check().verdict == "legal"
