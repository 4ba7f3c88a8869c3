// Runs in the binary that will read the cache: V8 rejects a cache of another version or with other flags.
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Readable, Writable } = require('node:stream');
const { Script } = require('node:vm');

const SAMPLE = Buffer.from(
  '{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"u","tool_input":{"command":"ls"}}',
);
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

const [, , name, folder] = process.argv;
const script = new Script(readFileSync(join(folder, `${name}.js`), 'latin1'), { filename: `${name}.js` });
const module_ = { exports: {} };
script.runInThisContext()(createRequire(process.execPath), module_, module_.exports);
const part = module_.exports;

/** Functions that run here are cached in compiled form: the code path of most calls. */
const WARM_UPS = { hot: ingest, decoders: decode, rest: showHelp };

WARM_UPS[name]()
  .then(() => {
    writeFileSync(join(folder, `${name}.cache`), script.createCachedData());
    process.exit(0);
  })
  .catch((error) => {
    process.stderr.write(`build: the part ${name} does not work: ${error.message}\n`);
    process.exit(1);
  });

/** Ingests into the spool, then to a server, to a server that is down, and with `--feedback`. */
async function ingest() {
  const data = mkdtempSync(join(tmpdir(), 'misstep-build-'));
  const server = createServer((socket) => socket.once('data', () => socket.end(ANSWER)).on('error', () => {}));
  try {
    const words = ['ingest', '--strict', '--agent', 'claude-code', '--data', data];
    await expectNoFailure(part.runHotPath(words));
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${server.address().port}`;
    for (const more of [['--server', url], ['--server', 'http://127.0.0.1:9'], ['--feedback']]) {
      const io = { ...silentIo(), stdin: Readable.from([SAMPLE]) };
      await expectNoFailure(part.runHotPath([...words, ...more], io));
    }
  } finally {
    server.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function expectNoFailure(exitCode) {
  if ((await exitCode) !== 0) throw new Error(`ingest ended with ${await exitCode}`);
}

async function decode() {
  part.convertToOtlp([
    { receivedAtMs: 0, contentType: 'application/vnd.misstep.hook+json; agent=claude-code', body: SAMPLE },
  ]);
}

function showHelp() {
  return part.main(['--help'], silentIo(), undefined);
}

function silentIo() {
  const silent = () => new Writable({ write: (_part, _encoding, done) => done() });
  return { env: {}, cwd: '/', stdin: process.stdin, stdout: silent(), stderr: silent(), clock: { now: () => 0 } };
}
