import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeSpanLine } from '../../src/formats/misstep/span-line.ts';
import { runSpans } from '../support/store-app.ts';
import { runCli, startCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const linesOf = (trace: number) => `${runSpans(trace).map(encodeSpanLine).join('\n')}\n`;

describe.each([
  ['local', async () => localWorld()],
  ['remote', remoteWorld],
] as const)('misstep import --watch, %s', (_name, open) => {
  const clock = tickingClock();
  let world: World;
  let cwd: string;
  beforeEach(async () => {
    world = await open(clock);
    cwd = mkdtempSync(join(tmpdir(), 'misstep-watch-'));
    mkdirSync(join(cwd, 'runs'));
  });
  afterEach(async () => {
    await world.close();
    rmSync(cwd, { recursive: true });
  });
  const input = () => ({ env: world.env, cwd, clock });
  const traces = async () => JSON.parse((await runCli(['traces', 'list', '--json'], input())).stdout).total as number;

  it('imports existing, new and growing files until Ctrl-C', async () => {
    writeFileSync(join(cwd, 'runs', 'first.jsonl'), linesOf(1));
    const watching = startCli(['import', 'runs', '--watch'], input());
    await watching.prints(/first\.jsonl: 4 spans of 1 trace\n/);
    await watching.prints(/Watching for new files\. Press Ctrl-C to stop\.\n/);
    writeFileSync(join(cwd, 'runs', 'notes.txt'), 'nothing to do with it');
    mkdirSync(join(cwd, 'runs', 'deeper'));
    writeFileSync(join(cwd, 'runs', 'deeper', 'second.jsonl'), linesOf(2));
    await watching.prints(/second\.jsonl: 4 spans of 1 trace\n/);
    appendFileSync(join(cwd, 'runs', 'first.jsonl'), linesOf(3));
    await watching.prints(/first\.jsonl: \d spans of 2 traces\n/);
    watching.interrupt();
    const { code, stdout } = await watching.result;
    expect(code).toBe(130);
    expect(stdout).not.toContain('notes.txt');
    expect(await traces()).toBe(3);
  }, 60_000);

  it('continues after a file that cannot be imported', async () => {
    const watching = startCli(['import', 'runs', '--watch'], input());
    await watching.prints(/Watching/);
    writeFileSync(join(cwd, 'runs', 'bad.jsonl'), '{"nothing":"known"}\n');
    await watching.prints(/misstep: bad\.jsonl: Nothing in the file could be imported/);
    writeFileSync(join(cwd, 'runs', 'good.jsonl'), linesOf(1));
    await watching.prints(/good\.jsonl: 4 spans of 1 trace\n/);
    watching.interrupt();
    expect(await watching.result).toMatchObject({ code: 130 });
  }, 60_000);

  it('of a missing folder is a usage error', async () => {
    const { code, stderr } = await startCli(['import', 'nowhere', '--watch'], input()).result;
    expect(code).toBe(2);
    expect(stderr).toContain('nowhere');
  });
});

it('the scenario reports a line that never appears', async () => {
  const world = localWorld();
  await expect(startCli(['traces', 'list'], { env: world.env }).prints(/never printed/)).rejects.toThrow(
    'ended with 0',
  );
  await world.close();
});
