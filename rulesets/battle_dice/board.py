"""The board of a deck: its hand and avatars in a game, each card with the buttons of what it can do now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulesets.kit import Face, Nudge, Offer, Wording

if TYPE_CHECKING:
    from rulesets.battle_dice.play.avatars import Avatar
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

HAND_ACTS = ("summon", "put-away", "react", "summon-minion")
"""The acts shown on a card in hand."""
AVATAR_ACTS = ("block", "remove-mark", "use-active", "destroy")
"""The acts shown on an avatar in play."""
TURN_ACTS = ("start-game", "take-hit", "put-away", "focus", "to-battle", "attack", "declare", "skip-battle",
             "let-block", "defend", "use-active", "let-aim", "no-attack", "take-rest", "aimed-at-mage", "roll-heilung",
             "settle", "next-turn")
"""The acts that lead through the game, in the order of a round."""
ACTS_ON_OPPONENT = ("aim-at", "deal", "snowball")
"""The acts on an opponent at the same table, shown beside the opponent's avatars."""
FINISHED_PHASES = ("won", "lost")
"""The phases after the end of a game."""


@dataclass(frozen=True)
class Button:
    """A button: its title, and the act that it does."""

    title: Wording
    nudge: Nudge

    @property
    def puts_card_away(self) -> bool:
        """True if it puts a card away, which ends the Zeitchaosphase."""
        return self.nudge.offer.cls.slug == "put-away"


@dataclass(frozen=True)
class BoardCard:
    """A card on the board with its buttons; `life` is True for each life point that an avatar has left."""

    face: Face
    buttons: tuple[Button, ...] = ()
    life: tuple[bool, ...] = ()

    @property
    def effects(self) -> list[tuple[str, str, str]]:
        """(name, kind in brackets, text) of each effect."""
        headings = [(*str(heading).partition(" ("), text) for heading, text in self.face.texts]
        return [(name, (bracket + kind).strip(), text) for name, bracket, kind, text in headings]


def board_context(sheet: "BattleDice", play: "BattleDicePlay") -> dict:
    """Return the values of the board's template: hand and avatars in a game, else the cards of the deck."""
    spread = {key: faces for key, (_title, faces) in zip(("hand", "avatars"), play.spread(sheet), strict=False)}
    offers = {slug: [*play.offers(sheet, slug).values()]
              for slug in dict.fromkeys((*HAND_ACTS, *AVATAR_ACTS, *TURN_ACTS, "win", "end-game", "challenge"))}
    hand = [BoardCard(face, tuple(_card_buttons(offers, name)) if name else ())
            for face, name in zip(spread.get("hand", ()), play.hand, strict=False)]
    avatars = [BoardCard(face, tuple(_avatar_buttons(offers, index)), _life_points(sheet, play, avatar))
               for index, (face, avatar) in enumerate(zip(spread.get("avatars", ()), play.avatars, strict=False))]
    turn = [*_turn_buttons(offers), *(_act_buttons(offers, "end-game") if play.phase in FINISHED_PHASES else ())]
    buttons = [*turn, *(button for card in (*hand, *avatars) for button in card.buttons)]
    return {"tabletop": True, "playing": play.is_playing, "hand": hand, "avatars": avatars, "turn": turn,
            "challenge": [*_turn_buttons(offers, ("challenge",))], "across": ACTS_ON_OPPONENT,
            "aims": [(slug, key) for slug in ACTS_ON_OPPONENT for key in play.offers(sheet, slug)],
            "defends": next((offer.note for offer in offers["defend"]), ""),
            "pressed": {button.nudge.offer.cls.slug for button in buttons},
            "ends": _act_buttons(offers, "win"), "deck": len(play.deck), "discard": len(play.discard),
            "kinds": [] if play.is_playing else [BoardCard(card.face()) for _row, card in sheet.distinct_cards]}


def _life_points(sheet: "BattleDice", play: "BattleDicePlay", avatar: "Avatar") -> tuple[bool, ...]:
    """Return for each life point True if it is left; () if there are too many to draw."""
    left, most = play.life_left(sheet, avatar), play.avatar_card(sheet, avatar).life
    return tuple(point < left for point in range(most)) if most <= 12 else ()


def _card_buttons(offers: dict[str, list[Offer]], name: str) -> Iterator[Button]:
    for slug in HAND_ACTS:
        for offer in offers[slug]:
            if offer.filled.get("card") == name and _is_ready(offer):
                yield Button(offer.filled.get("effect") or offer.cls.title, Nudge(offer, {}))
            elif name in offer.among.get("card", ()):
                yield Button(offer.cls.title, Nudge(offer, {"card": name}))


def _avatar_buttons(offers: dict[str, list[Offer]], index: int) -> Iterator[Button]:
    for slug in AVATAR_ACTS:
        for offer in offers[slug]:
            if index in (offer.filled.get("index"), offer.filled.get("avatar")) and not offer.rare and _is_ready(offer):
                yield Button(offer.filled.get("effect") or offer.cls.title, Nudge(offer, {}))


def _turn_buttons(offers: dict[str, list[Offer]], slugs: tuple[str, ...] = TURN_ACTS) -> Iterator[Button]:
    """Yield the buttons of acts that are not about one card; starting a game has one for each order of the players."""
    for slug in slugs:
        for offer in offers[slug]:
            has_card = any(offer.filled.get(key) not in (None, "") for key in ("card", "avatar"))
            if slug in ("start-game", "challenge"):
                yield from (Button(title, Nudge(offer, {"order": order}))
                            for order, title in (offer.asks["order"].ask.choices or {}).items())
            elif not has_card and _is_ready(offer):
                yield Button(offer.title, Nudge(offer, {}))


def _act_buttons(offers: dict[str, list[Offer]], slug: str) -> list[Button]:
    return [Button(offer.title, Nudge(offer, {})) for offer in offers[slug]]


def _is_ready(offer: Offer) -> bool:
    """Return True if one press suffices, as every open field has a default or is asked once for all rolls."""
    return all(slot.ask.target_figure or not slot.required for slot in offer.asks.values())
