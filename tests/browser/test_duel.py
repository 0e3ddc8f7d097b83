"""A game of Battle Dice between two at a party's table, each in a browser on the own sheet, to its end.

Each answer of the server is kept, to the letter: none names a card that the other one alone knows.
"""

import pytest
from django.contrib.auth.models import User
from django.core.handlers.wsgi import WSGIHandler
from playwright.sync_api import expect

from sheets.models import PendingEffect
from tests.support.browser.kinds import either_way
from tests.support.browser.looks import sound
from tests.support.browser.waits import until
from tests.support.sheets.duel import Duel

pytestmark = pytest.mark.browser
LEADS = {
    "chaos": "board-act-put-away-hand-0-", "focus": "board-act-focus-", "summon": "board-act-to-battle-",
    "battle": "board-act-declare-", "aim": "board-act-let-block-", "enemy": "board-act-defend-",
    "block": "board-act-take-rest-", "heal": "board-act-settle-", "end": "board-act-next-turn-",
}
"""{phase: beginning of the name of its next button}, as the board names its buttons."""

NEWS = """() => {
  document.addEventListener("htmx:beforeSend", ({detail}) => {
    detail.xhr.addEventListener("loadend", () => { document.documentElement.dataset.answered = true; });
  });
  document.dispatchEvent(new Event("news"));
}"""
"""The page hears of news, and notes that what it asked for then was answered."""


class Seats(Duel):
    """Both at their pages."""

    def __init__(self, visit, answers=(), *, javascript=True):
        super().__init__(User.objects)
        self.told_apart()
        self.javascript, self.pages, self.answers, self.known = javascript, {}, answers, {}
        for who in ("anna", "ben"):
            self.pages[who] = visit(client=self.browsers[who], javascript=javascript)

    def sheet_url(self, who):
        return f"/sheets/{self.sheets[who].pk}/"

    def click(self, who, button):
        """A press of somebody's, waited for until it is stored."""
        page, before = self.pages[who], self.sheets[who].events.count()
        if not self.javascript:
            page.goto(self.sheet_url(who))
        page.locator(button).first.click()
        until(page, lambda: self.sheets[who].events.count() > before)
        self.unheard()

    def unheard(self):
        """No answer so far names a card that the other one alone knows."""
        answers, self.answers[:] = list(self.answers), []
        for who, other in (("anna", "ben"), ("ben", "anna")):
            # What was open at some time may be told from then on.
            self.known.setdefault(other, set()).update(one.card for one in self.state(other).avatars)
            hidden = self.hidden(other) - self.known[other]
            assert hidden
            assert not [(name, path) for name in hidden for reader, path, raw in answers
                        if reader == who and name.encode() in raw]

    def attacked(self):
        """Start a game in which Ben, who has two avatars, is attacked."""
        self.begin()
        self.put("ben", avatars=[{"card": "The Corona Look", "frost": 2}, {"card": "Piña ≠ Rohkinar", "damage": 1}],
                 phase="enemy", threat=2, blows=[{"target": "@", "points": 1}])


@pytest.fixture
def answers(monkeypatch):
    """All that the server answers: (who asked, for what, the raw bytes)."""
    found, answer = [], WSGIHandler.get_response

    def heard(handler, request):
        given = answer(handler, request)
        if not given.streaming:
            found.append((request.user.username, request.path, given.content))
        return given

    monkeypatch.setattr(WSGIHandler, "get_response", heard)
    return found


@pytest.mark.more
@pytest.mark.rule("BD-10", "BD-11", "BD-14", "BD-16")
@either_way
def test_a_game_of_two_to_its_end(visit, transactional_db, answers, full, javascript):
    game = Seats(visit, answers, javascript=javascript)
    anna, ben = game.pages["anna"], game.pages["ben"]
    anna.goto(f"{game.address}?{game.seats('anna', 'ben')}")
    anna.locator("[id^=board-act-challenge-]").first.click()
    ben.goto(game.sheet_url("ben"))
    ben.locator(".landed [id^=apply-]").click()
    expect(ben.locator("#foe")).to_contain_text("Gegen Anna")
    anna.goto(game.sheet_url("anna"))
    expect(anna.locator("#foe")).to_contain_text("Gegen Ben")
    # So that the game is not too long: an attack deals 3 at the most.
    for who in ("anna", "ben"):
        game.put(who, life=6 if full else 4)
    presses, summoned = 0, set()
    while (phases := {who: game.state(who).phase for who in ("anna", "ben")}) and "won" not in phases.values():
        who = next(one for one, phase in phases.items() if phase in LEADS)
        if phases[who] == "summon" and who not in summoned:
            summoned.add(who)
            game.click(who, "[id^='board-act-summon-hand-0-']")
        else:
            game.click(who, f"[id^='{LEADS[phases[who]]}']")
        presses += 1
        assert presses < 400
    assert presses > 10
    assert sorted(phases.values()) == ["lost", "won"]
    for who, page in game.pages.items():
        if not javascript:
            page.goto(game.sheet_url(who))
        # With scripts each sees by itself what the other one did.
        expect(page.locator("#table")).to_contain_text(
            "Du hast gewonnen." if phases[who] == "won" else "Du hast verloren.")
    game.unheard()


def test_news_that_come_while_something_is_pressed_are_looked_at_when_that_is_answered(visit, transactional_db):
    game, asked, held = Seats(visit), [], []
    for _time in range(2):
        game.press("act-challenge", order="first")
    ben = game.pages["ben"]
    ben.goto(game.sheet_url("ben"))
    ben.on("request", lambda request: asked.append(request.url.rpartition("/")[0].rpartition("/")[2]))
    ben.route("**/play/**", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it calls
    with ben.expect_request("**/play/**"):
        ben.locator(".landed [id^=dismiss-]").first.click()
    game.press("act-challenge", order="first")
    ben.evaluate("document.dispatchEvent(new Event('news'))")
    assert asked[-1] == "play"
    until(ben, lambda: held)
    held.pop().continue_()
    expect(ben.locator(".landed li")).to_have_count(2)
    expect(ben.locator(f"#landed-{PendingEffect.objects.latest('pk').pk}")).to_be_visible()


def test_news_that_come_between_pressing_a_button_and_letting_it_go_are_drawn_after_that(visit, transactional_db):
    game = Seats(visit)
    game.press("act-challenge", order="first")
    ben = game.pages["ben"]
    ben.goto(game.sheet_url("ben"))
    box = ben.locator(".landed [id^=dismiss-]").bounding_box()
    ben.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ben.mouse.down()
    game.press("act-challenge", order="first")
    ben.evaluate(NEWS)
    expect(ben.locator("html[data-answered]")).to_have_count(1)
    ben.mouse.up()
    expect(ben.locator(".landed li")).to_have_count(1)
    expect(ben.locator(f"#landed-{PendingEffect.objects.latest('pk').pk}")).to_be_visible()
    assert PendingEffect.objects.order_by("pk").first().state == "dismissed"


@pytest.mark.layout
def test_axe_finds_nothing_in_a_game_of_two(visit, transactional_db):
    game = Seats(visit)
    game.attacked()
    for who in ("anna", "ben"):
        page = game.pages[who]
        page.goto(game.sheet_url(who))
        sound(page)
