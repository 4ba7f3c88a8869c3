// Run by the very binary that will read the cache: V8 refuses one of another version or with other flags.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { Script } = require('node:vm');

const [, , source, target] = process.argv;
const script = new Script(readFileSync(source, 'latin1'), { filename: 'misstep.js' });
const module_ = { exports: {} };
script.runInThisContext()(createRequire(process.execPath), module_, module_.exports);
// Functions compiled while printing the help are in the cache too: every command takes that way.
const silent = { write: () => true };
const io = { env: {}, cwd: '/', stdin: process.stdin, stdout: silent, stderr: silent, isInteractive: false };
Promise.resolve()
  .then(() => module_.exports.main(['--help'], { ...io, now: () => 0 }, undefined))
  .catch(() => {})
  .then(() => {
    writeFileSync(target, script.createCachedData());
    process.exit(0);
  });
