# Every target makes .venv ready first (see .setup/prepare.sh); nothing else has to be typed.
# On Windows see README.md.

PY = .venv/bin/python
OFFSCREEN = QT_QPA_PLATFORM=offscreen

.PHONY: run test lint style types strings contracts bench bench-recall late soak journeys fuzz fuzz-files house third-party pictures lock set-up clean

run: set-up            ## open the window on the demo graph
	@$(PY) -m explorer --demo --picture constellation.png

test: set-up           ## all tests, without a screen
	@$(OFFSCREEN) $(PY) -m pytest -n auto --maxprocesses 8 $(ARGS)

lint: style types      ## style, types and import directions

style: set-up contracts
	@$(PY) -m ruff check .

types: set-up
	@$(PY) -m mypy

strings: set-up        ## every text that a person can see, with file and line
	@$(PY) tests/architecture/strings.py $(ARGS)

contracts: set-up      ## import directions only
	@.venv/bin/lint-imports

bench: set-up          ## the benchmark, printed as a table
	@$(OFFSCREEN) $(PY) -m tests.bench $(ARGS)

bench-recall: set-up   ## how well recall finds what answers (CONSTELLATION_DIALOGUES=file.json)
	@$(PY) -m tests.bench.dialogues $(ARGS)

late: set-up           ## the window's tests with answers that come late: finds tests that race
	@CONSTELLATION_LATE_MS=200 $(OFFSCREEN) $(PY) -m pytest -n 4 tests/ui tests/journeys $(ARGS)

soak: set-up           ## the tests that take minutes
	@$(OFFSCREEN) $(PY) -m pytest -m soak $(ARGS)

journeys: set-up       ## journeys on real screens of four sizes; pictures in build/journeys
	@sh .setup/journeys.sh $(ARGS)

fuzz: set-up           ## many more rounds of every random test, then mutated files
	@$(OFFSCREEN) $(PY) -m pytest -m hypothesis --hypothesis-profile fuzz $(ARGS)
	@$(OFFSCREEN) $(PY) -m tests.fuzz

fuzz-files: set-up     ## mutated graphs and imports: ARGS="graphs --rounds 500 --seed 2"
	@$(OFFSCREEN) $(PY) -m tests.fuzz $(ARGS)

house: set-up          ## how large the code is: files, lines, functions, classes
	@$(PY) -m tests.bench.house

third-party: set-up    ## THIRD_PARTY.md from the metadata of the packages
	@$(PY) .setup/third_party.py > THIRD_PARTY.md

pictures: set-up       ## the README's pictures, from the demo graph, and those of assets/first-day/README.md
	@for theme in dusk paper; do \
		$(OFFSCREEN) $(PY) -m explorer render --demo --window --theme $$theme --size 1440x900 \
			--out assets/screenshots/window-$$theme.png || exit 1; \
	done
	@$(OFFSCREEN) $(PY) -m tests.screens.first_day assets/first-day

lock: set-up           ## resolve the packages anew, for every system and Python at once
	@$(PY) -m pip install --quiet uv
	@.venv/bin/uv pip compile pyproject.toml --extra dev --universal --generate-hashes \
		--python-version 3.11 --no-header --no-annotate --no-emit-index-url --upgrade \
		--quiet --output-file requirements.lock

set-up:
	@sh .setup/prepare.sh

clean:                 ## remove what was made here; graphs and settings stay
	@rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache \
		constellation.png
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
