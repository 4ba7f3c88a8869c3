// Run by the very binary that will read the cache: V8 refuses one of another version or with other flags.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { Script } = require('node:vm');

/** What is kept for a server most often. */
const SAMPLE = {
  receivedAtMs: 0,
  contentType: 'application/vnd.misstep.hook+json; agent=claude-code',
  body: Buffer.from(
    '{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"u","tool_input":{}}',
  ),
};

const [, , source, target] = process.argv;
const script = new Script(readFileSync(source, 'latin1'), { filename: 'misstep.js' });
const module_ = { exports: {} };
script.runInThisContext()(createRequire(process.execPath), module_, module_.exports);
const { exports: part } = module_;
Promise.resolve()
  .then(() => (part.main ? showHelp() : part.convertToOtlp([SAMPLE])))
  .catch(() => {})
  .then(() => {
    writeFileSync(target, script.createCachedData());
    process.exit(0);
  });

/** Functions compiled while printing the help are in the cache too: every command takes that way. */
function showHelp() {
  const silent = { write: () => true };
  const io = { env: {}, cwd: '/', stdin: process.stdin, stdout: silent, stderr: silent, isInteractive: false };
  return part.main(['--help'], { ...io, now: () => 0 }, undefined);
}
