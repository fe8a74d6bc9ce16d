# Two commands are enough: `make run` and `make test`. Both bring whatever they need. `make check` is for the edit loop.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Node 24 runs TypeScript as it is. An older Node only serves to fetch a newer one, into this folder.
NODE_MAJOR := $(shell node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
ifneq ($(shell test $(NODE_MAJOR) -ge 24 && echo new),new)
TOOLCHAIN := .toolchain/node_modules/node/bin/node
export PATH := $(CURDIR)/.toolchain/node_modules/node/bin:$(PATH)
endif

# Node keeps the TypeScript it has compiled: every start but the first takes half the time.
export NODE_COMPILE_CACHE := $(CURDIR)/.toolchain/compile-cache

# Not `npm ci`: the lock file names native parts for Linux only, and `ci` insists on all of them. Other systems resolve
# theirs afresh.
INSTALL := npm install --no-save --loglevel=error $(if $(filter Linux,$(shell uname)),,--no-package-lock)

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .toolchain/run-ready .toolchain/decoder-ready dashboard/dist/index.html ## Start the service, with everything it needs
	@node scripts/fetch-models.ts small || echo 'Calls need these weights; they are tried again with the first call.'
	@exec env MALLOC_MMAP_THRESHOLD_=$${MALLOC_MMAP_THRESHOLD_:-262144} node server/src/main/all.ts

# Debian's packages are installed while npm's are.
test: ## Run every check and every test
	@$(MAKE) --no-print-directory -j2 .toolchain/peers-ready npm-ready
	@node scripts/in-own-session.ts npx vitest run

npm-ready: .toolchain/test-ready
	@$(MAKE) --no-print-directory -j2 dashboard/dist/index.html test-models
test-models:
	@node scripts/fetch-models.ts tests

# One process per core, and all of them to their end, so that one look shows everything that is wrong.
check: .toolchain/test-ready ## Types, lint, rules, dead code, unit tests: no service, no weights
	@$(MAKE) --no-print-directory --keep-going --output-sync -j2 \
	  check-unit check-types check-rules check-dead-code check-dashboard check-lint

check-unit:
	@npx vitest run --project unit --project dashboard --reporter=dot --reporter=./server/test/support/run/closing-line.ts
# One checker: several would each work out most of the types, and the other checks use the other cores.
check-types:
	@npx tsc --noEmit --checkers 1 -p .
check-dashboard:
	@npx tsc --noEmit --checkers 1 -p dashboard
check-lint:
	@npx biome check .
check-rules:
	@npm run --silent rules
check-dead-code:
	@npx knip

models: .toolchain/run-ready ## Fetch the weights of the offline speech engines
	@node scripts/fetch-models.ts

bench: .toolchain/test-ready ## Measure every claim and write bench/results.md
	@node bench/run.ts $(only)

faults: .toolchain/test-ready ## Run every disaster at full length
	@node faults/run.ts $(only)

build: .toolchain/run-ready dashboard/dist/index.html ## Build the dashboard

sdk: .toolchain/test-ready ## Build the client library as a package for npm
	@npm run --silent build --workspace sdk
	@npm pack --silent ./sdk/dist

deb: build ## Build the Debian package for this machine
	@scripts/build-deb

deb-test: ## Install the Debian package in an empty Debian and start it; needs root
	@scripts/test-deb

format: .toolchain/test-ready ## Format and lint, mending what can be mended
	@npx biome check --write .

docs: .toolchain/test-ready ## Write the generated pages of docs/
	@npm run --silent docs

clean: ## Remove everything that was installed or built; data/ stays
	rm -rf .toolchain node_modules */node_modules dashboard/dist

.toolchain/node_modules/node/bin/node:
	@command -v npm >/dev/null || { echo 'Parley needs Node.js with npm; install either from nodejs.org or your system.'; exit 1; }
	npm install --prefix .toolchain --no-save --ignore-scripts=false --loglevel=error node@24

.toolchain/run-ready: package-lock.json $(TOOLCHAIN)
	$(INSTALL) --omit=dev
	@mkdir -p .toolchain && touch $@

.toolchain/test-ready: package-lock.json $(TOOLCHAIN)
	$(INSTALL)
	@mkdir -p .toolchain && touch .toolchain/run-ready $@

# Real peers that tests speak with, where there is an apt-get to ask.
.toolchain/peers-ready: scripts/install-test-peers
	@mkdir -p .toolchain
	@scripts/install-test-peers
	@touch $@

# Reads every kind of recording. Without it the service starts all the same, and transcribes plain WAV.
.toolchain/decoder-ready: Makefile
	@mkdir -p .toolchain
	@command -v ffmpeg >/dev/null || scripts/install-peers ffmpeg || \
	  echo 'Without ffmpeg only plain WAV is transcribed; install it when you need more.'
	@touch $@

dashboard/dist/index.html: .toolchain/run-ready $(shell find dashboard sdk/src contract/src -type f -not -path '*/dist/*' -not -path '*/node_modules/*' 2>/dev/null)
	@echo 'Building the dashboard.'
	@npm run --silent build

.PHONY: help run test npm-ready test-models check check-unit check-types check-dashboard check-lint check-rules check-dead-code models bench faults build sdk deb deb-test format docs clean
