import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const text = (id: string) =>
  JSON.stringify({ id, kind: 'text', text: 'Where is my order?', labels: { is_injection: false } });
const trace = (id: string) =>
  JSON.stringify({
    id,
    kind: 'trace',
    framework: 'shop',
    task: 'Find order W1',
    steps: [{ kind: 'llm', agent: 'clerk', name: 'assistant', input: '', output: 'It is\u2028on its way.' }],
  });
const RECORDS = `${text('a')}\n\n{broken\n${trace('b')}\n${text('c')}`;

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'misstep-predictions-'));
  writeFileSync(join(cwd, 'records.jsonl'), RECORDS);
  writeFileSync(join(cwd, 'records.jsonl.gz'), gzipSync(RECORDS));
  writeFileSync(join(cwd, 'cut.jsonl.gz'), gzipSync(RECORDS).subarray(0, 40));
  writeFileSync(join(cwd, 'broken.jsonl'), 'x\ny\n');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const predict = (argv: string[], stdin = '') => runCli(['analyze', ...argv], { cwd, env: {}, stdin });
const parsed = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('misstep analyze --records', () => {
  it.each(['records.jsonl', 'records.jsonl.gz'])('writes one line per record of %s, in order', async (records) => {
    const { code, stderr } = await predict(['--records', records, '--predictions', 'out.jsonl']);
    expect(code).toBe(0);
    expect(stderr).toContain('line 3 could not be judged: not JSON');
    const predictions = parsed(readFileSync(join(cwd, 'out.jsonl'), 'utf8'));
    expect(predictions.map(({ id, error }) => id ?? error)).toEqual(['a', 'not JSON', 'b', 'c']);
    expect(Object.keys(predictions[2])).toEqual(['id', 'detections', 'scores', 'attribution', 'trail', 'ms']);
  });

  it('reads standard input and writes standard output', async () => {
    const { code, stdout } = await predict(['--records', '-', '--predictions', '-'], RECORDS);
    expect(code).toBe(0);
    expect(parsed(stdout)).toHaveLength(4);
  });

  it.each([
    ['a file that is missing', ['--records', 'no.jsonl', '--predictions', 'x.jsonl'], 'no.jsonl cannot be read'],
    ['a file that is cut', ['--records', 'cut.jsonl.gz', '--predictions', 'x.jsonl'], 'cut.jsonl.gz cannot be read'],
    ['a place that is none', ['--records', 'records.jsonl', '--predictions', 'no/x.jsonl'], 'cannot be written'],
    [
      'nothing but bad lines',
      ['--records', 'broken.jsonl', '--predictions', 'x.jsonl'],
      '0 records judged, 2 lines not',
    ],
    ['one half of the pair', ['--records', 'records.jsonl'], 'must be used together'],
    ['inputs beside', ['a.json', '--records', 'records.jsonl', '--predictions', 'x.jsonl'], 'cannot be combined'],
  ])('%s: 2', async (_, argv, message) => {
    const { code, stderr } = await predict(argv);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    ['that it also reads', 'same.jsonl', 'same.jsonl', 0, /"id":"a"/],
    ['where the records cannot be read', 'typo.jsonl', 'kept.jsonl', 2, /^kept\n$/],
  ])('does not empty the file of predictions %s', async (_, from, to, code, content) => {
    writeFileSync(join(cwd, 'same.jsonl'), RECORDS);
    writeFileSync(join(cwd, 'kept.jsonl'), 'kept\n');
    const result = await predict(['--records', from, '--predictions', to]);
    expect(result.code, result.stderr).toBe(code);
    expect(readFileSync(join(cwd, to), 'utf8')).toMatch(content);
  });

  it('needs no store', async () => {
    await runCli(['analyze', '--records', 'records.jsonl', '--predictions', 'x.jsonl'], {
      cwd,
      env: { MISSTEP_DATA: join(cwd, 'data') },
    });
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
