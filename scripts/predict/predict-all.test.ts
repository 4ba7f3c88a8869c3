import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { predictAll } from './predict-all.ts';

const steps = [
  { kind: 'message', agent: 'user', name: 'user', input: '', output: 'Find order W1.' },
  { kind: 'tool', agent: 'clerk', name: 'find_order', input: '{"id":"W1"}', output: 'Error: timeout' },
  { kind: 'llm', agent: 'clerk', name: 'assistant', input: '', output: 'I could not find it.' },
];

test('a run gets the complete predictions format with trail, and a bad line does not affect the others', () => {
  const lines = [JSON.stringify({ id: 'shop/1', dataset: 'shop', kind: 'trace', framework: 'shop', steps }), '', '{'];
  const [run, bad] = predictAll(lines, () => 0);
  expect(run).toMatchObject({ id: 'shop/1', scores: { failed: null }, trail: expect.any(Array) });
  const text = { id: 'shop/2', dataset: 'shop', kind: 'text', text: 'Where is order W1?' };
  expect(predictAll([JSON.stringify(text)], () => 0)).toMatchObject([{ id: 'shop/2', trail: null }]);
  expect(bad).toEqual({ id: null, line: 3, error: 'not JSON' });
});

test.each(['missing.jsonl', 'missing.jsonl.gz'])('a file that does not exist is named in one line: %s', (name) => {
  const file = join(import.meta.dirname, name);
  const program = [join(import.meta.dirname, 'main.ts'), '--records', file, '--predictions', '/dev/null'];
  const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, `predict: ENOENT: no such file or directory, open '${file}'\n`]);
});
