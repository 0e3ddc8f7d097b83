"""The part of a sheet's page that is a system's own: drawn by templates in its folder, drawn anew where it differs."""

import re
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template

from rulesets import systems
from rulesets.document import read_tree
from rulesets.kit import Nudge
from sheets.models import Event, Sheet
from sheets.play.board import DRAWN, templates_of
from tests.support.guest import Guest

EXAMPLES = [(slug, name) for slug, ruleset in systems().items() for name in ruleset.examples]
OWN = [(slug, part) for slug, ruleset in systems().items() for part in sorted(ruleset.templates)]


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
    elif isinstance(board, dict):
        yield from nudges(list(board.values()))
    elif isinstance(board, (list, tuple)):
        for one in board:
            yield from nudges(one)
    elif hasattr(board, "__dataclass_fields__"):
        yield from nudges(list(vars(board).values()))


@pytest.mark.parametrize(("slug", "name"), EXAMPLES)
def test_a_board_is_the_same_for_the_same_state_and_its_presses_are_on_offer(slug, name):
    ruleset = systems()[slug]
    sheet, play = read_tree(ruleset.examples[name]).sheet, ruleset.play()
    assert play.board(sheet) == play.board(sheet)
    for nudge in nudges(play.board(sheet)):
        assert nudge.offer in nudge.offer.cls.offered(sheet, play)
        assert set(nudge.by) <= set(nudge.offer.asks)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [slug for slug, ruleset in systems().items() if ruleset.board_stylesheet])
def test_the_page_brings_the_stylesheet_of_the_systems_board(slug):
    ruleset = systems()[slug]
    guest = Guest(next(iter(ruleset.examples.values())), system=slug)
    assert finders.find(ruleset.board_stylesheet)
    assert f'href="/static/{ruleset.board_stylesheet}"' in guest.client.get(f"/sheets/{guest.pk}/").text


@pytest.mark.django_db
def test_each_attribute_of_dice_rumble_stands_over_its_talents_with_its_value():
    guest = Guest(systems()["dice-rumble"].examples["captain"], system="dice-rumble")
    page = guest.client.get(f"/sheets/{guest.pk}/", headers={"accept-language": "en"}).text
    heads = re.findall(r'<h3><span class="gift">(\d)</span> (\w+)</h3>', page)
    assert [value for value, _title in heads] == ["3", "2", "1", "1"]
    assert {title for _value, title in heads} == {"Strength", "Dexterity", "Mind", "Charisma"}


@pytest.mark.django_db
def test_a_weapon_taken_up_is_fought_with_beside_what_fell_at_once():
    guest = Guest(systems()["dice-rumble"].examples["captain"], system="dice-rumble")
    address = f"/sheets/{guest.pk}/"
    page = guest.client.get(address).text
    listed, beside = page.split('id="rolls-beside"')
    assert 'id="w-roll-test-talents-0"' in listed
    assert 'id="w-roll-duel"' in beside
    assert 'id="against"' in beside
    given = {"w": "act-find-weapon", "name": "Ruder", "talent": "Nahkampf", "damage": "1", "_press": str(uuid4()),
             "_seen": re.search(r'name="_seen" value="(\w+)"', page)[1]}
    answer = guest.client.post(f"{address}play/", given, headers={"HX-Request": "true"}).text
    assert "Ruder" in re.search(r'id="rolls-beside" hx-swap-oob="true".*?</section>', answer, re.S)[0]


@pytest.mark.django_db
def test_the_die_that_one_holds_draws_the_fight_anew_and_leaves_all_other_rolls():
    guest = Guest(systems()["dice-rumble"].examples["captain"], system="dice-rumble")
    address = f"/sheets/{guest.pk}/"
    before = guest.client.get(address).text
    given = {"w": "act-roll-initiative", "_press": str(uuid4()),
             "_seen": re.search(r'name="_seen" value="(\w+)"', before)[1]}
    answer = guest.client.post(f"{address}play/", given, headers={"HX-Request": "true"}).text
    assert 'id="rolls-beside" hx-swap-oob="true"' in answer
    assert 'id="w-act-spend-die"' in answer.split('id="rolls-beside"')[1]
    assert 'id="roll-list"' not in answer
    keys = re.compile(r'value="[\w-]{36,}"')
    assert len({keys.sub("", re.search(r'<section class="rolls[^>]*id="roll-list".*?</section>', page, re.DOTALL)[0])
                for page in (before, guest.client.get(address).text)}) == 1


@pytest.mark.django_db
def test_without_scripts_a_press_at_a_gauge_answers_where_it_stands():
    guest = Guest(systems()["dice-rumble"].examples["captain"], system="dice-rumble")
    given = {"w": "act-damage", "points": "1", "_nudge": "less-life", "_press": str(uuid4())}
    answer = guest.client.post(f"/sheets/{guest.pk}/play/", given)
    assert answer["Location"] == f"/sheets/{guest.pk}/#less-life"


@pytest.mark.django_db
def test_a_figure_that_is_otherwise_now_says_instead_of_what():
    guest = Guest(systems()["condice"].examples["juan"])
    english = {"accept-language": "en"}
    assert "instead of" not in guest.client.get(f"/sheets/{guest.pk}/", headers=english).text
    given = {"w": "act-change-attributes-others", "_press": str(uuid4()), "attributes": ["defence"], "by": "2",
             "rounds": "1", "name": "Zorn"}
    answer = guest.client.post(f"/sheets/{guest.pk}/play/", given, headers=english | {"HX-Request": "true"})
    assert answer.status_code == 200
    page = guest.client.get(f"/sheets/{guest.pk}/", headers=english).text
    assert re.search(r'id="figure-defence"><span class="figure">6</span> <span class="of">instead of 4</span>', page)
    assert 'name="_nudge" value="board-act-end-effect-effects-0-0"' in page


@pytest.mark.django_db
def test_a_press_on_a_board_answers_with_the_board_and_the_shared_page_has_no_presses():
    guest = Guest(systems()["condice"].examples["juan"])
    given = {"w": "act-change-attributes-others", "attributes": ["defence"], "by": "2", "name": "Zorn"}
    guest.client.post(f"/sheets/{guest.pk}/play/", given | {"_press": str(uuid4())})
    seen = re.search(r'name="_seen" value="(\w+)"', guest.client.get(f"/sheets/{guest.pk}/").text)[1]
    Sheet.objects.filter(pk=guest.pk).update(share="t" * 20, share_play=True)
    shared = guest.client.get(f"/shared/{'t' * 20}/").text
    assert "Zorn" in shared
    assert "_nudge" not in shared
    end = {"w": "act-end-effect-effects-0", "_press": str(uuid4()), "_nudge": "board-act-end-effect-effects-0-0",
           "_seen": seen}
    answer = guest.client.post(f"/sheets/{guest.pk}/play/", end, headers={"HX-Request": "true"}).text
    assert '<div id="board" hx-swap-oob="true">' in answer
    assert "Zorn" not in re.search(r'<div id="board".*', answer, re.S)[0].split('id="act-list"')[0]


@pytest.mark.django_db
def test_words_picked_up_on_a_board_are_thrown_with_the_move_and_its_odds_come_alone():
    guest = Guest(next(iter(systems()["augen-des-zwielichts"].examples.values())), system="augen-des-zwielichts")
    page = guest.client.get(f"/sheets/{guest.pk}/").text
    seen = re.search(r'name="_seen" value="(\w+)"', page)[1]
    picked = {"w": "roll-move-risk", "attribute": "black", "_nudge": "board-move"}
    press = picked | {"_press": str(uuid4()), "_seen": seen}
    answer = guest.client.post(f"/sheets/{guest.pk}/play/", press, headers={"HX-Request": "true"}).text
    assert Event.objects.get().given["attribute"] == "black"
    assert 'id="press-board-move"' in answer
    assert 'id="press-roll-move-risk"' in answer
    odds = guest.client.get(f"/sheets/{guest.pk}/", picked, headers={"HX-Request": "true"}).text
    assert 'id="odds-board"' in odds
    assert "hx-swap-oob" not in odds


@pytest.mark.django_db
@pytest.mark.parametrize("htmx", [True, False])
def test_a_game_goes_on_by_the_presses_of_its_board_alone(htmx):
    guest = Guest(systems()["battle-dice"].examples["attack"], system="battle-dice")
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
    guest = Guest(systems()["augen-des-zwielichts"].examples[which], system="augen-des-zwielichts")
    html = guest.client.get(f"/sheets/{guest.pk}/").content.decode()
    assert ("<dt>Fears</dt>" in html) is shown


@pytest.mark.django_db
@pytest.mark.parametrize("slug", systems())
def test_tray_and_the_other_sides_figures_stand_on_a_page_once_and_on_a_tabletop_within_the_board(slug):
    ruleset = systems()[slug]
    guest = Guest(next(iter(ruleset.examples.values())), system=slug)
    shown = guest.client.get(f"/sheets/{guest.pk}/")
    said, board = shown.content.decode(), shown.context["board"]
    work = said.index('<div class="work">')
    for identity in ("tray", "aims"):
        assert said.count(f'id="{identity}"') == 1
        assert (said.index(f'id="{identity}"') < work) == (isinstance(board, dict) and "tabletop" in board)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", systems())
def test_rolls_under_folded_headings_wait_under_their_names(slug):
    ruleset = systems()[slug]
    guest = Guest(next(iter(ruleset.examples.values())), system=slug)
    context = guest.client.get(f"/sheets/{guest.pk}/").context
    open_rows, folds = ({str(title) for title, *_rest in context[key]} for key in ("roll_groups", "roll_folds"))
    folded = {str(title) for title in ruleset.play.folded}
    assert not folded & open_rows
    assert folds >= {str(card.widget.offer.group) for card in context["cards"]} & folded
