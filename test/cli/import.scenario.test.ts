import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeSpanLine } from '../../src/formats/misstep/span-line.ts';
import { claudeTranscript } from '../support/agent-home.ts';
import { runSpans } from '../support/store-app.ts';
import { runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const linesOf = (trace: number) => `${runSpans(trace).map(encodeSpanLine).join('\n')}\n`;

describe.each([
  ['local', async () => localWorld()],
  ['remote', remoteWorld],
] as const)('misstep import, %s', (_name, open) => {
  const clock = tickingClock();
  let world: World;
  let cwd: string;
  beforeAll(async () => {
    world = await open(clock);
    cwd = mkdtempSync(join(tmpdir(), 'misstep-files-'));
    mkdirSync(join(cwd, 'runs', 'deeper'), { recursive: true });
    mkdirSync(join(cwd, 'runs', '.hidden'));
    writeFileSync(join(cwd, 'one.jsonl'), linesOf(1));
    writeFileSync(join(cwd, 'runs', 'two.jsonl.gz'), gzipSync(linesOf(2)));
    writeFileSync(join(cwd, 'runs', 'deeper', 'three.json'), `[${linesOf(3).trim().replaceAll('\n', ',')}]`);
    writeFileSync(join(cwd, 'runs', 'notes.txt'), 'nothing to do with it');
    writeFileSync(join(cwd, 'runs', '.hidden', 'four.jsonl'), linesOf(4));
    writeFileSync(join(cwd, 'bad.jsonl'), `${linesOf(5)}{"broken\n`);
    writeFileSync(join(cwd, 'nothing.jsonl'), '{"nothing":"known"}\n');
  });
  afterAll(async () => {
    await world.close();
    rmSync(cwd, { recursive: true });
  });
  const run = (...argv: string[]) => runCli(argv, { env: world.env, cwd, clock });

  it('imports files and folders, each content once', async () => {
    expect(await run('import', 'one.jsonl', 'runs', '--quiet')).toEqual({
      code: 0,
      stdout: 'one.jsonl: 4 spans of 1 trace\nthree.json: 4 spans of 1 trace\ntwo.jsonl.gz: 4 spans of 1 trace\n',
      stderr: '',
    });
    const again = await run('import', 'one.jsonl');
    expect(again).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^one\.jsonl: already imported \(imp_/),
    });
    const { stdout } = await run('traces', 'list', '--json');
    expect(JSON.parse(stdout).items).toHaveLength(3);
  });

  it('reports a bad record and imports the others', async () => {
    const { code, stdout, stderr } = await run('import', 'bad.jsonl');
    expect([code, stdout]).toEqual([0, 'bad.jsonl: 4 spans of 1 trace, 1 error\n']);
    expect(stderr).toMatch(/misstep: bad\.jsonl: line 5/);
  });

  it.each([
    [['nothing.jsonl'], /misstep: nothing\.jsonl: Nothing in the file could be imported/],
    [['missing.jsonl'], /"missing\.jsonl" cannot be read/],
    [['runs', '--format', 'nonsense'], /nonsense/],
  ])('ends with 2 for %j', async (argv, stderr) => {
    const result = await run('import', ...argv);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
  });

  it('stores that the usage of a session is a lower bound: lists and the trace show ≥', async () => {
    const session = claudeTranscript({ sessionId: 'a', startMs: clock.now() });
    writeFileSync(join(cwd, 'open.jsonl'), session.replaceAll('"stop_reason":"tool_use"', '"stop_reason":null'));
    await run('import', 'open.jsonl');
    // A server analyzes the session after the import has ended.
    const listed = async () => (await run('traces', 'list', '--framework', 'claude-code')).stdout;
    await expect.poll(listed, { timeout: 60_000 }).toMatch(/≥ [\d,]+ +≥ \$/);
    const [{ trace_id }] = JSON.parse(
      (await run('traces', 'list', '--framework', 'claude-code', '--json')).stdout,
    ).items;
    expect((await run('traces', 'show', trace_id)).stdout).toMatch(/ · ≥ [\d,]+ tokens · ≥ \$/);
  });

  it('prints jobs as JSON', async () => {
    writeFileSync(join(cwd, 'six.jsonl'), linesOf(6));
    const { stdout } = await run('import', 'six.jsonl', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'completed', spans_accepted: 4, file_name: 'six.jsonl' }]);
  });

  it('exports a file that can be imported', async () => {
    const { code, stdout } = await run('export');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{"format":"misstep\.export\/1","kind":"header"/);
    expect(stdout).toMatch(/"kind":"end","traces":\d+,"spans":\d+,"detections":\d+\}\n$/);
    expect(await run('export', '--gzip', '--output', 'all.jsonl.gz')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Written to all.jsonl.gz.\n',
    });
    expect(
      gunzipSync(readFileSync(join(cwd, 'all.jsonl.gz')))
        .toString()
        .split('\n').length,
    ).toBe(stdout.split('\n').length);
    expect(await run('import', 'all.jsonl.gz')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^all\.jsonl\.gz: \d+ spans/),
    });
  });

  it('deletes traces by id and by condition', async () => {
    const listed = JSON.parse((await run('traces', 'list', '--json')).stdout).items as { trace_id: string }[];
    expect(await run('traces', 'delete', listed[0]!.trace_id)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Confirm with --yes/),
    });
    expect(await run('traces', 'delete', listed[0]!.trace_id, '--yes')).toMatchObject({
      code: 0,
      stderr: '1 trace deleted.\n',
    });
    expect(await run('traces', 'delete', '--yes')).toMatchObject({ code: 2 });
    const rest = await run('traces', 'delete', '--to', '2100-01-01', '--yes', '--json');
    expect(JSON.parse(rest.stdout)).toMatchObject({ status: 'completed', deleted: listed.length - 1 });
    expect(JSON.parse((await run('traces', 'list', '--json')).stdout).total).toBe(0);
  });

  it('sets the retention', async () => {
    expect(await run('tenants', 'set', '--retention', '30')).toMatchObject({
      code: 0,
      stdout: 'Traces are kept 30 days.\n',
    });
    expect(await run('tenants', 'set', '--retention', 'off')).toMatchObject({ stdout: 'Traces are kept forever.\n' });
    expect(await run('tenants', 'set', '--retention', 'soon')).toMatchObject({ code: 2 });
  });
});
