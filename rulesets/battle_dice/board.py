"""The board of a game: the felt with hand and avatars, each card with what can be done with it now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulesets.kit import Face, Nudge, Offer, Wording

if TYPE_CHECKING:
    from rulesets.battle_dice.play.avatars import Avatar
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

OF_HAND = ("summon", "put-away", "react", "summon-minion")
"""The acts with a card in hand."""
OF_AVATARS = ("block", "remove-mark", "use-active", "destroy")
"""The acts with an avatar in play."""
OF_TURN = ("start-game", "take-hit", "put-away", "focus", "to-battle", "attack", "declare", "skip-battle", "let-block",
           "defend", "use-active", "let-aim", "no-attack", "take-rest", "aimed-at-mage", "roll-heilung", "settle",
           "next-turn")
"""The acts that lead through the game, in the order of a round."""
ACROSS = ("aim-at", "deal", "snowball")
"""The acts of two at a table that are aimed at the other one, and stand where that one's avatars lie."""
OVER = ("won", "lost")
"""Phases after which the table is cleared."""


@dataclass(frozen=True)
class Press:
    """A press, and what stands on its button."""

    title: Wording
    nudge: Nudge

    @property
    def puts_away(self) -> bool:
        """True if it leads on from the Zeitchaosphase, where only a card in hand does."""
        return self.nudge.offer.cls.slug == "put-away"


@dataclass(frozen=True)
class Laid:
    """A card on the felt as it may be seen, its presses, and of an avatar its life: full and empty places."""

    face: Face
    presses: tuple[Press, ...] = ()
    life: tuple[bool, ...] = ()

    @property
    def effects(self) -> list[tuple[str, str, str]]:
        """(name, kind in brackets, text) of each of its effects."""
        heads = [(*str(head).partition(" ("), text) for head, text in self.face.texts]
        return [(name, (bracket + kind).strip(), text) for name, bracket, kind, text in heads]


def of(sheet: "BattleDice", play: "BattleDicePlay") -> dict:
    """The felt, on which the tray lies and the enemy's figures stand: hand and avatars in a game, else the deck."""
    spread = {key: faces for key, (_title, faces) in zip(("hand", "avatars"), play.spread(sheet), strict=False)}
    offers = {slug: [*play.offers(sheet, slug).values()]
              for slug in dict.fromkeys((*OF_HAND, *OF_AVATARS, *OF_TURN, "win", "end-game", "challenge"))}
    hand = [Laid(face, tuple(_of_card(offers, name)) if name else ())
            for face, name in zip(spread.get("hand", ()), play.hand, strict=False)]
    avatars = [Laid(face, tuple(_of_avatar(offers, index)), _life(sheet, play, avatar))
               for index, (face, avatar) in enumerate(zip(spread.get("avatars", ()), play.avatars, strict=False))]
    turn = [*_of_turn(offers), *(_plain(offers, "end-game") if play.phase in OVER else ())]
    pressed = {press.nudge.offer.cls.slug for press in (*turn, *(one for laid in (*hand, *avatars)
                                                                 for one in laid.presses))}
    return {"tabletop": True, "playing": play.playing, "hand": hand, "avatars": avatars, "turn": turn,
            "challenge": [*_of_turn(offers, ("challenge",))],
            "across": ACROSS, "aims": [(slug, key) for slug in ACROSS for key in play.offers(sheet, slug)],
            "defends": next((offer.note for offer in offers["defend"]), ""), "pressed": pressed,
            "ends": _plain(offers, "win"), "deck": len(play.deck), "discard": len(play.discard),
            "kinds": [] if play.playing else [Laid(card.face()) for _row, card in sheet.kinds]}


def _life(sheet: "BattleDice", play: "BattleDicePlay", avatar: "Avatar") -> tuple[bool, ...]:
    left, most = play.left(sheet, avatar), play.face_of(sheet, avatar).life
    return tuple(place < left for place in range(most)) if most <= 12 else ()


def _of_card(offers: dict[str, list[Offer]], name: str) -> Iterator[Press]:
    for slug in OF_HAND:
        for offer in offers[slug]:
            if offer.filled.get("card") == name and _ready(offer):
                yield Press(offer.filled.get("effect") or offer.cls.title, Nudge(offer, {}))
            elif name in offer.among.get("card", ()):
                yield Press(offer.cls.title, Nudge(offer, {"card": name}))


def _of_avatar(offers: dict[str, list[Offer]], index: int) -> Iterator[Press]:
    for slug in OF_AVATARS:
        for offer in offers[slug]:
            if index in (offer.filled.get("index"), offer.filled.get("avatar")) and not offer.rare and _ready(offer):
                yield Press(offer.filled.get("effect") or offer.cls.title, Nudge(offer, {}))


def _of_turn(offers: dict[str, list[Offer]], slugs: tuple[str, ...] = OF_TURN) -> Iterator[Press]:
    for slug in slugs:
        for offer in offers[slug]:
            one = {"card", "avatar"} & {key for key, value in offer.filled.items() if value not in (None, "")}
            if slug in ("start-game", "challenge"):
                yield from (Press(title, Nudge(offer, {"order": order}))
                            for order, title in (offer.asks["order"].ask.choices or {}).items())
            elif not one and _ready(offer):
                yield Press(offer.title, Nudge(offer, {}))


def _plain(offers: dict[str, list[Offer]], slug: str) -> list[Press]:
    return [Press(offer.title, Nudge(offer, {})) for offer in offers[slug]]


def _ready(offer: Offer) -> bool:
    """Return True if a press alone will do: what it asks has a usual answer, or is asked once for everything."""
    return all(slot.ask.target or not slot.required for slot in offer.asks.values())
