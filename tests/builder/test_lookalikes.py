"""Names are compared by what they look like."""

from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client

from builder import accounts, lookalikes
from builder.models import Likeness
from tests.support.builder.accounts import PASSWORD, english, people, sign_in, sign_up


@pytest.mark.parametrize(("name", "other", "alike"), [
    *((*pair, True) for pair in (
        ("Elena", "Еlena"), ("Elena", "ELENA"), ("paul", "pauI"), ("paul", "pau1"), ("paul", "раul"), ("Ian", "Іan"),
        ("Anna", "Αnna"), ("modern", "modem"), ("Jörg", "Jo\u0308rg"), ("otto", "0tt0"), ("juan", "𝓳𝓾𝓪𝓷"),
        ("cora", "ϲora"), ("Cora", "Ϲora"), ("frieda", "ſrieda"), ("kim", "кim"), ("kim", "κim"), ("wolf", "VVolf"))),
    *((*pair, False) for pair in (
        ("Ilia", "Lila"), ("Joan", "Jöan"), ("anna", "anne"), ("Борис", "Boris"), ("juan", "juan2"))),
])
def test_names_that_nobody_tells_apart_look_alike_and_others_do_not(name, other, alike):
    assert bool(lookalikes.likenesses(name) & lookalikes.likenesses(other)) == alike


@pytest.mark.parametrize(("name", "reserved"), [
    *((name, True) for name in ("admin", "Admin7", "administrator", "аdmin", "ADMlN", "root", "r00t", "GM", "gm",
                                "Bogenschmiede", "Bogenschmiede-Team", "Spielleitung", "suрport", "adm1n7", "adrnin",
                                "Bogensϲhmiede", "teamBogenschmiede", "site_admin", "das_admin_team", "noreply",
                                "Betreiber", "Betrelber", "spielieitung", "no-reply", "_gm_", "Team", "s.l.")),
    *((name, False) for name in ("Rooter", "Gmork", "Adam", "Systematiker", "Sven", "Schmied", "Si", "Badminton",
                                 "tlm", "Meat", "Teamgeist")),
])
def test_names_of_those_who_run_a_site_are_reserved_and_others_free(name, reserved):
    assert lookalikes.reserved(name) == reserved


@pytest.mark.parametrize(("name", "number"), [
    *((name, True) for name in ("+49 170 1234567", "0170/1234567", "Ruf0900123456", "0-170-12-345", "٠١٧٠١٢٣٤٥٦٧")),
    *((name, False) for name in ("Juan19950512", "Anna 2026-11-26", "4711", "R2D2")),
])
def test_a_name_with_the_digits_of_a_telephone_number_looks_like_one_and_no_date_does(name, number):
    assert lookalikes.dialled(name) == number


@pytest.mark.django_db
def test_nobody_signs_up_under_a_telephone_number():
    assert "must not look like a telephone number" in sign_up(english(), "0170-1234567").text
    assert people() == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Еlena", "E1ena", "elena"])
def test_nobody_signs_up_under_a_name_that_looks_like_anothers(name):
    get_user_model().objects.create_user("Elena")
    answer = sign_up(english(), name)
    assert answer.status_code == 200
    assert ("looks too much like that of another account" in answer.text) == (name != "elena")
    assert people() == ["Elena"]


@pytest.mark.django_db
def test_nobody_signs_up_under_a_reserved_name_and_is_told_why_in_both_languages():
    assert "This name is not available" in sign_up(english(), "аdmin").text
    assert "Dieser Name geht nicht" in sign_up(Client(), "admin2").text
    assert people() == []


@pytest.mark.django_db
def test_an_account_that_is_renamed_or_goes_frees_its_looks():
    elena = get_user_model().objects.create_user("Elena")
    elena.username = "Olga"
    elena.save()
    assert sign_up(Client(), "Еlena").status_code == 302
    elena.delete()
    assert sign_up(Client(), "Оlga").status_code == 302


@pytest.mark.django_db
def test_accounts_that_look_alike_already_stay_the_first_has_the_look_and_the_database_holds_each_once():
    first, second, third = (get_user_model().objects.create_user(name) for name in ("Elena", "Еlena", "Olga"))
    second.save()
    assert [Likeness.all_belong_to(one) for one in (first, second, third)] == [True, False, True]
    Likeness.objects.all().delete()
    import_module("builder.migrations.0003_likeness").fill(apps, None)
    assert [Likeness.all_belong_to(one) for one in (first, second, third)] == [True, False, True]
    assert len(people()) == 3
    with pytest.raises(IntegrityError):
        Likeness.objects.create(user=third, skeleton=Likeness.objects.first().skeleton)


@pytest.mark.django_db
def test_of_two_who_take_names_that_look_alike_at_once_the_second_is_told(monkeypatch):
    asked, browser = accounts.AccountAdapter.clean_username, english()

    def raced(self, username, shallow=False):
        found = asked(self, username, shallow)
        if username == "Еlena":
            get_user_model().objects.create_user("Elena")
        return found

    monkeypatch.setattr(accounts.AccountAdapter, "clean_username", raced)
    answer = sign_up(browser, "Еlena")
    assert "Somebody else has just taken this name" in browser.get(answer["Location"]).text
    assert (people(), "_auth_user_id" in browser.session) == (["Elena"], False)


UNSEEN = ["\u3164", "\u115f", "\u1160", "\uffa0", "\u200b", "\u00ad", "\u202e", "\u2060", "\ufe0f", "\u2800",
          "\U000e0041"]
"""Letters that nobody sees, one of each kind."""


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
def test_a_letter_that_nobody_sees_makes_no_other_look(sign):
    assert lookalikes.likenesses(f"spie{sign}ler{sign}") == lookalikes.likenesses("spieler")
    assert lookalikes.reserved(f"s{sign}l")


@pytest.mark.django_db
@pytest.mark.parametrize("sign", [one for one in UNSEEN if one != "\u2800"], ids=ascii)  # which is a blank
def test_a_letter_that_nobody_sees_leaves_a_name_before_it_is_compared(sign):
    get_user_model().objects.create_user("spieler")
    for name in (f"spieler{sign}", f"spiel{sign}leitung", f"a{sign}", sign * 3):
        assert sign_up(Client(), name).status_code == 200, name
    sign_up(Client(), f"an{sign}na")
    assert people() == ["anna", "spieler"]


@pytest.mark.django_db
def test_one_signs_in_by_a_name_typed_in_other_signs_and_by_an_old_one_as_it_is():
    for name in ("Jörg", "spieler\u1160"):
        get_user_model().objects.create_user(name, password=PASSWORD)
    assert [sign_in(Client(), name).status_code for name in (
        "Jörg", "Jo\u0308rg", "J\u200börg", "spieler\u1160", "spieler\u200b")] == [302, 302, 302, 302, 200]
    said = StringIO()
    for command in ("rescue", "admin"):
        call_command(command, "Jo\u0308rg", stdout=said)
    assert said.getvalue().count("Jörg ") == 2
    assert people() == ["Jörg", "spieler\u1160"]


@pytest.mark.django_db
def test_an_account_that_has_such_a_name_keeps_it_and_nobody_takes_the_one_that_is_seen():
    user = get_user_model().objects.create_user("spieler\u3164")
    # As it was kept before these letters were left out.
    Likeness.objects.update(skeleton="spieler\u1160")
    import_module("builder.migrations.0005_unseen").look(apps, None)
    assert (Likeness.objects.get().skeleton, Likeness.objects.get().user) == ("spieler", user)
    assert sign_up(Client(), "spieler").status_code == 200
    assert people() == [user.username]


@pytest.mark.parametrize(("name", "linked"), [
    *((name, True) for name in ("www.gratis.example", "WWW.1a", "gratis.de", "anna@example.org", "@anna", "anna@",
                                "gratis．de", "http://x", "a.müll")),
    *((name, False) for name in ("anna", "Anna-Lena", "anna_7", "a.b", "juan.10", "J.R.R", "wwwanna", "+anna")),
])
def test_names_that_look_like_an_address_or_a_link_are_told_from_others(name, linked):
    assert lookalikes.linked(name) == linked


@pytest.mark.django_db
def test_nobody_signs_up_under_a_name_that_looks_like_a_link_and_is_told_why_and_who_has_one_keeps_it():
    assert "must not look like an address or a link" in sign_up(english(), "www.gratis.example").text
    assert "darf nicht wie eine Adresse oder ein Link aussehen" in sign_up(Client(), "anna@example.org").text
    assert people() == []
    get_user_model().objects.create_user("www.gratis.example", password=PASSWORD)
    assert sign_in(Client(), "www.gratis.example").status_code == 302


@pytest.mark.django_db
def test_a_name_of_letters_that_look_like_many_fits_into_what_is_kept_of_it():
    long = "ﷺ" * 149
    assert sign_up(Client(), long).status_code == 302
    assert people() == [long]
    assert max(map(len, Likeness.objects.values_list("skeleton", flat=True))) == lookalikes.LONGEST
    assert sign_up(Client(), f"{long}a").status_code == 200


@pytest.mark.django_db
def test_names_of_before_are_looked_at_anew_and_nobody_takes_what_they_look_like_as_well():
    cora, other = (get_user_model().objects.create_user(name) for name in ("anna", "wolf"))
    get_user_model().objects.filter(pk=cora.pk).update(username="ϲora")
    # As they were kept before.
    Likeness.objects.filter(user=cora).update(skeleton="ςora")
    import_module("builder.migrations.0006_both_looks").look(apps, None)
    assert ("cora", cora.pk) in Likeness.objects.values_list("skeleton", "user")
    assert Likeness.all_belong_to(other)
    assert sign_up(Client(), "cora").status_code == 200
