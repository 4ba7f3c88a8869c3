#!/bin/bash
# Runs one coding agent on the scripted task of the emitters, with the hooks of Misstep and its own telemetry switched on.
# Usage: unshare -n -m bash run-coding-agent.sh AGENT, where agents/AGENT.sh is one of the emitters.
# EMITTERS: their folder coding-agents, with its packages installed; MISSTEP: the executable; NODE: the folder of a node;
# OUT: an empty folder, which then holds store (filled by the hooks), otlp, transcript, and what the program printed.
set -u
ip link set lo up
HERE=$EMITTERS BIN=$EMITTERS/node_modules
# The settings of an agent add no hooks by hand: `hooks install` covers them.
MODE=plain
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

env -i WORK_FOLDER="$WORK" "$NODE/node" "$HERE/fake-models.mjs" 21800 "$OUT" 2>"$OUT/fake-models.err" &
MODEL=$!
trap 'kill $MODEL' EXIT
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
