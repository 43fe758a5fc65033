# Every target does its own set-up; Python >= 3.11, Node, make and git are all it needs.
# demo      analyse the paper's two case studies and print their tables
# test      the whole suite, with the extension's and, in the editors that are there, the editor tests; EDITORS=install installs the others; some of each dear family, one way through each editor, PROFILE=full all
# check     formatting, lints, types, layers; side by side with make --jobs=2 check
# gate      the examples with Seepage itself: errors and leak budgets
# test-library  the library, the command line and the server alone, as on each version of Python
# conformance   what the language server keeps of the protocol, sentence by sentence, with its tests
# docs      the documentation as a site, in build/site; a link that leads nowhere is an error
# gallery   the same with the examples, each with a panel that works without a server; the first time takes up to an hour
# vsix      build vscode-extension/seepage.vsix
# page      the page of seepage play and the panel of notebooks, which a wheel that is built afterwards carries
# bench     speed of each thing: one JSON object a line
# editor    open the examples in VS Code in a browser, for someone without VS Code
# screenshots   make docs/images/ and docs/first-use.md anew, from real VS Code
# release-check   walk the check-list of docs/releasing.md; what it builds is in dist
# clean     remove all that the targets made in the checkout

PYTHON ?= python3
BIN := .venv/bin
EXTENSION := vscode-extension
EXTENSION_SOURCES := $(shell find $(addprefix $(EXTENSION)/,src panel syntaxes snippets images walkthrough) -type f) \
    $(EXTENSION)/package.json $(EXTENSION)/language-configuration.json $(EXTENSION)/build.mjs $(EXTENSION)/README.md $(EXTENSION)/CHANGELOG.md $(EXTENSION)/.vscodeignore
PAGE := server/seepage_play/page/index.html
PAGE_SOURCES := $(shell find $(addprefix $(EXTENSION)/,play panel syntaxes src/verdicts.ts) -type f) $(addprefix $(EXTENSION)/,build.mjs language-configuration.json images/icon.png)
# Two more than there are processors, six at most: one process waits for VS Code, and one for the other editors and the browsers.
WORKERS := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ $$n -le 4 ] || n=4; expr $$n + 2)
# What failed beside other tests (exit code 1) is tried once more, alone: what fails for the program fails again, what fails for a busy machine is told above.
AGAIN := $(BIN)/python -m pytest --last-failed --last-failed-no-failures=none --numprocesses=0
# Hundreds of tests start a process of their own, and each would compile the whole library again.
unexport PYTHONDONTWRITEBYTECODE
# make test PROFILE=full: every case of the dear families and every variation, of which otherwise some are tried (tests/families.py).
export SEEPAGE_FULL := $(if $(filter full,$(PROFILE)),1)
PYTHON_SOURCES := $(shell find analysis server -name '*.py' -o -name '*.lark' -o -name '*.seep') pyproject.toml

.PHONY: demo test test-library check check-style check-mypy check-pyright check-extension gate conformance docs gallery vsix page bench editor screenshots release-check clean
.DELETE_ON_ERROR:

demo: .venv/installed
	@$(BIN)/seepage check examples/randomized-response-single.seep examples/randomized-response.seep examples/gaussian-mechanism.seep
	@$(BIN)/python examples/case_studies.py

test: .venv/installed $(EXTENSION)/node_modules/installed vsix
	cd $(EXTENSION) && npm test --silent
	$(BIN)/python -m tests.editors.installed $(if $(filter install,$(EDITORS)),--install)
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=loadscope || { [ $$? -eq 1 ] && $(AGAIN); }

test-library: .venv/installed
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=loadscope --ignore=tests/editors || { [ $$? -eq 1 ] && $(AGAIN); }

check: check-style check-mypy check-pyright check-extension

check-style: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

check-mypy: .venv/installed
	$(BIN)/mypy

check-pyright: .venv/installed
	$(BIN)/pyright

check-extension: $(EXTENSION)/node_modules/installed
	cd $(EXTENSION) && npm run --silent typecheck && npm run --silent lint

gate: .venv/installed
	$(BIN)/seepage check examples --quiet --summary --undecided fail

conformance: .venv/installed
	@$(BIN)/python -m tests.server.conformance

docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --config-file docs/site/mkdocs.yml

gallery: .venv/installed $(EXTENSION)/node_modules/installed
	cd $(EXTENSION) && node build.mjs --gallery
	$(BIN)/python -m gallery build/gallery --cache build/gallery-answers
	$(MAKE) docs

vsix: $(EXTENSION)/seepage.vsix

page: $(PAGE)

bench: .venv/installed
	@$(BIN)/python -m benchmarks

editor: .venv/installed vsix
	$(BIN)/python -m tests.editors.open_vscode

screenshots: .venv/installed vsix
	$(BIN)/python -m tests.editors.take_screenshots

release-check: .venv/installed
	$(BIN)/python -m release

clean:
	rm -rf .venv build dist $(EXTENSION)/node_modules $(EXTENSION)/out $(EXTENSION)/server $(EXTENSION)/seepage.vsix $(dir $(PAGE)) server/seepage_lsp/notebook/page
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Seepage needs Python 3.11 or newer; name one with make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

$(EXTENSION)/node_modules/installed: $(EXTENSION)/package.json $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --ignore-scripts --no-fund --no-audit --loglevel=error
	touch $@

$(PAGE): $(EXTENSION)/node_modules/installed $(PAGE_SOURCES)
	cd $(EXTENSION) && node build.mjs --notebook && node build.mjs --play

# The extension carries the server as a wheel, so that it can install the one that fits it.
$(EXTENSION)/seepage.vsix: .venv/installed $(EXTENSION)/node_modules/installed $(PAGE) $(EXTENSION_SOURCES) $(PYTHON_SOURCES) LICENSE README.md
	rm -rf $(EXTENSION)/server
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(EXTENSION)/server .
	cp LICENSE $(EXTENSION)/LICENSE
	cd $(EXTENSION) && npm run --silent build && npm run --silent package
