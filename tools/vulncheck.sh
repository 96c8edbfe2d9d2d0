#!/bin/sh
# govulncheck where its database can be reached; else a word and no failure.
out=$(go tool -modfile=tools/go.mod govulncheck ./... 2>&1)
status=$?
case "$out" in
*"fetching vulnerabilities"*|*"no such host"*|*"dial tcp"*|*"connection refused"*|*"HTTP GET"*)
	echo "govulncheck: skipped, its database is out of reach"
	exit 0
	;;
esac
echo "$out"
exit $status
