TOOL = go tool -modfile=tools/go.mod

.PHONY: generate test lint check bench fuzz integration
generate:        ## write generated/ from the examples' specs, those of tests, and docs/ from the tables of the language
	go run . generate
	go run . -C integration generate
	go run . -C internal/valuetable generate
	go run ./docs

test:            ## the fast suite: only Go needed
	go test ./...

lint:            ## vet and staticcheck
	go vet ./...
	$(TOOL) staticcheck ./...

check: lint      ## generated output current, modules tidy, no known vulnerability
	go run . check --full
	go run . -C integration check --full
	go run . -C internal/valuetable check --full
	go mod tidy -diff
	cd tools && go mod tidy -diff
	cd tools/schematest && go mod tidy -diff && go vet ./... && go test ./...
	cd integration && go mod tidy -diff
	sh tools/vulncheck.sh

bench:           ## rows per second beside a named peer in the same run, and 1,000 tables; fails below the goals
	go test -run '^$$' -bench . -benchmem -count 3 -p 1 ./runtime/... ./generator/cli | go -C tools run ./benchratio

fuzz:            ## each fuzz target for BRIDGE_FUZZ_TIME, 10m unless given
	sh tools/fuzz.sh

integration:     ## Trino's grammar and DuckDB, as far as this machine has a JDK, Maven and a C compiler; BRIDGE_STRICT=1: all of it
	cd integration && go vet ./preflight ./trino . && go run .
