"""Fields that are the owner's alone, as the kit leaves them out for others."""

from rulesets.kit import Part, blank, field, redacted, rows, secretive


class Row(Part):
    name: str = field("Name", secret=True)
    open: int = field("Open", 1)


class Held(Part):
    words: list[str] = field("Words", [], secret=True)
    figure: int = field("Figure", 3, secret=True)
    kept: list[Row] = rows("Kept", [])
    all: list[Row] = rows("All", [], secret=True)
    one: Row | None = field("One", None)


def test_a_secret_field_is_as_if_nothing_were_filled_in_at_any_depth():
    row = Row(name="geheim", open=5)
    held = Held(words=["a", "b"], figure=7, kept=[row], all=[row, row], one=row)
    bare = Row(name="", open=5)
    assert redacted(held) == Held(words=["", ""], figure=3, kept=[bare], all=[], one=bare)
    assert redacted(Held()) == Held()
    assert secretive(Held)
    assert blank(Row)["name"] == ""
