"""The profile line: written to the letter, read with patience, refused with the place (DS-07)."""

import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import LINE, profile
from rulesets.daemmersturm.tests.posts import broken, lines, noisy
from rulesets.document import read_tree
from tests.support.rulesets.contract import report, seeded

pytestmark = pytest.mark.rule("DS-07")


def read(text):
    return RULESET.sheet.from_text(text)


def written(passage):
    document = read_tree(RULESET.document(passage.name, passage.data))
    return document.sheet.to_text(document.name, document.house)


def offences(text):
    return [offence for passage in read(text) for offence in passage.offences]


def test_hans_peter_comes_back_to_the_letter():
    passage, = read(LINE)
    assert (passage.name, passage.place) == ("Hans-Peter", "1:1")
    assert written(passage) == LINE
    document = read_tree(RULESET.document(passage.name, passage.data))
    assert document.sheet == profile().sheet
    assert document.check().verdict == "legal"


def test_five_hundred_posted_profiles_are_read_and_written_back_equal(full):
    rng, count = seeded("posts"), 5_000 if full else 500
    for line, document in lines(rng, count):
        post = noisy(rng, document.sheet, document.name)
        passage, = read(post)
        assert not passage.offences, (post, passage.offences)
        assert written(passage) == line, post
        assert "claimed" not in passage.data, post
    if full:
        report(f"daemmersturm: {count} noisy profile lines read and written back equal")


def test_many_profiles_in_one_post_are_told_apart():
    rng = seeded("thread")
    found = list(lines(rng, 40))
    post = "\n\n".join(noisy(rng, document.sheet, document.name) for _line, document in found)
    passages = read(post)
    assert [written(passage) for passage in passages] == [line for line, _document in found]


def test_two_hundred_broken_lines_each_name_the_offence_and_its_place(full):
    rng = seeded("broken")
    kinds = {}
    for line, _document in lines(rng, 2_000 if full else 200):
        what, post, place = broken(rng, line)
        passage, = read(post)
        found = [(where, message) for where, message in passage.offences if what in message]
        assert found, (what, post, passage.offences)
        assert not place or place in [where for where, _message in found], (what, post, place, found)
        assert passage.data is None
        kinds[what] = kinds.get(what, 0) + 1
    assert len(kinds) >= 11
    if full:
        report(f"daemmersturm: broken profile lines named with their place: {kinds}")


@pytest.mark.parametrize(("old", "new", "place", "message"), [
    ("20+3", "20+", "1:16", "“20+” is not an attack bonus; write it as 20+X or 20-X."),
    ("20+3", "23", "1:16", "“23” is not an attack bonus; write it as 20+X or 20-X."),
    ("|15", "", "1:20", "The defence of N is missing; it comes after a “|”."),
    ("|12", "|zwölf", "1:32", "“zwölf” is not a defence; it must be a whole number."),
    ("Z=20+0|10", "N=20+0|10", "1:36", "N appears twice here."),
    (", Z=20+0|10", "", "1:34", "Z is missing; write it as Z=20+0|10."),
    (") LP", " LP", "1:46", "The skills' bracket is not closed; a “)” belongs here."),
    ("(N", "N", "1:13", "The skills' bracket is not opened; a “(” belongs here."),
    ("LP 20,", "", "1:48", "The life points are missing; write them as LP 20."),
    ("LP 20", "LP 2000", "1:50", "2000 is too large; the maximum is 999."),
    ("Besondere Fähigkeiten: ", "", "1:54", "“Sprinten” appears where “Besondere Fähigkeiten:” belongs."),
    ("AP: 6", "AP: sechs", "2:6", "“sechs” is not a number of points."),
    ("FP: 0", "XP: 0", "2:10", "“XP: 0” is not AP, FP or MP."),
    ("MP: 0", "FP: 0", "2:18", "FP appears twice here."),
    (" | MP: 0]", "]", "2:15", "MP is missing; write the points as [AP: 2 | FP: 0 | MP: 0]."),
    ("MP: 0]", "MP: 0", "2:23", "The points' bracket is not closed; a “]” belongs here."),
    ("[AP", "AP", "2:1", "The points' bracket is not opened; a “[” belongs here."),
])
def test_each_offence_stands_at_its_place(old, new, place, message):
    assert (place, message) in offences(LINE.replace(old, new, 1))


def test_the_place_is_that_of_the_post_whatever_stands_before_it():
    post = "Hallo!\n\n[b]Hans\u200b-Peter[/b]: (N=20+3|15, F=20x3|12, Z=20+0|10) LP 20"
    assert offences(post) == [("3:35", "“20x3” is not an attack bonus; write it as 20+X or 20-X.")]
    assert post.splitlines()[2][34:].startswith("20x3")


@pytest.mark.parametrize(("points", "resource", "claimed"), [
    ("MP: 2", "mana", False), ("MP: 0", "none", False), ("Mana: 2", "mana", False), ("Licht: 2", "light", False),
    ("Lichtpunkte: 2", "light", False), ("Schatten: 2", "shadow", False), ("Elemente: 2", "elements", False),
    ("MP: 3", "mana", True), ("Licht: 0/0", "light", True),
])
def test_the_resource_is_read_from_its_label_or_from_its_points(points, resource, claimed):
    passage, = read(LINE.replace("MP: 0", points))
    assert passage.data["resource"] == resource
    assert ("claimed" in passage.data) is claimed


def test_figures_that_do_not_follow_are_kept_and_found():
    passage, = read(LINE.replace("AP: 6", "AP: 9"))
    document = read_tree(RULESET.document(passage.name, passage.data))
    finding, = document.check().findings
    assert (finding.rule, finding.severity, str(finding.message)) == (
        "DS-07", "error", "The line says AP 9; a melee bonus of +3 gives 6.")
    assert passage.places[finding.path] == "2:6"


def test_without_abilities_the_line_ends_after_the_life_points():
    text = LINE.replace(", Besondere Fähigkeiten: Sprinten", "")
    assert written(read(text)[0]) == text
    for nothing in ("keine", "-", "–", ""):
        passage, = read(LINE.replace("Sprinten", nothing))
        assert (passage.offences, written(passage)) == ((), text)


def test_without_the_second_line_nothing_is_claimed():
    passage, = read(LINE.splitlines()[0])
    assert written(passage) == LINE


def test_a_line_without_a_name_is_an_unnamed_profile():
    passage, = read(LINE.removeprefix("Hans-Peter: "))
    assert (passage.name, passage.offences) == ("", ())
    assert written(passage) == LINE.removeprefix("Hans-Peter: ")


def test_a_name_that_parts_the_line_is_kept_and_found():
    passage, = read(LINE.replace("Hans-Peter", "Hans: Peter"))
    document = read_tree(RULESET.document(passage.name, passage.data))
    assert [finding.rule for finding in document.check().findings] == ["DS-07"]


@pytest.mark.parametrize("text", [
    "", "Hallo Welt", "Der Angriff (ein Hieb) trifft: 5 Schaden.", "[b]fett[/b]", "(x=2)"])
def test_other_texts_hold_no_profile(text):
    assert read(text) == []


def test_what_only_looks_like_a_profile_is_told_what_is_missing():
    assert offences("Hans hat LP 20\nund nichts") == [
        ("1:1", "There are no skills here; a profile starts with a name and (N=20+0|10, F=20+0|10, Z=20+0|10).")]


def test_hostile_texts_are_read_in_short_time():
    for text in ("(" * 20_000, "(N=" * 5_000, "(N=20+1|" * 3_000, "LP 1 " * 5_000, "[b]" * 10_000, "\n> " * 10_000,
                 "N=20+1|1," * 3_000, "(N=20+0|1" + "," * 20_000 + ")", "<br " * 10_000, "[s]" * 6_600,
                 "~~" * 10_000, "20:15 " * 3_000 + LINE, "a b: " * 4_000 + LINE, LINE[:80] + "(a," * 6_000,
                 LINE[:80] + "\n- a" * 4_000, LINE[:80] + "a" + " " * 20_000 + "b", "N=20+1|1" + " " * 20_000,
                 LINE[:80] + "a und " * 3_000, LINE[:80] + "\n- a" + "\n" * 19_000 + "- b", "[AP" * 6_000,
                 "N" + " " * 19_000 + LINE, "Hans" + " " * 19_000 + "-" + LINE, LINE[:80] + "AP 1 " * 4_000):
        read(text)


@pytest.mark.rule("DS-07")
@pytest.mark.parametrize(("written", "otherwise"), [
    ("Z=20+0|10", "Z=20±0|10"), ("Z=20+0|10", "Z=±0|10"), ("N=20+3|15", "NA=20+3|NV=15"),
    ("N=20+3|15", "NA=20+3, NV=15"),
    ("N=20+3|15, F=20-3|12, Z=20+0|10", "NA=20+3|NV=15|FA=20-3|FV=12|Z=20±0|ZW=10"), ("LP 20", "Lebenspunkte 20"),
    ("LP 20", "Lebenspunkte: 20"), ("LP 20", "20 Lebenspunkte"),
])
def test_a_line_is_read_as_a_careful_plotleiter_reads_it(written, otherwise):
    assert written in LINE
    one, other = (RULESET.sheet.from_text(text)[0] for text in (LINE, LINE.replace(written, otherwise)))
    assert (other.offences, other.data) == ((), one.data)


@pytest.mark.rule("DS-07")
@pytest.mark.parametrize(("written", "wrong", "column"), [
    ("Z=20+0|10", "Z=20±3|10", 38), ("N=20+3|15", "NA=20+3|FV=15", 22), ("N=20+3|15", "NV=15", 14),
])
def test_what_cannot_be_meant_is_named_with_its_place(written, wrong, column):
    made, = RULESET.sheet.from_text(LINE.replace(written, wrong))
    assert made.offences[0][0] == f"1:{column}"
