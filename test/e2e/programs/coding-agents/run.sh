#!/bin/bash
# Runs one coding agent on the scripted task, with the hooks of Misstep and its own telemetry switched on.
# Usage: unshare -n -m bash run.sh AGENT, where agents/AGENT.sh starts the program.
# BIN: the folder node_modules with the programs; MODEL: serve-coding-task.ts; MISSTEP: the executable; NODE: the folder of
# a node; OUT: an empty folder, which then holds store (filled by the hooks), otlp, transcript, and what the program printed.
set -u
ip link set lo up
HERE=$(cd "$(dirname "$0")" && pwd)
# The project is not in a folder for temporary files, which programs and rules treat as unimportant.
mkdir "$OUT/home" && mount -t tmpfs none /srv && mkdir /srv/dev && mount --bind "$OUT/home" /srv/dev || exit 1
HOME_X=/srv/dev WORK=/srv/dev/work/greeter
MODEL_URL=http://127.0.0.1:21800
PROMPT='Fix the greeting in src/greet.js so that the tests pass.'

mkdir -p "$WORK/src" "$WORK/build" "$OUT/transcript"
cat >"$WORK/src/greet.js" <<'JS'
export function greet(name) {
  return 'Helo ' + name;
}
JS
cat >"$WORK/test.js" <<'JS'
import assert from 'node:assert';
import { greet } from './src/greet.js';
assert.strictEqual(greet('world'), 'Hello, world!');
console.log('1 passed');
JS
echo '{"type":"module","scripts":{"test":"node test.js"}}' >"$WORK/package.json"
echo x >"$WORK/build/out.js"
(cd "$WORK" && git init -q && git add . && git -c user.name=a -c user.email=a@b.c commit -qm first)

env -i "$NODE/node" "$MODEL" 21800 "$WORK" "$OUT/otlp" 2>"$OUT/model.err" &
MODEL_PID=$!
trap 'kill $MODEL_PID' EXIT
for _ in $(seq 100); do (echo >/dev/tcp/127.0.0.1/21800) 2>/dev/null && break; sleep 0.1; done

hooks_install() {
  env -i PATH=/usr/bin:/bin HOME="$HOME_X" "$MISSTEP" hooks install --data "$OUT/store" --program "$MISSTEP" >"$OUT/hooks-install.txt" 2>&1
}
agent() {
  (cd "$WORK" && timeout 100 env -i PATH="$NODE:/usr/bin:/bin" HOME="$HOME_X" TERM=dumb LANG=C.UTF-8 "$@" </dev/null >"$OUT/stdout.txt" 2>"$OUT/stderr.txt")
  echo "$?" >"$OUT/exit.txt"
}
transcripts() { for f in "$@"; do [ -f "$f" ] && cp "$f" "$OUT/transcript/"; done; }

. "$HERE/agents/$1.sh"
# Hooks that a program does not wait for end within this time.
sleep 1
