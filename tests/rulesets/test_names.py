"""Names as they are stored: what the eye sees of them and nothing else."""

from unicodedata import category, normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulesets.names import UNSEEN, one_line, short_names

ODD = st.sampled_from("\0\x07\t\n\x85\u00a0\u00ad\u0301\u0308\u034f\u061c\u115f\u1160\u180e\u2007\u200b\u200d\u200e"
                      "\u202e\u2028\u2066\u2069\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\ufffc\ufffe\ud800\U00013430"
                      "\U000e0041\U000e0101\U000e007f"
                      "aAuÄ1#🏴👩🚀❤🇩\u20e3\u0958\ufb1d")
FAMILY, KEY = "👩\u200d👩\u200d👧", "1\ufe0f\u20e3"
FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
INSIDE = "\u200d\ufe0f"
"""Signs that nobody sees and that join or choose within an emoji."""


@given(st.lists(ODD | st.characters(codec=None)).map("".join), st.none() | st.integers(1, 20))
@example("👩\u200d🚀", 2)
@example("👩\u200d🚀x", 2)
@example("u\u200b\u0308", None)
@example("\ufe0f\u200d❤", None)
@example("\ufff9", None)
def test_no_name_is_empty_to_the_eye_or_has_controls_or_differs_from_its_nfc(text, most):
    line = one_line(text, most)
    assert line == normalize("NFC", line) == line.strip() == one_line(line, most)
    assert not [one for one in line if category(one) in ("Cc", "Cs", "Zl", "Zp")]
    assert "  " not in line
    assert {one for one in line if category(one) == "Zs"} <= {" "}
    unseen = [at for at, one in enumerate(line) if UNSEEN.match(one)]
    assert all(at and (line[at] in INSIDE or "🏴" in line[:at]) for at in unseen)
    assert not line or any(category(one)[0] in "LNPS" or category(one) in ("Cf", "Cn", "Co") for one in line)
    assert most is None or len(line) <= most


@pytest.mark.parametrize("nothing", ["", " ", "\u00a0", "\u200b", "\u3164", "\u115f\u1160", "\uffa0", "\u2800",
                                     "\u202e", "\0", "\ufe0f", "\u200d", "\u0301", "\u3000\u2028", "\ud800",
                                     "\ufff9\ufffb", "\ufffc", "\U00013430", "\U000e0041", "\U000e0101"])
def test_what_nobody_sees_is_no_name(nothing):
    assert one_line(nothing) == one_line(nothing * 3) == ""


@pytest.mark.parametrize(("written", "stored"), [
    ("A\u202egnr\u00fcf", "Agnr\u00fcf"), ("Jo\u0308rg", "J\u00f6rg"), ("u\u034f\u0308", "\u00fc"),
    (" Anna\u00a0\u3000Lena\tvon\r\nGrau ", "Anna Lena von Grau"), ("Sil\u00adber", "Silber"),
    ("a\u200db", "ab"), ("❤\ufe0f", "❤\ufe0f"), ("x\ufe0f", "x"), (f"{FAMILY} {FLAG}{KEY}", f"{FAMILY} {FLAG}{KEY}"),
    ("🏴\U000e0041", "🏴"), ("👩\u200d", "👩"), ("\ufe0f\u200d❤", "❤"), ("a\ufe0f\u200d❤", "a❤"),
    ("\u0639\u0644\u06cc", "\u0639\u0644\u06cc")])
def test_a_name_keeps_what_is_seen_of_it_and_emoji_stay_whole(written, stored):
    assert one_line(written) == stored


def test_what_is_cut_ends_in_nothing_unseen():
    assert one_line(FAMILY, 2) == "👩"
    assert one_line("Anna Lena", 5) == "Anna"


@pytest.mark.parametrize(("names", "short"), [
    (["Moosmutter Grete", "Benno Bombe", "Brocken"], ["Moosmutter", "Benno", "Brocken"]),
    (["Anna Ast", "Anna Blatt", "Annabel"], ["Anna Ast", "Anna Blatt", "Annabel"]),
    (["Don Juan", ""], ["Don Juan", ""]),
])
def test_a_name_is_as_short_as_nobody_else_is_called(names, short):
    assert [short_names(names)[name] for name in names] == short
