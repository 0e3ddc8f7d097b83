# Everything that is needed besides Python 3.11 or newer comes into .venv; each stamp there is older than
# pyproject.toml after a pull that changed it, and so brings the environment up to date by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# A process a core; each takes a stretch of the tests in their order, so that few of a module's fixtures are made twice.
PARALLEL := -n auto --dist worksteal

# $(call needs,PROGRAM,PACKAGE) asks in one sentence for a program that is not there, by Debian's name for what has it.
needs = @command -v $(1) >/dev/null || { echo "make $@ needs $(1), which is not installed: apt-get install $(2)" >&2; exit 1; }

# Tests run in many processes, and each would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test lint prove livetest bench cluster cluster-test wheel-test container-test load serve browser screenshots texts messages

help:
	@echo "make run       the program on http://127.0.0.1:8000, with examples"
	@echo "make test      the tests, without what is slow by nature"
	@echo "make lint      the style, which room may import which, and the types"
	@echo "make prove     all of them at full counts, printing figures"
	@echo "make livetest  1,000 pages that hear of news: how soon, and at what cost"
	@echo "make browser   the tests that drive Chromium (needs chromium and two fonts, which it asks for)"
	@echo "make bench     how fast it is, as ratios"
	@echo "make cluster   docs/deploy/many.md on loopback (needs etcd-server, haproxy, patroni, postgresql)"
	@echo "make cluster-test  the same, killed piece by piece under load"
	@echo "make wheel-test  wheel and sdist, built and run from an empty environment"
	@echo "make container-test  the container's image, built and run (needs buildah, debootstrap)"
	@echo "make load      players upon one server on one core: PLAYERS=40 for MINUTES=1 (needs postgresql);"
	@echo "               PLAYERS=capacity seeks how many there may be, and holds three quarters of them"
	@echo "make serve     the program as a production server runs it; settings from the environment"
	@echo "make screenshots  the README's pictures (needs Chromium)"
	@echo "make texts     the texts of pages drawn by lot, to be judged: LANGUAGE=de PAGES=60 SEED=1"
	@echo "make messages  the translation catalogues from the source (needs gettext)"

$(BIN)/python:
	$(call needs,$(PYTHON),python3)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is %d.%d: make PYTHON=/path/to/it" % sys.version_info[:2])'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "make $@ needs Python's venv, which is not installed: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(PIP) .
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(PIP) '.[test]'
	touch $(VENV)/.run $@

install: $(VENV)/.test

run: export BOGENSCHMIEDE_MODE = development
run: $(VENV)/.run
	@$(MANAGE) migrate --verbosity 0
	@echo "Bogenschmiede: http://127.0.0.1:$${PORT:-8000}"
	@$(MANAGE) demo
	@$(BIN)/python -m builder.processes 127.0.0.1 & beside=$$!; trap 'kill $$beside; wait' EXIT; trap exit INT; $(MANAGE) runserver 127.0.0.1:$${PORT:-8000}

test: install
	$(BIN)/python -m pytest $(PARALLEL) -m "not (browser or slow)"

# mypy asks Django's settings which models there are; it keeps in .mypy_cache what it has read.
lint: export BOGENSCHMIEDE_MODE = development
lint: install
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

# What chance decides begins from another number each time, which is printed; SEED=… repeats a run.
prove: install
	PROVE=1 SEED=$${SEED:-$$(date +%s)} $(BIN)/python -m pytest $(PARALLEL)

livetest: install
	PROVE=1 $(BIN)/python -m pytest -n 0 -m slow tests/test_live.py

bench: install
	$(BIN)/python -m tests.bench

serve: export BOGENSCHMIEDE_MODE = production
serve: $(VENV)/.run
	@exec $(BIN)/python -m builder.cli serve --host $${HOST:-127.0.0.1} --port $${PORT:-8000}

cluster: install
	@$(BIN)/python -m tests.cluster

cluster-test: install
	PROVE=1 $(BIN)/python -m pytest -n 0 -s tests/cluster/failover.py

wheel-test: install
	$(BIN)/python -m pytest -n 0 tests/wheel/install.py

container-test: install
	$(call needs,buildah,buildah)
	$(call needs,debootstrap,debootstrap)
	$(BIN)/python -m pytest -n 0 tests/container/build.py

$(VENV)/.load: $(VENV)/.test
	$(PIP) '.[load]'
	touch $@

load: $(VENV)/.load
	$(call needs,psql,postgresql)
	@PLAYERS=$${PLAYERS:-40} MINUTES=$${MINUTES:-1} $(BIN)/python -m tests.load

browser: install
	@$(BIN)/python -m tests.support.browser.machine
	$(BIN)/python -m pytest $(PARALLEL) -m browser tests/browser

screenshots: install
	$(call needs,chromium,chromium)
	$(BIN)/python -m tests.screenshots
	$(BIN)/python -m tests.paper_pictures

texts: install
	@$(BIN)/python -m tests.page_texts $${LANGUAGE:-de} $${PAGES:-60} $${SEED:-1}

messages: install
	$(call needs,msgfmt,gettext)
	$(MANAGE) makemessages --locale de --no-wrap --no-obsolete --add-location file --ignore '.venv/*' --ignore 'tests/*'
	$(MANAGE) compilemessages --ignore .venv
