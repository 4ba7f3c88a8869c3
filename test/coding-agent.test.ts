import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { sessionTraceId } from '../src/formats/hooks/session-span.ts';
import { EXECUTABLE, freePort, isBuilt, type Served, serve } from './support/served.ts';

const AT_ONCE = 20;
const SESSION = 'simulated';
const base = { session_id: SESSION, transcript_path: `/x/.claude/${SESSION}.jsonl`, cwd: '/srv/shop' };
const hook = (hook_event_name: string, more: JsonObject): JsonObject => ({ ...base, hook_event_name, ...more });

/** Prompts and answers have no id, so a duplicate would be a second one; the two hooks of a call contain different data. */
const PROMPTS = 10;
const CALLS = 90;
const ANSWERS = 8;
const SESSION_HOOKS: JsonObject[] = [
  hook('SessionStart', { source: 'startup' }),
  ...Array.from({ length: PROMPTS }, (_, number) => hook('UserPromptSubmit', { prompt: `Task ${number}` })),
  ...Array.from({ length: CALLS }, (_, number) => [
    hook('PreToolUse', { ...callOf(number), model: `asked ${number}` }),
    hook('PostToolUse', { ...callOf(number), tool_response: `done ${number}` }),
  ]).flat(),
  ...Array.from({ length: ANSWERS }, (_, number) => hook('Stop', { last_assistant_message: `Answer ${number}` })),
];

function callOf(number: number): JsonObject {
  return { tool_name: 'Bash', tool_input: { command: `echo ${number}` }, tool_use_id: `toolu_${number}` };
}

describe.skipIf(!isBuilt)('a session of 200 hooks, 20 at once (needs dist/misstep: npm run build)', () => {
  let root: string;
  let server: Served | null = null;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'misstep-session-'));
  });
  afterEach(async () => {
    await server?.end('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  it('contains every record exactly once after a kill and restart of the server', async () => {
    const store = join(root, 'store');
    const { api_key } = JSON.parse(
      (await run(['keys', 'create', '--name', 'hooks', '--data', store, '--json'])).stdout,
    );
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    server = await serve(store, '--port', port);

    // Every other hook goes through the spool of the store, the others to the server, with a spool of their own.
    const otherFolder = join(root, 'away');
    const paths = [
      ['--data', store],
      ['--data', otherFolder, '--server', url, '--api-key', api_key],
    ] as const;
    const call = (record: JsonObject, path: number) => ingest(record, paths[path % 2]!);
    const todo = SESSION_HOOKS.map((record, at) => () => call(record, at));

    await together(todo.slice(0, 70));
    const killed = server.end('SIGKILL');
    await together(todo.slice(70, 130));
    await killed;
    server = await serve(store, '--port', port);
    await together(todo.slice(130));
    await call(hook('SessionEnd', { reason: 'other' }), 0);
    for (let tries = 0; filesIn(join(otherFolder, 'spool-remote')) > 0 && tries < 20; tries += 1)
      await call(hook('Notification', { message: 'anything left?' }), 1);
    expect(filesIn(join(otherFolder, 'spool-remote'))).toBe(0);
    await server.end('SIGTERM');

    const shown = await run(['traces', 'show', sessionTraceId(SESSION), '--data', store, '--json']);
    const trace = JSON.parse(shown.stdout) as { spans: { name: string; attributes: Record<string, string> }[] };
    const named = (name: string) => trace.spans.filter((span) => span.name === name).map((span) => span.attributes);
    const messageOf = (name: string) =>
      named(name).map((one) => JSON.parse(one['gen_ai.output.messages']!)[0].parts[0].content);
    expect(messageOf('prompt').sort()).toEqual(Array.from({ length: PROMPTS }, (_, number) => `Task ${number}`));
    expect(messageOf('answer').sort()).toEqual(Array.from({ length: ANSWERS }, (_, number) => `Answer ${number}`));
    const calls = named('Bash').map((one) => [
      one['gen_ai.tool.call.id'],
      one['gen_ai.request.model'],
      one['gen_ai.tool.call.result'],
    ]);
    expect(calls.sort(byNumber)).toEqual(
      Array.from({ length: CALLS }, (_, number) => [`toolu_${number}`, `asked ${number}`, `done ${number}`]),
    );
    expect(named('claude-code')).toHaveLength(1);
    expect(trace.spans).toHaveLength(1 + PROMPTS + ANSWERS + CALLS);
  }, 120_000);
});

it('the session has 200 hooks, with its end', () => expect(SESSION_HOOKS.length + 1).toBe(200));

const numberOf = (id: string | undefined) => Number(id?.split('_')[1]);
const byNumber = ([one]: (string | undefined)[], [other]: (string | undefined)[]) => numberOf(one) - numberOf(other);

/** A hook must not affect the agent: no output, and no exit code with a meaning. */
async function ingest(record: JsonObject, path: readonly string[]): Promise<void> {
  const result = await run(['ingest', '--agent', 'claude-code', ...path], JSON.stringify(record));
  expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
}

function run(args: readonly string[], input = ''): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(EXECUTABLE, args, { stdio: 'pipe', env: { PATH: process.env.PATH, HOME: tmpdir() } });
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
    });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}

async function together(todo: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...todo];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function filesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}
