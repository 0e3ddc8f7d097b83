# Everything that is needed besides Python 3.11 or newer comes into .venv; each stamp there is older than
# pyproject.toml after a pull that changed it, and so brings the environment up to date by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

.DEFAULT_GOAL := help
.PHONY: help install run test lint prove bench serve browser screenshots messages

help:
	@echo "make run       the program on http://127.0.0.1:8000, with examples"
	@echo "make test      the tests"
	@echo "make lint      the style, and which room may import which"
	@echo "make prove     the tests at full counts, printing figures"
	@echo "make browser   the tests that drive Chromium"
	@echo "make bench     how fast it is, as ratios"
	@echo "make serve     the program as a production server runs it; settings from the environment"
	@echo "make screenshots  the README's pictures (needs Chromium)"
	@echo "make messages  the translation catalogues from the source (needs gettext)"

$(VENV)/.run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/it")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

install: $(VENV)/.test

run: $(VENV)/.run
	@$(MANAGE) migrate --verbosity 0
	@echo "Bogenschmiede: http://127.0.0.1:$${PORT:-8000}"
	@$(MANAGE) demo
	@$(MANAGE) runserver 127.0.0.1:$${PORT:-8000}

test: install
	$(BIN)/python -m pytest

lint: install
	$(BIN)/ruff check .
	$(BIN)/lint-imports

prove: install
	PROVE=1 $(BIN)/python -m pytest

bench: install
	$(BIN)/python -m tests.bench

# Blocking threads do not pay here: two workers with one each serve the most.
serve: export BOGENSCHMIEDE_MODE = production
serve: $(VENV)/.run
	$(MANAGE) collectstatic --noinput --verbosity 0
	$(MANAGE) migrate --verbosity 0
	$(BIN)/granian --interface wsgi --workers 2 --blocking-threads 1 --host $${HOST:-127.0.0.1} --port $${PORT:-8000} builder.wsgi:application

browser: install
	$(BIN)/python -m pytest -m browser

screenshots: install
	$(BIN)/python -m tests.screenshots

messages: install
	$(MANAGE) makemessages --locale de --no-wrap --no-obsolete --add-location file --ignore '.venv/*' --ignore 'tests/*'
	$(MANAGE) compilemessages --ignore .venv
