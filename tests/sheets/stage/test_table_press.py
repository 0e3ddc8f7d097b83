"""What htmx is shown of a press at the table: all that is otherwise, so that no look need follow."""

import html
import re
import uuid

import pytest

from sheets.models import AskedRoll, Event, Party, PendingEffect
from sheets.scenes.order import turn_token
from tests.support.sheets.fight import ATTACK, Fight, table_of
from tests.support.sheets.pieces import answers, ids, piece, piece_by_piece, plain, presses, seatless, swapped

pytestmark = pytest.mark.alike

HTMX = {"HX-Request": "true"}


class Watched:
    """A page of the table that htmx keeps: pressed on, and looked at anew where others act, as table.js does."""

    def __init__(self, fight, who="anna", by="anna", at="ben"):
        self.fight, self.who, self.seats = fight, who, {"by": by, "at": at}
        self.browser, self.page = fight.browsers[who], self.anew()

    def anew(self):
        return self.fight.look(self.who, **self.seats).text

    @property
    def since(self):
        """The word that the page has of the table."""
        return html.unescape(re.search(r'id="newest"[^>]* data-word="([^"]*)"', self.page)[1])

    @property
    def included(self):
        """What each request of the page carries."""
        return {name: html.unescape(text) for name, text in re.findall(
            r'<input type="hidden"[^>]* name="(_rows|_by|_at)" value="([^"]*)"', self.page)}

    def press(self, which, **more):
        """Presses what stands there; answers what came."""
        return self.post({"w": which, "_press": uuid.uuid4(), **answers(self.page, which), **more})

    def post(self, fields):
        answer = self.browser.post(f"{self.fight.address}play/?{self.fight.seats(**self.seats)}",
                                   {**self.included, **self.told, **fields}, headers=HTMX)
        assert answer.status_code == 200
        self.page = swapped(self.page, answer.text, "party-table")
        return answer

    @property
    def told(self):
        """What table.js adds to a press."""
        return {"_since": self.since} | ({"_asked": "1"} if 'class="landed asked"' in self.page else {})

    def look(self, **stated):
        """Looks whether there is news, with what is stated for all rolls."""
        answer = self.browser.get(self.fight.address, {"since": self.since, **self.included, **stated}, headers=HTMX)
        if answer.status_code == 200:
            self.page = swapped(self.page, answer.text, "table-live")
        return answer

    def stands(self, but=""):
        """Whether it shows what it would anew, but for one part."""
        shown, anew = self.page, self.anew()
        if but:
            shown, anew = (one[:place[0]] + one[place[1]:] for one, place in (
                (one, piece(one, but)) for one in (shown, anew)))
        assert seatless(plain(shown, "party-table")) == seatless(plain(anew, "party-table"))


@piece_by_piece
@pytest.mark.usefixtures("seeded")
def test_a_table_that_was_changed_piece_by_piece_is_what_it_would_be_anew(django_user_model, slug, rounds):
    page, pieces = Watched(Fight(django_user_model.objects, slug)), 0
    page.stands()
    for which in presses(page.page, rounds):
        if f'id="w-{which}"' in page.page:
            pieces += "aim" not in ids(page.press(which))
            if 'aria-invalid="true"' in page.page:
                page.page = page.anew()
            page.stands()
            assert page.look().status_code == 204
    # The board of two who face each other is drawn as a whole.
    assert pieces > 1 or 'class="stage facing"' in page.page, "whatever was pressed, all of it came"


def test_against_nobody_in_particular_what_was_typed_for_all_rolls_holds_for_the_press_and_the_look(table):
    page = Watched(table, at=None)
    answer = page.press(ATTACK, **{"against.defence": "7"})
    assert Event.objects.get().given["defence"] == 7
    assert {"tray", f"press-{ATTACK}"} <= ids(answer)
    page.look(**{"against.defence": "0"})
    easy = page.page
    table.play("ben", "act-damage", points=1, against="nothing")
    page.look(**{"against.defence": "9"})
    promises = [one[slice(*piece(one, f"promise-{ATTACK}"))] for one in (easy, page.page)]
    assert promises[0] != promises[1]


def test_by_htmx_an_act_brings_what_it_has_changed_and_no_others_but_what_others_did_meanwhile(hit):
    page = Watched(hit)
    page.press("act-damage", points="1", against="nothing")
    answer = page.press("act-damage", points="1", against="nothing")
    pk = hit.sheets["anna"].pk
    before = Event.objects.filter(sheet=pk).exclude(act="").earliest("pk")
    assert ids(answer) == {"messages", "tray", "same-dice", "w-act-damage", "newest", f"seat-{pk}", "table-lines",
                           f"line-{before.pk}", "landings"}
    assert answer["HX-Reswap"] == "none"
    assert "aim" not in ids(page.press("act-add-item", name="Seil"))
    page.stands()
    hit.play("anna", "act-add-item", name="Fackel")
    assert "aim" in ids(page.press("act-damage", points="1", against="nothing"))
    page.stands()
    assert page.look().status_code == 204


@pytest.mark.parametrize("trust", [True, False])
def test_what_comes_of_it_is_there_with_the_press_and_for_others_with_their_look(hit, dice, trust):
    Party.objects.update(trust=trust)
    gm = Watched(hit, "gm", "anna", "ben")
    hit.browsers["gm"].post(f"{hit.address}play/", {"do": "turn:begin", "_press": uuid.uuid4()})
    anna = Watched(hit)
    dice += [[6, 6, 5, 1], [6, 6, 5, 1]]
    for _time in range(2):
        anna.press(ATTACK)
        anna.stands()
        assert anna.look().status_code == 204
    assert gm.look().status_code == 200
    # What lies in somebody's tray is what they pressed themselves.
    gm.stands(but="tray")
    assert ("applied" if trust else "waiting") in anna.page
    assert "their turn" in anna.page


@pytest.mark.parametrize("slug", ["condice", "daemmersturm", "dice-rumble"])
def test_the_end_of_a_turn_brings_what_it_has_changed_and_whoever_is_on_acts(django_user_model, slug):
    table = Fight(django_user_model.objects, slug)
    table.bring("Troll")
    table.do(f"place:{table.sheets['ben'].pk}:0")
    gm = Watched(table, "gm", "anna", "ben")

    def turn(word):
        order = re.search(r'name="_order" value="([^"]*)"', gm.page)[1]
        answer = gm.post({"do": f"turn:{word}", "_press": uuid.uuid4(), "_order": order,
                          "_turn": turn_token(table.scene)})
        acting = re.search(r'name="_by" value="([^"]*)"', gm.page)[1]
        assert acting in table.scene.on
        if acting != str(table.sheets[gm.seats["by"]].pk):
            # A GM acts for whoever is on, and with that each address on the page is another.
            gm.seats = {"by": next(name for name, one in table.sheets.items() if str(one.pk) == acting), "at": None}
            gm.page = gm.anew()
        return "table-live" not in ids(answer)

    turn("begin")
    pieces = 0
    for number in range(7):
        pieces += turn("hold" if number == 4 else "next")
        # What all may be asked for stands in the order in which they came.
        gm.stands(but="ask")
        assert gm.look().status_code == 204
    assert pieces, "all of it came each time"


@table_of("battle-dice")
def test_a_gm_who_acts_for_a_player_is_shown_what_others_may_know(table):
    page = Watched(table, "gm")
    for which in re.findall(r'id="w-(act-[^"]*)"', page.page):
        if f'id="w-{which}"' in page.page:
            page.press(which)
            page.stands()
    assert Event.objects.exists()


def test_what_a_gm_asked_for_is_asked_no_more_as_soon_as_it_is_rolled_and_a_gm_s_page_gathers_it(table):
    AskedRoll.objects.create(party=table.party, sheet=table.sheets["anna"], key=uuid.uuid4(), widget=ATTACK)
    anna, gm = Watched(table, at=None), Watched(table, "gm", at=None)
    assert "roll-asked-" in anna.page
    anna.press(ATTACK)
    assert "roll-asked-" not in anna.page
    anna.stands()
    assert "has not rolled yet" in gm.page
    gm.look()
    assert "has not rolled yet" not in gm.page


@pytest.mark.parametrize(("who", "by", "at", "word"), [
    ("ben", "ben", None, "apply"), ("ben", "ben", "anna", "apply"), ("ben", "ben", None, "dismiss"),
    ("gm", "ben", None, "apply"), ("gm", "anna", "ben", "apply"), ("anna", "anna", None, "dismiss")])
def test_what_landed_and_is_settled_comes_back_as_pieces_and_so_does_its_taking_back(hit, dice, who, by, at, word):
    hit.play("ben", "act-add-item", name="Seil")
    dice += [[6, 6, 5, 1]]
    hit.press()
    first, second = PendingEffect.objects.order_by("pk").values_list("pk", flat=True)
    page = Watched(hit, who, by, at)
    for number in (second, first):
        settled = page.post({"do": f"{word}:{number}", "_press": uuid.uuid4()})
        assert not ids(settled) & {"table-live", "table-log", "aim"}
        page.stands()
        assert page.look().status_code == 204
    for act in Event.objects.exclude(act="").filter(applied_effect__isnull=False).order_by("-pk"):
        undone = page.post({"do": f"back:{act.pk}", "_press": uuid.uuid4()})
        assert not ids(undone) & {"table-live", "table-log", "aim"}
        page.stands()
        assert page.look().status_code == 204


@pytest.mark.parametrize("who", ["anna", "gm"])
def test_an_own_act_taken_back_at_the_table_comes_back_as_pieces(hit, who):
    page = Watched(hit, who)
    for name in ("Seil", "Fackel"):
        page.press("act-add-item", name=name)
    for act in Event.objects.filter(act="add-item").order_by("-pk"):
        undone = page.post({"do": f"back:{act.pk}", "_press": uuid.uuid4()})
        assert not ids(undone) & {"table-live", "table-log"}
        page.stands()
        assert page.look().status_code == 204


def test_what_others_did_meanwhile_comes_with_the_whole_table(hit):
    page = Watched(hit, "ben", by="ben", at=None)
    hit.play("anna", "act-add-item", name="Seil")
    assert "table-log" in ids(page.post({"do": f"apply:{PendingEffect.objects.get().pk}", "_press": uuid.uuid4()}))
    page.stands()


@table_of("dice-rumble")
def test_an_act_that_moves_somebody_in_the_order_of_turns_brings_all_of_it(table):
    page = Watched(table, at=None)
    assert "table-live" in ids(page.press("act-roll-initiative"))
    page.stands()
    assert "table-live" in ids(page.post({"do": f"back:{Event.objects.get().pk}", "_press": uuid.uuid4()}))
    page.stands()
