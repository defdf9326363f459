#!/bin/sh
# flows.sh BUILD: what omen-cc finds out about the values that loads read.
suite=cc/flows
. "$(dirname "$0")/lib.sh"

cat >want <<'EOF'
increments load fixed confined
increments store fixed fed
computes load fixed confined
computes load fixed confined
computes store fixed fed
chooses load fixed confined
chooses load fixed confined
chooses store fixed fed
returns load fixed
calls load fixed
use load fixed
branches load fixed
branches store fixed
indexes load fixed
indexes store
follows load fixed
follows store
divides load fixed
divides load fixed
divides store fixed
converts load fixed confined
converts store fixed fed
atomically load fixed
volatiles load fixed
volatiles store fixed
reads_volatile load fixed
reads_volatile store fixed
privately load fixed
twice load fixed confined
twice store fixed fed
twice load fixed confined
twice store fixed fed
drops load fixed confined
increments:26 > increments:26
computes:28 > computes:25
computes:46 > computes:25
chooses:31 > chooses:25
chooses:35 > chooses:25
converts:30 > converts:28
twice:24 > twice:22
twice:31 > twice:29
EOF
for flags in "-O0" "-O1" "-O2 -fPIE -pie" "-O2 -fno-pie -no-pie"; do
	check "build $flags" $cc -g $flags -I"$here/../../src/abi" "$here/flows/shown.c" -o shown
	timeout 60 "$omen" record -- ./shown 2>err | grep -v '^main' >got
	if cmp -s want got; then ok "$flags"; else bad "$flags" "$(diff want got | head -n 3 | tr '\n' ' ')"; fi
done
