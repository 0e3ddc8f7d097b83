"""The commands as other tools use them: standard output, standard error, exit codes; no database anywhere."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from rulesets import systems
from rulesets.document import BYTES
from tests.support.commands import parsed, refused, run, shell

SYSTEM = systems()["condice"]
LEGAL = next(example for example in SYSTEM.examples.values())
ILLEGAL = SYSTEM.offenders["CD-01"]


@pytest.fixture
def nowhere(tmp_path):
    """An environment in which there is no database; nothing is made where it would be."""
    there = tmp_path / "none"
    yield {"DATABASE_URL": f"sqlite:///{there}/db.sqlite3"}
    assert not there.exists()


# validate


def test_validate_answers_an_entry_a_file(file):
    good, bad = file("good.json", LEGAL), file("bad.json", ILLEGAL)
    answer = run("validate", good, bad, "--format", "json")
    first, second = json.loads(answer)
    assert list(first) == ["file", "ruleset", "verdict", "findings", "derived"]
    assert (first["file"], first["ruleset"], first["verdict"]) == (str(good), "condice", "legal")
    finding = second["findings"][0]
    assert finding.keys() == {"severity", "rule", "path", "message", "fixes"}
    assert (second["verdict"], finding["rule"], second["derived"]["points_left"] < 0) == ("illegal", "CD-01", True)
    assert answer.code == 1


def test_validate_ends_with_the_gravest_verdict(file):
    good, bad, broken = file("good", LEGAL), file("bad", ILLEGAL), file("broken", b"{")
    approval = file("approval", SYSTEM.offenders["CD-08"])
    codes = [run("validate", *files).code for files in ([good], [approval, good], [good, bad], [bad, broken, good])]
    assert codes == [0, 0, 1, 2]


@pytest.mark.parametrize(("name", "said"), [
    ("nowhere.json", "There is no such file."), ("", "This is a folder, not a file."), ("/proc/self/mem", "")])
def test_validate_answers_for_files_that_it_cannot_read_and_says_why_in_the_language_asked_for(tmp_path, name, said):
    entry, = json.loads(answer := run("validate", tmp_path / name, "--format", "json"))
    assert (answer.code, entry["verdict"], entry["ruleset"], entry["derived"]) == (2, "unreadable", None, None)
    finding, = entry["findings"]
    assert (finding["path"], finding["rule"], finding["severity"]) == ("", None, "error")
    assert finding["message"]
    if said:
        assert finding["message"] == said
        assert said not in run("validate", tmp_path / name, "--lang", "de")


def test_validate_does_not_read_without_end(file):
    giant = file("giant", b" " * (10 * BYTES))
    assert [entry["findings"][0]["path"] for entry in parsed("validate", giant, "/dev/zero")] == ["", ""]


@pytest.mark.slow
def test_validate_reads_standard_input_and_needs_no_database(nowhere):
    done = shell("validate", "-", "--format", "json", given=json.dumps(LEGAL).encode(), **nowhere)
    assert (done.returncode, done.stderr, json.loads(done.stdout)[0]["file"]) == (0, b"", "-")


def test_validate_tells_people_what_is_wrong_and_what_mends_it(file):
    text = run("validate", file("bad.json", ILLEGAL), "--lang", "en")
    for said in ("bad.json: illegal (ConDice)", "Error CD-01: ", "    → ", "  Points spent: "):
        assert said in text


def test_validate_shows_no_letter_that_steers_a_terminal(file):
    tree = {**LEGAL, "data": {**LEGAL["data"], "attacks": [{"name": "\x1b[2J\x9b\u202e", "dice": 1}]}}
    assert not set("\x1b\x9b\u202e") & set(run("validate", file("x", tree)))


def test_validate_takes_other_house_rules(file):
    for document, budget, code in ((ILLEGAL, 999, 0), (LEGAL, 1, 1)):
        assert run("validate", file("a.json", document), "--house", file("house.json", {"budget": budget})).code == code


@pytest.mark.parametrize(("content", "said"), [
    (b"{", "1:2"), ([], "object"), ({"budge": 1}, "budge"), ({"budget": -1}, "budget"), (b'{"budget": NaN}', "budget"),
    ({"policy": {"CD-99": "warn"}}, "policy.CD-99: There is no rule “CD-99”."), (None, ""),
])
def test_house_rules_that_cannot_be_used_are_refused(file, tmp_path, content, said):
    house = tmp_path / "house.json" if content is None else file("house.json", content)
    message = refused("validate", file("good.json", LEGAL), "--house", house)
    assert str(house) in message
    assert said in message
    assert not said.startswith("policy") or f"The house rules in {house} cannot be used." in message


def test_house_rules_are_blamed_for_themselves_and_other_systems_are_judged(file):
    house = file("house.json", {"budget": 999, "policy": {"CD-01": "warn"}})
    other = next(iter(systems()["daemmersturm"].examples.values()))
    found = run("validate", file("a.json", other), file("b.json", ILLEGAL), file("c.json", b"{"),
                file("d.json", {**LEGAL, "data": {**LEGAL["data"], "life": "x"}}), "--house", house, "--format", "json")
    strange, judged, broken, wrong = json.loads(found)
    assert (found.code, [one["verdict"] for one in (strange, judged, broken, wrong)]) == (
        2, ["unreadable", "legal", "unreadable", "unreadable"])
    assert [one["path"] for one in wrong["findings"]] == ["data.life"], "not blamed on the house rules"
    assert {one["path"] for one in strange["findings"]} == {""}
    assert strange["findings"][0]["message"].startswith(f"The house rules in {house} do not fit this system. budget: ")
    assert "house.json" not in str(broken["findings"])


# odds


def test_odds_are_exact():
    assert parsed("odds", "condice", "success", "dice=1") == {
        "outcomes": [{"outcome": 0, "probability": "1/2", "value": 0.5},
                     {"outcome": 1, "probability": "1/3", "value": 1 / 3},
                     {"outcome": 2, "probability": "1/6", "value": 1 / 6}],
        "mean": "2/3",
    }
    words = parsed("odds", "condice", "mental-attack", "dice=2", "resistance=1")
    assert ([one["outcome"] for one in words["outcomes"]], words["mean"]) == (["works", "fails"], None)


def test_what_people_read_as_one_outcome_is_one_line_and_stays_apart_for_programs():
    given = ("augen-des-zwielichts", "move", "move=investigate", "attribute=white")
    assert [line.split()[0] for line in run("odds", *given).splitlines()] == ["two", "1–4", "5–6", "two"]
    assert [one["outcome"] for one in parsed("odds", *given)["outcomes"]] == ["1&1", "1-2", "3-4", "5-6", "6&6"]


def test_odds_are_drawn_for_people():
    lines = run("odds", "condice", "success", "dice=1").splitlines()
    assert lines[0].split() == ["0", "successes", "50.00%", "█" * 40]
    assert lines[1].split()[:3] == ["1", "success", "33.33%"]
    assert lines[-1] == "On average 0.67 (2/3)"
    assert "33,33 %" in run("odds", "condice", "success", "dice=1", "--lang", "de")


# roll


def test_a_roll_tells_what_fell():
    answer = parsed("roll", "condice", "attack", "dice=4", "defence=2")
    assert (list(answer), len(answer["dice"])) == (["dice", "tries", "outcome", "text"], 4)
    worth = sum({4: 1, 5: 1, 6: 2}.get(face, 0) for face in answer["dice"])
    assert answer["outcome"] == max(0, worth - 2)
    assert str(answer["outcome"]) in answer["text"]
    # And to people.
    assert "→" in run("roll", "condice", "healing")


# both


@pytest.mark.parametrize("command", ["odds", "roll"])
@pytest.mark.parametrize(("asked", "said"), [
    (["chess", "attack"], "condice"),
    (["condice", "tickle"], "mental-attack"),
    (["condice", "attack"], "dice: "),
    (["condice", "attack", "dice=x"], "dice: "),
    (["condice", "attack", "dice=-1"], "dice: "),
    (["condice", "attack", "dice=1000"], "dice: "),
    (["condice", "attack", "dice=1.0"], "dice: "),
    (["condice", "attack", "dice="], "dice: "),
    (["condice", "attack", "dice=" + "9" * 5_000], "dice: "),
    (["condice", "attack", "dice=٣"], "dice: "),
    (["condice", "attack", "dice=1", "dice=2"], "dice"),
    (["condice", "attack", "dice=1", "luck=2"], "luck: "),
    (["condice", "attack", "dice=1", "=2"], "takes: dice, defence, extra_dice"),
    (["condice", "attack", "5"], "key=value"),
])
def test_what_makes_no_sense_is_refused_by_name(command, asked, said):
    assert said in refused(command, *asked)


@pytest.mark.slow
def test_a_refusal_is_no_traceback(nowhere):
    done = shell("odds", "condice", "attack", "dice=-3", **nowhere)
    assert (done.returncode, done.stdout) == (2, b"")
    assert [said in done.stderr for said in (b"dice: ", b"Traceback")] == [True, False]


# generate


def test_generated_sheets_are_legal_documents_one_a_line(file):
    lines = run("generate", "condice", "--count", "5", "--seed", "x").splitlines()
    found = parsed("validate", *(file(f"{number}.json", line.encode()) for number, line in enumerate(lines)))
    assert [one["findings"] for one in found] == [[]] * 5
    assert run("generate", "condice", "--count", "0") == ""


def test_a_seed_makes_the_same_sheets_and_another_makes_others():
    made = [run("generate", "condice", "--count", "3", *seed) for seed in (
        ["--seed", "5"], ["--seed", "5"], ["--seed", "ß"], [])]
    assert [made.index(one) for one in made] == [0, 0, 2, 3]


def test_a_concept_is_made_in_the_language_that_is_asked_for():
    english, german = (json.loads(run("generate", "condice", "--concept", "healer", "--seed", "3", "--lang", language))
                       for language in ("en", "de"))
    parts = (lambda one: one["data"]["life"], lambda one: one["data"]["attacks"][0]["name"], lambda one: one["notes"])
    assert [part(english) == part(german) for part in parts] == [True, False, False]
    assert "heilung" in [one["ability"] for one in english["data"]["abilities"]]
    assert "healer" in refused("generate", "condice", "--concept", "nobody")
    assert "condice" in refused("generate", "chess")


def test_a_hundred_in_a_row_have_a_hundred_names():
    lines = run("generate", "daemmersturm", "--count", "100", "--seed", "1").splitlines()
    assert len({json.loads(line)["name"] for line in lines}) == 100


@pytest.mark.parametrize("count", ["-1", "100001", "x", "1.5", "", "9" * 50])
def test_a_count_beyond_sense_is_refused(count):
    with pytest.raises(CommandError, match="whole number"):
        call_command("generate", "condice", f"--count={count}")


# around them


@pytest.mark.slow
def test_output_is_utf_8_whatever_the_terminal_says(nowhere):
    assert "█" in shell("odds", "condice", "healing", PYTHONIOENCODING="ascii", LC_ALL="C", **nowhere).stdout.decode()


@pytest.mark.slow
def test_a_reader_who_leaves_early_is_no_error(nowhere):
    command = [sys.executable, "manage.py", "generate", "condice", "--count", "2000"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **nowhere}) as running:
        assert running.stdout.readline()
        running.stdout.close()
        assert (running.stderr.read(), running.wait(60)) == (b"", 0)
