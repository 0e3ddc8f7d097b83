"""What people wrote does nothing in a PDF, and boxes for uses stand only where something is used up."""

import json

import pytest
import typst

from rulesets import systems
from sheets.character import Character
from sheets.export import pdf
from tests.support.browser.payloads import PAYLOADS
from tests.support.everyday import each
from tests.support.sheets.printed import active, made, sheet, squeezed, text_of, told


@pytest.mark.parametrize("slug", ["dice-rumble", "daemmersturm", "condice"])
def test_boxes_for_uses_stand_beside_nothing_that_is_rolled(slug):
    for one in map(sheet, systems()[slug].examples.values()):
        sections = told(one)["sections"]
        keys = {".".join(offer.key.split(".")[:2]) for offer in Character(one).rolls()}
        rolled = {key for key in keys if key.split(".")[0] in {part["key"] for part in sections}}
        assert rolled or slug == "daemmersturm"
        assert sum(one["rolled"] for part in sections for one in part["entries"]) == len(rolled)


def test_uses_are_ticked_for_an_ability_and_not_for_a_talent():
    talented = sheet(next(iter(systems()["dice-rumble"].examples.values())))
    assert [squeezed("Uses") in text_of(made(one, "pencil")) for one in (sheet(), talented)] == [True, False]
    assert {one["rolled"] for one in told(talented)["sections"][0]["entries"]} == {True}


@each(4)
@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.parametrize("slug", systems())
def test_no_text_that_people_wrote_does_anything_in_a_pdf(slug, layout, every):
    links = ("https://evil.example/", "mailto:x@evil.example", '#link("https://evil.example")[x]', "/JS (x(1))")
    # Each system meets others.
    chosen = PAYLOADS[list(systems()).index(slug) % every::every]
    for begin in range(0, len(chosen), 15):
        words = "\n".join((*chosen[begin:begin + 15], *links))
        raw = made(sheet(next(iter(systems()[slug].examples.values())), name=words[:200], notes=words), layout)
        assert active(raw) == set()
        assert squeezed("https://evil.example/") in text_of(raw)


def test_a_link_in_a_pdf_would_be_found():
    assert active(typst.compile(b'#link("https://evil.example")[x]', format="pdf")) == {"/URI"}


class PanicException(BaseException):
    """As typst's Rust raises it, for some texts: no Exception to Python."""


COMPILER = typst.Compiler


class Breaking:
    """A compiler that panics at these signs."""

    def __init__(self, signs):
        self.signs, self.compiler = [json.dumps(one)[1:-1] for one in signs], COMPILER(root=pdf.ROOT)

    def compile(self, **what):
        if any(one in what["sys_inputs"]["sheet"] for one in self.signs):
            raise PanicException("end byte index 4 is out of bounds")
        return self.compiler.compile(**what)


@pytest.mark.parametrize(("signs", "printed"), [
    ("\u2060", "Die große Козa"), ("\u2060К", "Die große ???a")])
def test_a_text_that_the_compiler_breaks_at_is_set_in_a_plainer_form(monkeypatch, caplog, signs, printed):
    monkeypatch.setattr(pdf.typst, "Compiler", lambda **_where: Breaking(signs))
    monkeypatch.delattr(pdf._thread_local, "compiler", raising=False)
    assert squeezed(printed) in text_of(made(sheet(notes="Die große\u2060 Козa")))
    monkeypatch.delattr(pdf._thread_local, "compiler")
    assert caplog.text.count("plainer form") == len(signs)


def test_a_compiler_that_has_panicked_is_not_used_again(monkeypatch):
    used = pdf._compiler()
    monkeypatch.setattr(pdf._thread_local, "compiler", Breaking("x"))
    with pytest.raises(pdf.CompilerPanic, match="out of bounds"):
        pdf._compile(sys_inputs={"sheet": "x"})
    assert isinstance(pdf._compiler(), typst.Compiler)
    assert pdf._compiler() is not used
