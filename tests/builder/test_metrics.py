"""What is seen from outside: figures for those who may ask, log lines of JSON, slow questions to the database."""

import json
import logging
import subprocess
import sys
import uuid
from ipaddress import ip_network

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory

from builder import logs, metrics
from tests.support.builder.held import lacking
from tests.support.party import browser

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def value(name, **labels):
    return metrics.REGISTRY.get_sample_value(name, labels) or 0


@pytest.mark.parametrize(("named", "proxies", "address", "forwarded", "status"), [
    ([], 0, "127.0.0.1", None, 404), (["10.0.0.0/8"], 0, "127.0.0.1", None, 404),
    (["10.0.0.0/8"], 0, "10.1.2.3", None, 200),
    pytest.param(["127.0.0.1"], 1, "127.0.0.1", None, 200, id="beside the proxy"),
    pytest.param(["127.0.0.1"], 1, "127.0.0.1", "203.0.113.1", 404, id="behind the proxy"),
    (["2001:db8::5"], 0, "2001:db8::5", None, 200),
    pytest.param(["2001:db8::"], 0, "2001:db8::5", None, 404, id="another address of the same network"),
])
def test_nobody_may_ask_for_figures_whom_the_settings_do_not_name(
        settings, named, proxies, address, forwarded, status):
    settings.METRICS, settings.ALLAUTH_TRUSTED_PROXY_COUNT = [ip_network(one) for one in named], proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert Client(REMOTE_ADDR=address).get("/metrics/", headers=headers).status_code == status


@pytest.fixture
def counting(settings):
    settings.METRICS = [ip_network("127.0.0.1")]
    settings.MIDDLEWARE = ["builder.metrics.metrics_middleware", *settings.MIDDLEWARE]


def test_requests_their_questions_and_what_waits_are_told(counting):
    labels = {"view": "rules", "method": "GET", "status": "200"}
    before, asked = (value("bogenschmiede_requests_total", **labels),
                     value("bogenschmiede_queries_total", view="parties"))
    Client().get("/rules/condice/")
    browser(User.objects.create_user("anna")).get("/parties/")
    assert value("bogenschmiede_requests_total", **labels) == before + 1
    assert value("bogenschmiede_queries_total", view="parties") > asked
    assert lacking(Client().get("/metrics/").text, 'bogenschmiede_waiting{queue="mail"} 0.0',
                   'bogenschmiede_request_seconds_count{view="rules"}') == []


@pytest.mark.parametrize("breaks", [
    "builder.home.render", "django.contrib.sessions.middleware.SessionMiddleware.process_request"])
def test_a_failure_is_counted_by_its_exception_wherever_it_breaks_and_a_refusal_is_none(counting, monkeypatch, breaks):
    def broken(*_arguments, **_named):
        raise ZeroDivisionError

    assert Client().get(f"/sheets/{uuid.uuid4()}/").status_code == 404
    assert value("bogenschmiede_failures_total", exception="Http404") == 0
    before = value("bogenschmiede_failures_total", exception="ZeroDivisionError")
    monkeypatch.setattr(breaks, broken)
    assert Client(raise_request_exception=False).get("/").status_code == 500
    assert value("bogenschmiede_failures_total", exception="ZeroDivisionError") == before + 1


@pytest.mark.slow
def test_what_all_workers_have_counted_is_one_figure(tmp_path):
    code = ("import django; django.setup(); from builder.metrics import *; from django.test import RequestFactory; "
            "REQUESTS.labels('home', 'GET', 200).inc(3); "
            "Queue.collect = lambda self: []; print(metrics(RequestFactory().get('/')).content.decode())")
    for total in ("3.0", "6.0"):
        done = subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, env={
            "BOGENSCHMIEDE_MODE": "development", "DJANGO_SETTINGS_MODULE": "builder.settings",
            "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "METRICS": "127.0.0.1"}, check=False)
        line = f'bogenschmiede_requests_total{{method="GET",status="200",view="home"}} {total}'
        assert line in done.stdout, done.stderr


def told(level, text, words, fault=None):
    return json.loads(logs.JsonLine().format(logging.LogRecord("x", level, "", 0, text, words, fault)))


def test_a_line_of_json_says_of_which_request_it_tells_and_holds_its_traceback():
    lines = []

    def view(request):
        lines.append(told(logging.WARNING, "zwei\nZeilen %s", ("ü",)))
        return HttpResponse()

    answer = logs.request_number_middleware(view)(RequestFactory().get("/"))
    assert (lines[0]["message"], lines[0]["request"]) == ("zwei\nZeilen ü", answer["X-Request-ID"])
    assert len(answer["X-Request-ID"]) == 32
    try:
        int("kaputt")
    except ValueError:
        assert "kaputt" in told(logging.ERROR, "oh", (), sys.exc_info())["traceback"]


@pytest.mark.parametrize(("proxies", "said", "kept"), [
    (1, "abc-12345", True), (0, "abc-12345", False), (1, "x" * 65, False), (1, 'a"b,c{d}e', False)])
def test_only_a_trusted_proxy_numbers_requests(settings, proxies, said, kept):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    middleware = logs.request_number_middleware(lambda request: HttpResponse())
    answer = middleware(RequestFactory().get("/", headers={"X-Request-ID": said}))
    assert (answer["X-Request-ID"] == said) == kept


@pytest.mark.parametrize(("least", "told"), [(1, False), (0, True)])
def test_a_slow_question_is_told_without_what_it_asks_about(settings, caplog, least, told):
    settings.SLOW_QUERY = least * 600_000
    with connection.execute_wrapper(logs.slow), connection.cursor() as cursor:
        cursor.execute("SELECT  %s", ["geheim"])
    assert ["SELECT %s" in line for line in caplog.messages] == [True] * told
    assert "geheim" not in caplog.text


def test_a_slow_question_says_which_line_of_ours_asks(settings, caplog):
    settings.SLOW_QUERY = 0
    with connection.execute_wrapper(logs.slow):
        assert Client().get(f"/sheets/{uuid.uuid4()}/").status_code == 404
    assert any(line.startswith("a query of sheets/") for line in caplog.messages), caplog.messages


def test_a_connection_that_is_opened_anew_tells_of_slow_questions_once_whatever_wraps_it_meanwhile():
    def counting(execute, *arguments):
        return execute(*arguments)
    own = connection.copy()
    for _time in range(2):
        with own.execute_wrapper(counting):
            logs.log_slow_queries(own)
        assert own.execute_wrappers == [logs.slow]
