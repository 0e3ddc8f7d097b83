"""People who get mails become receivers of the outbox; mails that wait or were given up are stored there."""

from django.db import migrations

AT_ONCE = 1000


def fill(apps, _schema_editor):
    Mailing, Notification, Receiver, Delivery = (
        apps.get_model("sheets", one) for one in ("Mailing", "Notification", "Receiver", "Delivery"))
    for mailing in Mailing.objects.order_by("pk").iterator(AT_ONCE):
        of_user = Notification.objects.filter(user=mailing.user_id).order_by("pk")
        last = of_user.filter(mail__in=("sent", "failed")).last()
        receiver = Receiver.objects.create(channel="mail", mailing=mailing, after=mailing.after,
                                           lost=last is not None and last.mail == "failed")
        Delivery.objects.bulk_create((
            Delivery(receiver=receiver, notification=one, kind=one.kind, made=one.made, due=one.made, tries=one.tries,
                     **({"state": "given-up", "settled": one.made} if one.mail else {}))
            for one in of_user if one.mail == "failed" or one.mail == "" and one.read is None), AT_ONCE)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0062_outbox")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
