"""No regular expression of ours, or of a library that sees people's text, can be made slow."""

import re
from time import process_time
from typing import Annotated

import pytest
from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import EmailValidator, RegexValidator, URLValidator
from pydantic import Field, create_model
from pydantic_core import SchemaError

from rulesets.kit import Part
from rulesets.parsing import BYTES
from tests.support import patterns
from tests.support.everyday import MORE, slow
from tests.support.expressions import Expression

LET_BE = {
    ("rulesets.kit.ruleset", r"\s+(.*)$"): "the rules of a system, which are its own file",
    ("rulesets.parsing", r'"?|[\[{]'): "whatever begins ends, with a quotation mark or without, and is passed over",
    ("django.middleware.http", r"\s*,\s*"): "what an answer of our own says in its headers",
    ("django.urls.resolvers", "<(?:(?P<converter>"): "addresses as the program writes them",
    ("django.utils.formats", "%([CFGY])"): "how dates are written",
    ("django.utils.html", r"^www\."): "links in texts: no template makes any",
    ("django.utils.text", r"""(?:"(?:[^"\\]|"""): "tags of templates",
    ("django.utils.translation", r"\s*\n\s*"): "texts of templates",
    ("django.utils.translation.trans_real", "Optional"): "Accept-Language, of which 500 characters are read",
    ("email._header_value_parser", "encoded word"): "an address that mail goes to: 254 characters",
    ("email.header", "literal"): "mails that are read: nobody sends any here",
    ("email.header", r"\n[^ \t]+:"): "a header of a mail: a line with names of 200 characters",
    ("email.header", r"[\041-\176]+:$"): "the name of a header of a mail",
    ("http.cookies", "optional whitespace at start"): "cookies that are read by it: Django parts them by itself",
    ("ninja.openapi.schema", "{[^}:]+:"): "addresses as the program writes them",
    ("ninja.signature.utils", "{[^}]*}"): "addresses as the program writes them",
    ("pypdf._utils", r"^(\d+)(.*)$"): "versions of libraries",
    ("pypdf.xmp", r"end\s*=\s*"): "what a PDF says of itself, which is not read",
}
"""Expressions that are let be: module and a part of the pattern, and why."""
MOST = 0.05
"""Seconds of the processor that an expression may take with the longest text."""


def let_be(one, where, part):
    text = one.text if isinstance(one.text, str) else one.text.decode("latin-1")
    return one.where == where and part.casefold() in text.casefold()


def checked(found):
    return [one for one in found if not any(let_be(one, *key) for key in LET_BE)]


@pytest.mark.parametrize(("pattern", "use"), [
    (r"\[\s*AP\b|\bLP\s*[:=]?\s*\d", "search"),
    (r"\s*1?\s*[wdWD]\s*(\d{1,3})\s*", "fullmatch"),
    (r"[\s,;]*(?:(?:LP|Lebenspunkte)\s*[:=]?\s*(\S*?)(?=[\s,;\[.]|$)|(\d+)\s*(?:LP|Lebenspunkte)\b)", "search"),
    (r"((?:(?:Ø|avg\.)\s)?[−\d.,]+(?:\s?%)?)\s(.+)", "search"),
    (r"\(\s*(?:NA|N|Nahkampf)\s*[=:]?\s*(?:20|[+-]\s*\d)", "search"),
    (r"([+-]?)0*(\d+)", "fullmatch"), (r"\d+–\d+", "search"),
    (r"(?:.*/shared/)?([\w-]{1,64})/?(?:[?#].*)?", "fullmatch"),
    (r"(a+)+b", "match"), (r"(?:a?b?)*c", "match"), (r"\s+$", "search"),
    # Branches that take the same letters: as they are written, with the same beginning, and where a set has the letter.
    (r"(a|a)*b", "match"), (r"(?:ab|ab)*c", "fullmatch"), (r"(?:ab|\wb)*c", "match"), (r"(?:a|b|ab)*c", "match"),
    (r"(?:[a-z]+\d*)+!", "match"), (r"(.*)*x", "match"),
    # Nothing may be read in two ways, too.
    (r"(?:(?:a?|b?)c)*d", "match"), (r"(?:(?:a*)?b)*c", "match"), (r"(?:(?:a|)*b)*c", "match"),
    # Bounded, and yet more ways than anybody waits for.
    (r"(?:a{1,9}){1,9}b", "fullmatch"),
    # What has to stand behind a run stands within a branch.
    (r"\w+(?:[?#]|$)", "search"),
    # Letters that no alphabet of a test would have.
    (r"[\U0001f600-\U0001f64f]*[\U0001f600-\U0001f64f]*x", "match"),
])
def test_an_expression_that_can_be_made_slow_is_told(pattern, use):
    assert Expression(pattern, use=use).slow


@pytest.mark.parametrize(("pattern", "use"), [
    (r"\bLP\s*(?:[:=]\s*)?\d", "search"), (r"(?<!\d)\d+–\d+", "search"), (r"\s+", "search"), (r"^\s*x", "search"),
    (r"\S+\s*|\s+", "search"), (r"\d+/\d+", "fullmatch"),
    (r"\s{0,5}\s{0,5}x", "search"),
    (r"\s*(?:\d{1,2}\s*(?:,\s*\d{1,2}\s*)*)?", "fullmatch"), (r"\[\s*AP", "search"), (r"\d+x", "match"),
    (r"(?:a|b)*c", "match"), (r"(?:ab|ac)*d", "match"), (r"a(?:|)b", "match"), (r'"(?:[^"\\]|\\.)*"', "match"),
    (r"(?:[a-z]{1,9}\.){1,9}b", "match"), (r"(?:a{1,3}){1,4}b", "match"),
])
def test_an_expression_that_cannot_is_let_be(pattern, use):
    assert not Expression(pattern, use=use).slow


@pytest.mark.parametrize("whose", [patterns.ours, slow(patterns.theirs)])
def test_no_expression_reads_a_run_of_letters_in_several_ways(whose):
    slow = [(one, why) for one in checked(whose()) if (why := told(one))]
    assert not slow


@pytest.mark.slow
@pytest.mark.more
def test_every_expression_that_is_let_be_is_there_and_would_be_told():
    every = [*patterns.ours(), *patterns.theirs()]
    for key in LET_BE:
        found = [one for one in every if let_be(one, *key)]
        assert any(told(one) for one in found), key


def told(one):
    try:
        return Expression(*one[1:]).slow
    except NotImplementedError:
        return "it looks back at what it has read"


def test_expressions_are_found_wherever_they_are_compiled():
    found = {one.where for one in patterns.ours()}
    assert {"rulesets.daemmersturm.line.reading", "rulesets.daemmersturm.texts", "rulesets.kit.words",
            "sheets.parties.opponents", "sheets.export.text", "builder.logs"} <= found


@pytest.mark.slow
def test_expressions_of_validators_and_addresses_are_found_too():
    class Asked(forms.Form):
        code = forms.CharField(validators=[RegexValidator(r"\Aonly-here\Z")])

    assert Asked.base_fields["code"].validators
    found = {one.text for one in patterns.validators()}
    assert {r"\Aonly-here\Z", EmailValidator.user_regex.pattern, URLValidator.regex.pattern,
            UnicodeUsernameValidator.regex} <= found
    assert [one for one in patterns.addresses() if one.text.endswith(r"/scenes/\Z")]
    assert {one[1:] for one in patterns.addresses()} <= {one[1:] for one in patterns.theirs()}


def test_what_a_field_matches_by_a_pattern_is_matched_in_linear_time():
    """Pydantic's own engine knows no looking around, and Python's is asked for nowhere."""
    with pytest.raises(SchemaError, match="look-around"):
        create_model("Ahead", __base__=Part, text=(Annotated[str, Field(pattern="(?=x)")], ...))
    assert not [file for file in patterns.sources().values() if "regex_engine" in file.read_text("utf-8")]


@pytest.mark.parametrize("at", [pytest.param(at, marks=MORE) for at in range(8)])
def test_every_expression_is_quick_with_the_longest_runs_of_what_it_takes(at):
    """Of all expressions each eighth, asked as the program asks it; a search is asked for all that it finds.

    No text that any of them sees is longer than a document.
    """
    slow = []
    for one in checked((*patterns.ours(), *patterns.theirs()))[at::8]:
        compiled = re.compile(one.text, one.flags)
        ask = compiled.findall if one.use == "search" else getattr(compiled, one.use)
        for head, word in Expression(*one[1:]).runs():
            said = f"{head}{word * (BYTES // len(word))}\0"
            began = process_time()
            ask(said.encode("latin-1", "replace") if isinstance(one.text, bytes) else said)
            took = process_time() - began
            if took > MOST:
                slow.append((one, head, word, took))
    assert not slow
