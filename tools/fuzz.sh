#!/bin/sh
# Fuzzes every target for BRIDGE_FUZZ_TIME, BRIDGE_FUZZ_JOBS (2) at a time, and prints what
# came of each.
# An input that fails stays in testdata/fuzz of its package: commit it with the fix.
cd "$(dirname "$0")/.." || exit 1
fuzztime=${BRIDGE_FUZZ_TIME:-10m}

# one fuzzes a target and prints its line of the table.
one() {
	log=$1/$(echo "$2" | tr / _).$3
	# Without the limit each new input is made smaller for a minute, and nothing else is tried.
	go test -run '^$' -fuzz "^$3\$" -fuzztime "$fuzztime" -fuzzminimizetime 100x -parallel 1 "$2" >"$log" 2>&1
	status=$?
	result=ok
	if [ $status -ne 0 ]; then
		result=FAIL
		# go test may fail because the time is over (golang/go#75804); a finding has an input.
		if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
			result=ok
		fi
	fi
	if [ $result = FAIL ]; then
		cp "$log" "$log.failed"
	fi
	ran=$(sed -n 's/^fuzz: elapsed: \(.*\), execs: \([0-9]*\) .*total: \([0-9]*\).*/\1 \2 \3/p' "$log" | tail -n 1)
	printf '%-5s %-32s %-16s %10s %12s %8s\n' $result "${2#github.com/bridgegen/bridgegen/}" "$3" ${ran:-- - -}
}

if [ "${1:-}" = one ]; then
	one "$2" "$3" "$4"
	exit 0
fi

logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
if ! go test -list '^Fuzz' ./... >"$logs/list" 2>&1; then
	cat "$logs/list"
	exit 1
fi
awk '/^Fuzz/ {names[n++] = $1} /^ok/ {for (i = 0; i < n; i++) print $2, names[i]; n = 0}' "$logs/list" >"$logs/targets"
if ! [ -s "$logs/targets" ]; then
	echo "fuzz: there is no target"
	exit 1
fi
printf '%-5s %-32s %-16s %10s %12s %8s\n' '' package target time inputs kept
xargs -P "${BRIDGE_FUZZ_JOBS:-2}" -L 1 sh tools/fuzz.sh one "$logs" <"$logs/targets" || exit 1
status=0
for failed in "$logs"/*.failed; do
	if [ -e "$failed" ]; then
		printf '\n== %s\n' "$(basename "$failed" .failed)"
		cat "$failed"
		status=1
	fi
done
exit $status
