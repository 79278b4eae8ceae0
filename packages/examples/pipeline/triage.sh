#!/usr/bin/env bash
# Tickets on stdin; on stdout the numbers of those that are urgent, a line each. Further arguments are for `ambit run`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

${AMBIT:-ambit} run "$here/triage.worker" - --strict --quiet --policy "$here/policy.yaml" "$@" |
  node -e 'process.stdin.on("data", (answer) => JSON.parse(answer).urgent.forEach((ticket) => console.log(ticket)))'
