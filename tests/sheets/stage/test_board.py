"""The part of a sheet's page that is a system's own: drawn by templates in its folder, drawn anew where it differs."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template

from rulesets import systems
from rulesets.document import read_tree
from rulesets.kit import Nudge
from sheets.models import Event, Sheet
from sheets.stage.panel import DRAWN, templates_of
from tests.support.guest import Guest, example, words_in
from tests.support.sheets.pieces import Player

pytestmark = pytest.mark.alike

ROOT = Path(__file__).parents[3]
EXAMPLES = [(slug, name) for slug, ruleset in systems().items() for name in ruleset.examples]
OWN = [(slug, part) for slug, ruleset in systems().items() for part in sorted(ruleset.templates)]


@pytest.fixture
def captain(db):
    """Somebody who plays Dice Rumble."""
    return Player("captain", "dice-rumble")


@pytest.mark.parametrize(("slug", "part"), OWN)
def test_what_a_system_draws_itself_is_a_part_of_the_page_and_has_its_id(slug, part):
    assert part in DRAWN
    own, common = (get_template(name).template for name in (templates_of(systems()[slug])[part], f"play/_{part}.html"))
    identity = re.search(r'id="([\w-]+)"', common.source)[1]
    assert f"play/_{part}.html" in own.source or f'id="{identity}"' in own.source


def test_a_system_without_templates_is_drawn_as_all_are(monkeypatch):
    ruleset = systems()["condice"]
    monkeypatch.setitem(vars(ruleset), "templates", frozenset())
    assert templates_of(ruleset) == {part: f"play/_{part}.html" for part in DRAWN}
    monkeypatch.setitem(vars(ruleset), "templates", frozenset({"board"}))
    assert templates_of(ruleset)["board"] == "condice/board.html"


def nudges(board):
    """Every press of a board, wherever in it."""
    if isinstance(board, Nudge):
        yield board
        return
    parts = vars(board) if hasattr(board, "__dataclass_fields__") else board
    for one in parts.values() if isinstance(parts, dict) else parts if isinstance(parts, (list, tuple)) else ():
        yield from nudges(one)


@pytest.mark.parametrize(("slug", "name"), EXAMPLES)
def test_a_board_is_the_same_for_the_same_state_and_its_presses_are_on_offer(slug, name):
    ruleset = systems()[slug]
    sheet, play = read_tree(ruleset.examples[name]).sheet, ruleset.play()
    assert play.board(sheet) == play.board(sheet)
    for nudge in nudges(play.board(sheet)):
        assert nudge.offer in nudge.offer.cls.offered(sheet, play)
        assert set(nudge.answers) <= set(nudge.offer.asks)


def test_each_attribute_of_dice_rumble_stands_over_its_talents_with_its_value(captain):
    heads = re.findall(r'<h3><span class="gift">(\d)</span> (\w+)</h3>', captain.page)
    assert [value for value, _title in heads] == ["3", "2", "1", "1"]
    assert {title for _value, title in heads} == {"Strength", "Dexterity", "Mind", "Charisma"}


def test_a_weapon_taken_up_is_fought_with_beside_what_fell_at_once(captain):
    listed, beside = captain.page.split('id="rolls-beside"')
    assert 'id="w-roll-test-talents-0"' in listed
    assert words_in(beside, 'id="w-roll-duel"', 'id="against"') == ['id="w-roll-duel"', 'id="against"']
    answer = captain.press("act-find-weapon", name="Ruder", talent="Nahkampf", damage="1").text
    assert "Ruder" in re.search(r'id="rolls-beside" hx-swap-oob="true".*?</section>', answer, re.S)[0]
    # Without scripts a press at a gauge answers where it stands.
    given = {"w": "act-damage", "points": "1", "_nudge": "less-life", "_press": str(uuid4())}
    answer = captain.client.post(f"/sheets/{captain.pk}/play/", given)
    assert answer["Location"] == f"/sheets/{captain.pk}/#less-life"


def test_the_die_that_one_holds_draws_the_fight_anew_and_leaves_all_other_rolls(captain):
    before, answer = captain.page, captain.press("act-roll-initiative").text
    assert words_in(answer, 'id="rolls-beside" hx-swap-oob="true"', 'id="roll-list"') == [
        'id="rolls-beside" hx-swap-oob="true"']
    assert 'id="w-act-spend-die"' in answer.split('id="rolls-beside"')[1]
    keys = re.compile(r'value="[\w-]{36,}[^"]*"')
    assert len({keys.sub("", re.search(r'<section class="rolls[^>]*id="roll-list".*?</section>', page, re.DOTALL)[0])
                for page in (before, captain.anew())}) == 1


def test_a_figure_that_is_otherwise_now_says_instead_of_what_until_a_press_on_the_board_ends_it(db):
    juan, end = Player(), "board-act-end-effect-effects-0-0"
    assert "instead of" not in juan.page
    answer = juan.press("act-change-attributes-others", attributes=["defence"], by="2", rounds="1", name="Zorn")
    assert answer.status_code == 200
    page = juan.anew()
    assert re.search(r'id="figure-defence"><span class="figure">6</span> <span class="of">instead of 4</span>', page)
    assert f'name="_nudge" value="{end}"' in page
    # The shared page has no presses.
    Sheet.objects.filter(pk=juan.pk).update(share="t" * 20, share_play=True)
    assert words_in(juan.client.get(f"/shared/{'t' * 20}/"), "Zorn", "_nudge") == ["Zorn"]
    answer = juan.press("act-end-effect-effects-0", _press=juan.keys[end], _nudge=end).text
    assert '<div id="board" hx-swap-oob="true">' in answer
    assert "Zorn" not in re.search(r'<div id="board".*', answer, re.S)[0].split('id="act-list"')[0]


def test_words_picked_up_on_a_board_are_thrown_with_the_move_and_its_odds_come_alone(db):
    player = Player(None, "augen-des-zwielichts")
    picked = {"attribute": "black", "_nudge": "board-move"}
    answer = player.press("roll-move-risk", _press=str(uuid4()), **picked)
    assert Event.objects.get().given["attribute"] == "black"
    pressed = ('id="press-board-move"', 'id="press-roll-move-risk"')
    assert words_in(answer, *pressed) == [*pressed]
    odds = player.client.get(f"/sheets/{player.pk}/", {"w": "roll-move-risk", **picked}, headers={"HX-Request": "true"})
    assert words_in(odds, 'id="odds-board"', "hx-swap-oob") == ['id="odds-board"']


def test_the_odds_of_the_move_picked_first_are_drawn_with_the_board_as_they_would_be_asked_for(db):
    player = Player(None, "augen-des-zwielichts")
    picked = {"w": "roll-move-investigate", "attribute": "none", "_nudge": "board-move"}
    asked = player.client.get(f"/sheets/{player.pk}/", picked, headers={"HX-Request": "true"}).text.strip()
    assert asked.count("<tr") > 1
    assert asked in player.page
    answer = player.press("act-change-counts", what="bonus_dice", by="1").text
    assert '<div id="board" hx-swap-oob="true">' in answer
    assert asked in answer


def test_no_page_asks_for_anything_as_soon_as_it_is_drawn():
    """What an answer to a press has drawn would then be one more request; none draws the list of notifications.

    Those are read as soon as somebody sees them there.
    """
    asking = [("/".join(place.parts[-2:]), trigger)
              for place in ROOT.glob("**/templates/**/*.html") if ".venv" not in place.parts
              for trigger in re.findall(r'hx-trigger="([^"]*)"', place.read_text("utf-8"))]
    assert len(asking) > 8
    assert [one for one in asking if re.search(r"\b(load|revealed|intersect)\b|\bevery ", one[1])] == [
        ("notifications/list.html", "load")]


@pytest.mark.django_db
@pytest.mark.parametrize("htmx", [True, False])
def test_a_game_goes_on_by_the_presses_of_its_board_alone(htmx):
    guest = Guest(example("attack", "battle-dice"), system="battle-dice")
    address, headers, done = f"/sheets/{guest.pk}/", {"HX-Request": "true"} if htmx else {}, []
    for step in range(12):
        page = guest.client.get(address).text
        board = re.search(r'<div id="board".*?<div class="work">', page, re.S)[0]
        forms = re.findall(r'<form class="press"[^>]*>(.*?)</form>', board, re.S)
        given = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', forms[step * 5 % len(forms)]))
        answer = guest.client.post(f"{address}play/", given | {
            "_seen": re.search(r'name="_seen" value="(\w*)"', page)[1]}, headers=headers)
        assert answer.status_code == (200 if htmx else 302), given
        done.append(given["w"])
        assert Event.objects.count() == len(done), given
        assert not htmx or 'id="board"' in answer.text or answer["HX-Reswap"] == "none"
    assert len(set(done)) > 5


@pytest.mark.django_db
@pytest.mark.parametrize(("which", "shown"), [("ferrywoman", True), ("monk", False)])
def test_a_text_of_the_sheet_that_says_nothing_has_no_label(which, shown):
    guest = Guest(example(which, "augen-des-zwielichts"), system="augen-des-zwielichts")
    assert ("<dt>Fears</dt>" in guest.client.get(f"/sheets/{guest.pk}/").text) is shown


@pytest.mark.django_db
@pytest.mark.parametrize("slug", systems())
def test_what_stands_on_the_page_of_each_system(slug):
    """Its board's stylesheet; tray and the other side's figures once, on a tabletop within the board; folded rolls."""
    guest, ruleset = Guest(next(iter(systems()[slug].examples.values())), system=slug), systems()[slug]
    shown = guest.client.get(f"/sheets/{guest.pk}/")
    said, context = shown.text, shown.context
    if ruleset.board_stylesheet:
        assert finders.find(ruleset.board_stylesheet)
        assert f'href="/static/{ruleset.board_stylesheet}"' in said
    tabletop = isinstance(context["board"], dict) and "tabletop" in context["board"]
    for identity in ("tray", "aims"):
        assert said.count(f'id="{identity}"') == 1
        assert (said.index(f'id="{identity}"') < said.index('<div class="work">')) == tabletop
    # Rolls under folded headings wait under their names.
    open_rows, folds = ({str(title) for title, *_rest in context[key]} for key in ("roll_groups", "roll_folds"))
    folded = {str(title) for title in ruleset.play.folded}
    assert not folded & open_rows
    assert folds >= {str(card.widget.offer.group) for card in context["cards"]} & folded
