"""The talents that the opponent in a duel may use (DR-03, DR-07, DR-12)."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble.talents import ATTRIBUTES, FURTHER_TALENTS, GERMAN_NAMES, KNOWN_TALENTS, normalized_name
from rulesets.kit import HIGHEST, Wording

if TYPE_CHECKING:
    from rulesets.dice_rumble.sheet import DiceRumble

Opposing: TypeAlias = list[Any]
"""[common name, name on the sheet, threshold]; "" for a name that is not offered to these readers."""
_ALONE, _TOLD = _("{attribute} alone"), _("{name}: {n}")
_USUAL, _USUAL_IS = _("Fighting value"), _("Fighting value: {n}")


def opposing_talents(now: "DiceRumble") -> dict[str, Opposing]:
    """Return {key: talent} of the current sheet: common talents first, then its own, then attributes alone."""
    found: dict[str, Opposing] = {}
    own = {normalized_name(one.name): one for one in now.talents if one.name.strip()}
    for index, (name, attribute) in enumerate((*KNOWN_TALENTS.items(), *FURTHER_TALENTS)):
        spelt = GERMAN_NAMES[index - len(KNOWN_TALENTS)] if index >= len(KNOWN_TALENTS) else name
        there = own.pop(normalized_name(str(name)), None) or own.pop(normalized_name(spelt), None)
        threshold = now.threshold(there) if there else now.value(attribute)
        if threshold is not None:
            own_name = there.label if there else name if index < len(KNOWN_TALENTS) else ""
            found[f"common-{index}"] = [str(name), str(own_name), min(HIGHEST, threshold)]
    for name, one in own.items():
        if (threshold := now.threshold(one)) is not None:
            found[f"own-{name}"] = ["", str(one.label), min(HIGHEST, threshold)]
    for key, title in ATTRIBUTES.items():
        if (value := now.value(key)) is not None:
            alone = str(_ALONE.format(attribute=title))
            found[f"alone-{key}"] = [alone, alone, value]
    return found


def words_for_opposing(usual: int, found: Mapping[str, Opposing], *,
                       veiled: bool) -> Iterator[tuple[str, tuple[Wording, int]]]:
    """Yield (key, (label, threshold)) of each talent, the usual one first; if `veiled`, labels have no secrets."""
    yield "usual", (_USUAL if veiled else _USUAL_IS.format(n=usual), usual)
    for word, (common, own, threshold) in found.items():
        yield word, (common if veiled else _TOLD.format(name=own, n=threshold) if own else "", threshold)
