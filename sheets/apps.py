from typing import Any

from django.apps import AppConfig


class SheetsConfig(AppConfig):
    """Sheets that exist: stored, read, played, reviewed, printed and exchanged."""

    name = "sheets"

    def ready(self) -> None:
        """Connect the signals that give a guest's sheets to the user who signs in, and clean up after deletions."""
        from django.contrib.auth import get_user_model  # noqa: PLC0415 - apps are not ready before
        from django.contrib.auth.signals import user_logged_in, user_logged_out  # noqa: PLC0415
        from django.db.models.signals import post_delete, pre_delete  # noqa: PLC0415

        from sheets.access import adopt  # noqa: PLC0415
        from sheets.audit_log.chain import erase_person  # noqa: PLC0415
        from sheets.faces.services import drop_portraits  # noqa: PLC0415
        from sheets.guests import end_guest  # noqa: PLC0415
        from sheets.models import Sheet  # noqa: PLC0415
        from sheets.notifications.push import end_session  # noqa: PLC0415
        from sheets.parties.services import leave_all  # noqa: PLC0415
        from sheets.removal import clear  # noqa: PLC0415

        def ends(instance: Any, **_: Any) -> None:
            leave_all(instance)
            erase_person(instance)

        user_logged_in.connect(lambda sender, request, user, **_: adopt(request, user), weak=False)
        user_logged_out.connect(lambda sender, request, user, **_: end_guest(request), weak=False)
        user_logged_out.connect(lambda sender, request, user, **_: end_session(user, request.session), weak=False)
        pre_delete.connect(ends, get_user_model(), weak=False)
        pre_delete.connect(lambda instance, **_: clear([instance.pk]), Sheet, weak=False)
        post_delete.connect(lambda instance, **_: drop_portraits(instance.portrait_id), Sheet, weak=False)
