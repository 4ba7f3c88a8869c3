import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logProcessEvents } from './process-log.ts';

let lines: { level: number; msg: string; detail?: string }[];
let restore: () => void;
let listenersBefore: unknown[];
beforeEach(() => {
  lines = [];
  listenersBefore = process.listeners('warning');
  restore = logProcessEvents(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }));
});
afterEach(() => restore());

it('a Node warning is one log line and is not printed otherwise', async () => {
  process.emitWarning('something is old', { type: 'DeprecationWarning', code: 'DEP9999' });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({
    level: 40,
    name: 'DeprecationWarning',
    code: 'DEP9999',
    detail: 'something is old',
  });
  expect(process.listeners('warning')).toHaveLength(1);
});

it('what Node does by itself is as before afterwards', () => {
  restore();
  expect(process.listeners('warning')).toEqual(listenersBefore);
});

it.each([
  ['an error that nothing catches', "setTimeout(() => { throw new Error('broken'); }, 1)"],
  ['a rejection that nothing handles', "Promise.reject(new Error('broken'))"],
])('%s ends the process with one line and exit code 3', (_name, failure) => {
  const module = resolve(import.meta.dirname, 'process-log.ts');
  const script = `
    const { pino } = await import('pino');
    const { logProcessEvents } = await import(${JSON.stringify(module)});
    logProcessEvents(pino({}, process.stderr));
    setInterval(() => {}, 1000);
    ${failure};`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  expect(ended.status).toBe(3);
  const printed = ended.stderr.trimEnd().split('\n');
  expect(printed).toHaveLength(1);
  expect(JSON.parse(printed[0]!)).toMatchObject({ level: 60, err: { message: 'broken' } });
});
