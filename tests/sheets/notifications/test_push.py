"""Browsers that are told by web push: turned on, told, ended; what is sent, encrypted and signed."""

import gzip
import io
import re
import time
import zipfile
from datetime import timedelta

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from builder.backup import archive
from sheets.models import Delivery, Notification, PushDevice, Receiver
from sheets.notifications.push import MOST, decoded, encoded, encrypted, new_key, public_key
from sheets.notifications.services import TEXTS
from sheets.notifications.topics import TOPICS
from sheets.outbox.connect import NoAnswer
from tests.support.guest import text_of
from tests.support.mail_readers import happens, later, reader, states
from tests.support.push import CONTACT, Device, claims, run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("service")]
PAGE = "/account/notifications/"
TICKED = r'name="wanted" value="([\w:]+)"\s+checked>'


@pytest.fixture
def juan():
    return reader(wants=False)


def browser_of(user):
    found = Client(headers={"Accept-Language": "en"})
    found.force_login(user)
    return found


@pytest.fixture
def browser(juan):
    return browser_of(juan)


@pytest.fixture
def device(browser):
    made = Device()
    assert "From now on this device shows you what is new" in text_of(made.turn_on(browser))
    return made


def test_a_device_is_told_and_only_it_can_read_what_by_a_service_that_knows_who_sends(juan, device, service):
    happens(juan)
    assert run() == ["sent"]
    [(address, body, headers)] = service.got
    told, notification = device.read(body), Notification.objects.get()
    assert (told["title"], told["text"], told["url"], told["lang"]) == (
        "Bogenschmiede", "leiterin has joined “Die Runde”.", notification.url, "en")
    assert (address, headers["Content-Encoding"]) == ("https://push.example/geheim", "aes128gcm")
    assert 3500 < int(headers["TTL"]) <= 3600
    claimed, key = claims(headers["Authorization"])
    assert (claimed["sub"], key) == (CONTACT, public_key())
    assert 0 < claimed["exp"] - time.time() <= 24 * 3600
    with pytest.raises(http_ece.ECEException):
        Device().read(body)


def test_the_example_of_the_standard_is_encrypted_as_it_stands_there(monkeypatch):
    """RFC 8291, appendix A: with its keys and its salt the message is the same to the last bit."""
    sender = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1())
    monkeypatch.setattr("sheets.notifications.push.ec.generate_private_key", lambda _curve: sender)
    monkeypatch.setattr("http_ece.os.urandom", lambda _number: decoded("DGv6ra1nlYgDCS1FRnbzlw"))
    made = encrypted(b"When I grow up, I want to be a watermelon", {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"})
    assert encoded(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl"
        "95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")


def test_several_things_are_one_message_and_what_was_read_meanwhile_is_none(juan, device, service):
    happens(juan, times=3)
    assert run() == ["sent"]
    told = device.read(service.got[0][1])
    assert (told["text"], told["url"]) == ("3 notifications", "/notifications/")
    happens(juan, times=2)
    Notification.objects.filter(read=None).update(read=timezone.now())
    assert (run(), len(service.got), states()[-2:]) == ([], 1, ["dropped", "dropped"])


def test_a_long_text_fits_into_a_message(juan, device, service):
    happens(juan, kind="brought", sheet="\N{DRAGON}" * 5000)
    assert run() == ["sent"]
    assert len(service.got[0][1]) <= 4096
    assert device.read(service.got[0][1])["text"].endswith("…")


@pytest.mark.parametrize(("minutes", "state"), [(59, "sent"), (61, "dropped")])
def test_what_is_older_than_an_hour_is_not_sent(juan, device, service, minutes, state):
    happens(juan)
    Delivery.objects.update(made=timezone.now() - timedelta(minutes=minutes))
    run()
    assert (states(), len(service.got)) == ([state], int(state == "sent"))


@pytest.mark.parametrize("status", [404, 410])
def test_a_service_that_knows_a_device_no_more_ends_it(juan, device, service, status):
    happens(juan)
    service.status = status
    assert run() == ["dropped"]
    assert not PushDevice.objects.exists()
    assert not Receiver.objects.exists()


@pytest.mark.parametrize("fault", [500, 403, NoAnswer("no answer in time")])
def test_what_was_not_taken_is_sent_again_and_the_device_stays(juan, device, service, fault):
    happens(juan)
    service.status = fault
    assert run() == ["refused"]
    service.status = 201
    later()
    assert run() == ["sent"]
    first, second = (device.read(body) for _address, body, _headers in service.got)
    assert first["tag"] == second["tag"]


def test_ten_devices_may_be_told_and_with_another_the_oldest_ends(juan, service):
    for number in range(MOST + 1):
        Device(f"https://push.example/{number}").turn_on(browser_of(juan))
    happens(juan)
    run()
    assert sorted(int(address.rpartition("/")[2]) for address, _body, _headers in service.got) == [*range(1, MOST + 1)]


def test_a_browser_that_turns_it_on_again_is_one_device(browser, device):
    device.turn_on(browser)
    assert PushDevice.objects.count() == 1


def ended_by(what, browser, juan):
    if what == "sign-out":
        browser.post("/account/logout/")
    elif what == "password":
        juan.set_password("another one, long enough")
        juan.save()
    elif what == "inactive":
        get_user_model().objects.update(is_active=False)
    elif what == "time":
        PushDevice.objects.update(made=timezone.now() - timedelta(days=366))
    elif what == "account":
        juan.delete()


@pytest.mark.parametrize("what", ["sign-out", "password", "inactive", "time", "account"])
def test_a_device_ends_with_its_session(browser, juan, device, service, what):
    happens(juan)
    ended_by(what, browser, juan)
    run()
    assert (service.got, PushDevice.objects.exists()) == ([], False)


def test_signing_out_ends_the_device_of_that_session_alone(browser, juan, device, service):
    other = Device("https://push.example/other")
    other.turn_on(browser_of(juan))
    browser.post("/account/logout/")
    happens(juan)
    run()
    assert [address for address, _body, _headers in service.got] == ["https://push.example/other"]


def test_with_another_key_of_the_site_or_of_its_seals_devices_end(juan, device, service, settings):
    settings.VAPID_KEY = new_key()
    happens(juan)
    assert (run(), service.got, PushDevice.objects.exists()) == (["dropped"], [], False)
    device.turn_on(browser_of(juan))
    settings.REVIEW_KEY = "another one, as long as it needs to be, of which nobody knows anything at all"
    happens(juan)
    assert (run(), service.got, PushDevice.objects.exists()) == (["dropped"], [], False)


def test_devices_are_listed_and_ended_by_their_own_people_alone(browser, juan, device):
    page = text_of(browser.get(PAGE))
    assert "Firefox, Linux (this device)" in page
    other, made = browser_of(reader("anna", wants=False)), PushDevice.objects.get()
    assert "Firefox" not in text_of(other.get(PAGE))
    assert other.post(f"/account/devices/{made.pk}/").status_code == 404
    assert Client().post(f"/account/devices/{made.pk}/").status_code == 404
    assert PushDevice.objects.exists()
    assert "shows you nothing any more" in text_of(browser.post(f"/account/devices/{made.pk}/", follow=True))
    assert not PushDevice.objects.exists()
    assert browser.post(f"/account/devices/{made.pk}/").status_code == 404
    assert browser.post(f"/account/devices/{'9' * 40}/").status_code == 404


@pytest.mark.parametrize(("changes", "said"), [
    ({"endpoint": ""}, "may only contain the characters of addresses"),
    ({"endpoint": "http://push.example/1"}, "must begin with https://"),
    ({"endpoint": "https://127.0.0.1/1"}, "not one of the open internet"),
    ({"endpoint": f"https://push.example/{'x' * 1000}"}, "too long"),
    *[({key: value}, "This browser’s answer cannot be used.") for key in ("p256dh", "auth")
      for value in ("", "ä", "a" * 16, "A" * 87, "x" * 10_000)],
])
def test_what_cannot_be_told_is_refused_in_a_sentence(browser, changes, said):
    assert said in text_of(Device().turn_on(browser, **changes))
    assert not PushDevice.objects.exists()


def test_each_topic_is_sent_by_those_channels_that_are_ticked(juan, browser, device, service, mailoutbox):
    browser.post("/account/mail/", {"wanted": "on", "language": "en"})
    assert len(re.findall(TICKED, browser.get(PAGE).text)) == 2 * len(TOPICS)
    ticked = ["mail:members", "push:house", "mail:nonsense", "nonsense"]
    done = browser.post(PAGE, {"channel": ["mail", "push", "webhook"], "wanted": ticked}, follow=True)
    assert "Your choice has been saved." in text_of(done)
    assert re.findall(TICKED, done.text) == ["mail:members", "push:house"]
    happens(juan)
    assert list(Delivery.objects.values_list("receiver__channel", flat=True)) == ["mail"]
    happens(juan, kind="house", turned=1)
    assert list(Delivery.objects.order_by("pk").values_list("receiver__channel", flat=True)) == ["mail", "push"]
    happens(juan, kind="taken", sheet="x")
    assert Delivery.objects.count() == 2


def test_what_a_page_did_not_show_stays_as_it_was(browser, juan, device):
    browser.post(PAGE, {"channel": ["mail"], "wanted": []})
    happens(juan)
    assert Delivery.objects.get().receiver.channel == "push"


def test_without_a_key_the_site_says_nothing_of_it_and_sends_nothing(browser, juan, device, service, settings):
    happens(juan)
    settings.VAPID_KEY = ""
    page = browser.get(PAGE)
    assert "data-push" not in page.text
    assert "Devices" not in text_of(page)
    assert "sends nothing to devices" in text_of(device.turn_on(browser))
    happens(juan, kind="left")
    assert (run(), service.got, states()) == ([], [], ["dropped"])


def test_the_button_is_on_that_page_alone_and_hidden_without_a_script(browser):
    assert 'data-push="' in browser.get(PAGE).text
    assert "hidden>" in browser.get(PAGE).text.partition('data-push="')[2].partition("\n")[0]
    for other in ("/", "/account/", "/notifications/", "/sheets/"):
        assert "data-push" not in browser.get(other).text


def test_the_worker_stands_at_one_address_is_asked_for_anew_and_can_be_withdrawn(client, settings):
    answer = client.get("/push-worker.js")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/javascript; charset=utf-8", "private, no-cache")
    assert "showNotification" in answer.text
    settings.VAPID_KEY = ""
    answer = client.get("/push-worker.js")
    assert ("unregister()" in answer.text, "showNotification" in answer.text) == (True, False)


def test_the_download_of_an_account_has_neither_address_nor_keys(browser, device):
    with zipfile.ZipFile(io.BytesIO(b"".join(browser.get("/account/download/").streaming_content))) as found:
        told = found.read("account.json").decode()
    assert '"Firefox, Linux"' in told
    assert PushDevice.objects.get().session not in told
    assert "geheim" not in told


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kept", [False, True])
def test_a_restore_ends_devices_unless_they_are_to_be_kept_and_no_backup_has_their_addresses(
        browser, device, tmp_path, capsys, kept):
    archive.back_up(tmp_path / "backup")
    with gzip.open(tmp_path / "backup") as packed:
        told = packed.read()
    assert b"geheim" not in told
    capsys.readouterr()
    call_command("restore", str(tmp_path / "backup"), "--replace", *(["--keep-tokens"] if kept else []))
    assert ("1 devices are told by push no more" in capsys.readouterr().out) is not kept
    assert PushDevice.objects.count() == kept


def test_every_kind_has_a_topic():
    assert {kind for _title, kinds in TOPICS.values() for kind in kinds} == {*TEXTS, "house"}


def test_a_key_is_made_by_a_command(capsys, settings):
    call_command("vapid")
    name, _equals, settings.VAPID_KEY = capsys.readouterr().out.strip().partition("=")
    assert (name, len(decoded(public_key()))) == ("VAPID_KEY", 65)
