#!/usr/bin/env bash
# Starts a Plant Store with known data, runs a command, and stops the server:
#
#     run.sh schemathesis run http://127.0.0.1:3000/openapi.json
#
# PLANT_STORE_URL has the URL of the server, and PLANT_STORE_TOKEN a token with every scope. The script exits with the
# status of the command. If that is not 0, it prints the end of the server's log on stderr.
set -eu

# PORT=0 picks a free port. PLANT_STORE_PACKAGE is the path or the URL of the npm package, which runs on Node.js. PLANT_STORE is the
# command line of another program, such as ./plant-store. Without both, it is the program of this checkout, which runs on Bun.
port=${PORT:-3000}
checkout=$(dirname "$0")/../..
start_seconds_max=${START_SECONDS_MAX:-60}
log_lines_max=200

[ $# -gt 0 ] || { echo 'usage: run.sh COMMAND [ARGUMENT...]' >&2; exit 2; }

fail() {
  echo "$1" >&2
  exit 1
}

stop() {
  status=$?
  if [ -n "${server:-}" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" || true
    [ "$status" -eq 0 ] || { echo 'The log of the server ends with:' && tail -n "$log_lines_max" "$log"; } >&2
  fi
  rm -rf "$work"
}

work=$(mktemp -d)
log=$work/log
: >"$log"
trap stop EXIT
if [ -n "${PLANT_STORE:-}" ]; then
  read -ra plant_store <<<"$PLANT_STORE"
elif [ -n "${PLANT_STORE_PACKAGE:-}" ]; then
  package=$PLANT_STORE_PACKAGE
  # npm takes folder/name.tgz for a repository on GitHub.
  [ ! -f "$package" ] || package=$(cd "$(dirname "$package")" && pwd)/$(basename "$package")
  npm install --loglevel=error --no-audit --no-fund --prefix "$work" "$package" >/dev/null ||
    fail "npm cannot install $PLANT_STORE_PACKAGE."
  # Not npx, which does not pass on the signal that stops the server.
  plant_store=("$work/node_modules/.bin/plant-store")
else
  plant_store=("$checkout/src/main.ts")
  [ -f "${plant_store[0]}" ] ||
    fail 'The script is not in a checkout. Set PLANT_STORE_PACKAGE to the path or URL of the npm package.'
  bun run --silent --cwd "$checkout" setup --production
fi

LOG_LEVEL=info "${plant_store[@]}" serve --demo --port "$port" >/dev/null 2>"$log" &
server=$!

until
  # The URL comes from the log, so that another server on the port is not mistaken for this one.
  PLANT_STORE_URL=$(sed -n '/"msg":"ready"/s/.*"url":"\([^"]*\)".*/\1/p' "$log")
  [ -n "$PLANT_STORE_URL" ] && curl --fail --silent --max-time 5 --output /dev/null "$PLANT_STORE_URL/readyz"
do
  kill -0 "$server" 2>/dev/null || fail 'The server stopped before it was ready.'
  [ "$SECONDS" -lt "$start_seconds_max" ] || fail "The server was not ready within $start_seconds_max s."
  sleep 0.1
done

export PLANT_STORE_URL PLANT_STORE_TOKEN=plant_ThisTokenIsPublicUseItForTests0JVZRz
"$@"
