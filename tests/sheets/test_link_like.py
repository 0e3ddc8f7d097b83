"""No name in a mail becomes a link."""

import pytest

from sheets.link_like import links, unlinked


@pytest.mark.parametrize(("text", "said"), [
    ("www.gratis.example", "www[.]gratis[.]example"), ("WWW.1", "WWW[.]1"), ("gratis.de", "gratis[.]de"),
    ("https://x", "https[://]x"), ("anna@example.org", "anna[@]example[.]org"), ("müll.рф", "müll[.]рф"),
    ("gratis。example", "gratis[。]example"), ("Geh zu gratis.de!", "Geh zu gratis[.]de!"),
])
def test_what_mail_programs_make_a_link_of_is_none_any_more(text, said):
    assert (links(text), unlinked(text)) == (True, said)


@pytest.mark.parametrize("text", ["", "Juan 2.0", "z. B. so.", "… und weiter. Dann", "J. R. R.", "3:1", "a/b", "@home",
                                  "um 19:30 Uhr", "„Runde“."])
def test_other_texts_stay_as_they_are(text):
    assert (links(text), unlinked(text)) == (False, text)
