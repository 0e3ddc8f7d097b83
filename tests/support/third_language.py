"""A third language for tests: each text of the program in English with accents, and 40% longer."""

import re
from math import ceil

import polib
from django.conf import settings

LANGUAGE = "en-xa"
"""The code that Unicode's CLDR has for such a language."""
LONGER = 1.4
ACCENTED = str.maketrans("aeiouycnsAEIOUYCNS", "àéîöüÿçñšÀÉÎÖÜŸÇÑŠ")
LETTERS = re.compile(r"[A-Za-z]+")
FILLED_IN = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{[^{}]*\}|<[^<>]*>|&\w+;|https?://\S+|\?lang=\w+")
"""Parts of a text that mean the same in every language."""


def lengthened(text: str) -> str:
    """Return a text with accents and with each word's last vowels drawn out, so that it is 40% longer."""
    def word(found: re.Match) -> str:
        nonlocal owed
        owed += len(found[0]) * (LONGER - 1)
        drawn, owed = ceil(owed), owed - ceil(owed)
        return f"{found[0][:-1]}{'o' * drawn}{found[0][-1]}".translate(ACCENTED)

    owed, said, at = 0.0, "", 0
    for kept in FILLED_IN.finditer(text):
        said += LETTERS.sub(word, text[at:kept.start()]) + kept[0]
        at = kept.end()
    return said + LETTERS.sub(word, text[at:])


def write_catalogue(folder) -> None:
    """Write the compiled catalogue of the language, as it would be made of the same texts as the German one."""
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=utf-8", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
    for path in settings.LOCALE_PATHS:
        for one in polib.pofile(path / "de/LC_MESSAGES/django.po"):
            texts = (one.msgid, one.msgid_plural) if one.msgid_plural else ()
            made.append(polib.POEntry(
                msgctxt=one.msgctxt, msgid=one.msgid, msgid_plural=one.msgid_plural,
                msgstr="" if texts else lengthened(one.msgid), msgstr_plural=dict(enumerate(map(lengthened, texts)))))
    to = folder / "en_XA" / "LC_MESSAGES"
    to.mkdir(parents=True)
    made.save_as_mofile(to / "django.mo")


def offer(settings, folder) -> None:
    """Offer the language beside the others, with the catalogue of a folder."""
    settings.LOCALE_PATHS = [folder, *settings.LOCALE_PATHS]
    settings.LANGUAGES = [*settings.LANGUAGES, (LANGUAGE, "Longer")]
