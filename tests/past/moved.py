"""Where migrations have put what a past held in columns and tables that are no more."""

from sheets.models import Delivery, Party, Receiver, Scene

MOVED = {
    # sheets's 0034_takers keeps with the party who has taken a ready-made character.
    ("sheets.Member", "took"): lambda row: Party.takers.through.objects.filter(
        party=row["party_id"], user=row["user_id"]).exists() == (row["took"] is not None),
    # sheets's 0040_events_of_scenes gives these to the scene that is open.
    ("sheets.Party", "order"): lambda row: row["order"] == open_scene(row).order,
    ("sheets.Party", "turn"): lambda row: [key for key in [row["turn"]] if key] == open_scene(row).on,
    ("sheets.Party", "round"): lambda row: row["round"] == open_scene(row).round,
    # sheets's 0063_outbox_of_before keeps these in the outbox.
    ("sheets.Mailing", "after"): lambda row: Receiver.objects.filter(mailing=row["id"], after=row["after"]).exists(),
    ("sheets.Notification", "mail"): lambda row: delivery_states(row) in ([], [
        "given-up" if row["mail"] == "failed" else "waiting"]),
    ("sheets.Notification", "tries"): lambda row: row["tries"] == 0 or bool(delivery_states(row)) or bool(row["mail"])}
"""{(table, column that is no more): whether what a row held there stands where it is now}."""
RENAMED = {"sheets.Scene": "sheets.Evening", "sheets.PendingEffect": "sheets.Landing"}


def open_scene(row):
    return Party.objects.get(pk=row["id"]).scene or Scene()


def delivery_states(row):
    return [one.state for one in Delivery.objects.filter(notification=row["id"])]
