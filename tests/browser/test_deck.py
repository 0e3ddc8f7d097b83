"""A deck from scratch, and a whole game of two decks by guided turns, with JavaScript and without."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from rulesets import systems
from sheets.character import Character
from sheets.models import Sheet
from tests.support.browser.looks import sound
from tests.support.browser.sheet_actions import brought_in_again, unfold
from tests.support.browser.wizard_actions import SAVED, seated

pytestmark = pytest.mark.browser

either_way = pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
EXAMPLES = systems()["battle-dice"].examples


def draft(page) -> Sheet:
    """The draft or sheet of the page as it is stored."""
    return Sheet.objects.get(pk=re.search(r"/(?:drafts|sheets)/([^/]+)/", page.url)[1])


def card(page, name):
    """A card of the catalogue by its name."""
    return page.locator("#catalogues li.face").filter(has=page.get_by_role("heading", name=name, exact=True))


def press(page, word):
    """Press a button of the wizard and wait until it is done."""
    before = draft(page).version
    page.locator(f"button[value='{word}']").first.click()
    expect(page.locator("#saved")).not_to_have_attribute("data-version", str(before))


def built(visit, **how):
    """A page on the deck step of a new draft with a name."""
    page = visit("/", **how)
    page.locator("[data-system=battle-dice] button:not([value])").click()
    page.locator("#f-_name").fill("Frostkuchen")
    page.locator("button[value='go:deck']").first.click()
    page.wait_for_url(re.compile("/deck/"))
    return page


@either_way
def test_a_deck_is_built_by_plus_and_minus_with_its_count_curve_and_chances_in_view(visit, javascript):
    page = built(visit, javascript=javascript, locale="en")
    left = page.locator("#sidebar .figure")
    expect(left).to_have_text("8")
    assert not card(page, "Dice Minion Boost").get_by_role("button").count()
    press(page, "add:cards:the-corona-look")
    for _more in range(2):
        press(page, "more:cards.0.copies")
    more = page.locator("button[value='more:cards.0.copies']").first
    expect(more).to_have_attribute("aria-disabled", "true")
    assert more.get_attribute("title") == "3 of a kind are the most."
    assert card(page, "The Corona Look").locator(".count strong").inner_text() == "3"
    assert "Opens in 64.3" in card(page, "The Corona Look").locator(".callout").inner_text()
    press(page, "add:cards:snowbuddies")
    press(page, "more:cards.1.copies")
    press(page, "add:cards:the-biggest-fan")
    press(page, "drop:cards.2")
    press(page, "add:cards:pina-rohkinar")
    press(page, "more:cards.2.copies")
    expect(left).to_have_text("1")
    curve = re.findall(r"(\d) mana\s+(\d)", page.locator(".chart").first.inner_text())
    assert curve == [("1", "3"), ("2", "2"), ("4", "2")]
    press(page, "more:cards.2.copies")
    expect(left).to_have_text("0")
    assert not page.locator("#findings > li").count()
    assert draft(page).data["cards"] == [
        {"card": slug, "copies": copies}
        for slug, copies in (("the-corona-look", 3), ("snowbuddies", 2), ("pina-rohkinar", 3))]


@either_way
def test_the_catalogue_is_searched_and_narrowed_down(visit, javascript):
    page = built(visit, javascript=javascript, locale="en")
    names = page.locator("#catalogues li.face h3")

    def narrow(search="", mana="", keyword=""):
        page.locator("#catalogues [name=q]").fill(search)
        page.locator("#catalogues [name=is]").nth(0).select_option(mana)
        page.locator("#catalogues [name=is]").nth(1).select_option(keyword)
        if not javascript:
            page.locator("#catalogues form button").click()

    narrow(keyword="Zielsuchend")
    expect(names).to_have_text(["Piña ≠ Rohkinar"])
    narrow(mana="1 mana", keyword="Verteidigung")
    expect(names).to_have_text(["The Corona Look", "Dice Minion Fokus", "Dice Minion Verteidigung"])
    narrow(search="cake token")
    expect(names).to_have_text(["The Biggest Fan"])


@either_way
def test_a_card_of_ones_own_is_written_down_with_keywords_and_effects(visit, javascript):
    page = built(visit, javascript=javascript, locale="en")
    press(page, "add:cards:custom")
    press(page, "add:cards.0.keywords")
    press(page, "add:cards.0.effects")
    for key, value in {"name": "The Weeb", "cost": "X", "keywords-0-value": "2", "effects-0-name": "Untertitel",
                       "effects-0-text": "Alle lesen mit."}.items():
        page.locator(f"#f-cards-0-{key}").fill(value)
    page.locator("#f-cards-0-keywords-0-keyword").select_option("flink")
    if javascript:
        expect(page.locator("#saved")).to_have_text(SAVED)
    else:
        page.locator("noscript button[value=save], button[value=save]").last.click()
    expect(page.locator("#findings")).to_contain_text("The Weeb is no card of the list; the GM has to agree to it.")
    assert draft(page).data["cards"] == [{
        "card": "custom", "copies": 1, "name": "The Weeb", "cost": "X", "keywords": [{"keyword": "flink", "value": 2}],
        "effects": [{"kind": "reaction", "name": "Untertitel", "cost": None, "text": "Alle lesen mit."}]}]


def act(page, key, **answers):
    """Do an act and wait for its answer."""
    form, old = page.locator(f"[id='w-act-{key}']"), page.locator("#seen").input_value()
    for name in [name for name in answers if page.locator(f"[id='against.{name}']").count()]:
        address = re.compile(rf"against\.{name}=")
        scripts = page.evaluate("'htmx' in window")
        with page.expect_response(address) if scripts else page.expect_navigation(url=address):
            page.locator(f"[id='against.{name}']").fill(str(answers.pop(name)))
            page.keyboard.press("Enter")
    unfold(page, form)
    for name, value in answers.items():
        field = form.locator(f"[name={name}]")
        field.select_option(value) if name == "order" else field.fill(str(value))
    form.locator(f"[id='press-button-act-{key}']").click()
    expect(page.locator("#seen")).not_to_have_value(old)


def offered(page, *words) -> str:
    """The first act that begins with one of these words, "" if there is none."""
    ids = page.locator("form.act").evaluate_all("forms => forms.map(({id}) => id)")
    keys = [one.removeprefix("w-act-") for one in ids]
    return next((key for word in words for key in keys if key.startswith(word)), "")


def wound(page, points):
    """Life is lost before the first turn, so that the game that is pressed through is not too long."""
    sheet = draft(page)
    sheet.play |= {"life": 15 - points}
    sheet.save(update_fields=["play"])


def own_turn(page, enemy) -> int:
    """The four phases in their order; answers the damage that was rolled."""
    act(page, offered(page, "put-away"))
    act(page, "focus")
    while summoning := offered(page, "destroy", "summon-0", "summon-1"):
        act(page, summoning)
    act(page, "to-battle")
    other = Character(draft(enemy))
    act(page, "attack", defence_dice=other.play.defence(other.written), flink=other.play.flink_of(other.written))
    return draft(page).events.latest("pk").outcome


def enemy_turn(page, damage):
    """Damage entered; the first time an avatar blocks, what is left hits the mage; the dead are settled."""
    act(page, "damage", points=damage)
    blocking = offered(page, "block")
    if blocking and not draft(page).events.filter(act="block").exists():
        act(page, blocking)
    for step in ("take-rest", "settle", "next-turn"):
        if offered(page, step):
            act(page, step)


@either_way
def test_a_whole_game_of_two_decks_is_played_by_guided_turns_and_the_log_tells_it(visit, javascript, full):
    first = seated(visit, EXAMPLES["attack"], javascript=javascript, locale="en")
    second = seated(visit, EXAMPLES["quick"], javascript=javascript, locale="en")
    act(first, "start-game", order="first")
    act(second, "start-game", order="second")
    assert first.locator(".spread li.face").count() == 2
    sides = [first, second]
    for page in [] if full else sides:
        wound(page, 12)
    for turn in range(120):
        mine, theirs = sides[turn % 2], sides[1 - turn % 2]
        enemy_turn(theirs, own_turn(mine, theirs))
        if draft(theirs).play["phase"] == "lost":
            break
    act(mine, "win")
    assert (draft(mine).play["phase"], draft(theirs).play["life"]) == ("won", 0)
    assert theirs.locator("#values-now > .note").get_by_text("You have lost.").count()
    told = [f"{event.title}: {event.text}" for event in draft(theirs).events.order_by("pk")]
    assert told[0].startswith("Begin a game")
    assert any("Not blocked, life" in line for line in told)
    assert "summoned" in " ".join(told)
    shown = theirs.locator(".log").inner_text().replace("\u00a0", " ")
    assert "Not blocked, life 0" in shown
    assert "Enter the enemy's damage" in shown
    act(theirs, "end-game")
    assert draft(theirs).play == {}


@either_way
def test_a_deck_is_printed_as_cards_exported_and_imported_to_an_equal_seal(visit, javascript, tmp_path):
    page = seated(visit, EXAMPLES["own-card"], javascript=javascript, locale="en")
    sheet, where = draft(page), page.url
    page.get_by_role("link", name="Print").click()
    page.get_by_role("link", name="Cards to cut out").click()
    assert page.get_by_role("img", name="Page 2 of 2").is_visible()
    page.goto(where)
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Export").click()
    assert "3 × Piña ≠ Rohkinar" in page.locator("main").inner_text() + "".join(
        one.input_value() for one in page.locator("textarea").all())
    brought_in_again(page, sheet, tmp_path / "deck.json", javascript=javascript)


@pytest.mark.layout
def test_axe_finds_nothing_and_nothing_scrolls_sideways_on_the_pages_of_a_deck(visit):
    page = seated(visit, EXAMPLES["own-card"])
    act(page, "start-game", order="second")
    sheet = page.url.split("#")[0]
    for locale, address in product(("de", "en"), (sheet, sheet.replace("/sheets/", "/drafts/") + "deck/",
                                                  sheet + "print/")):
        page.context.add_cookies([{"name": "django_language", "value": locale, "url": visit.url}])
        page.goto(address)
        sound(page)
