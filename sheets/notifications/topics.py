"""The topics of notifications, each of several kinds; people choose by topic what they are sent."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TOPICS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    "table": (_("What waits for you at the table"), ("waiting", "turn-late", "challenged", "mended")),
    "approval": (_("Submissions, decisions and remarks"), (
        "review-submitted", "review-returned", "review-approved", "review-replied", "review-withdrawn")),
    "sheets": (_("Sheets that come, go or are passed on"), ("brought", "withdrawn", "dropped", "taken", "unshared")),
    "members": (_("Who joins, leaves or becomes GM"), ("joined", "left", "removed", "ended", "gm", "co-gm", "player")),
    "house": (_("Changed house rules"), ("house",)),
    "evenings": (_("Evenings that are planned, moved or called off"), (
        "evening-asked", "evening-planned", "evening-moved", "evening-cancelled", "evening-withdrawn")),
    "reminders": (_("A reminder the day before an evening"), ("evening-reminder",)),
    "site": (_("Reports and webhooks"), (
        "reported", "taken-down-picture", "taken-down-share", "taken-down-both", "webhook-off")),
}
"""{topic: (title, kinds)}."""
_TOPIC = {kind: topic for topic, (_title, kinds) in TOPICS.items() for kind in kinds}


def topic_of(kind: str) -> str:
    """Return the topic of a kind of notification; "" for those of a later version."""
    return _TOPIC.get(kind, "")
