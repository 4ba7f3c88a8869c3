import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { type CliResult, runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World, withoutRandomness } from './world.ts';

export interface Step {
  /** Ids in angle brackets, such as `<group>`, are replaced by ids from `prepare` or from earlier steps. */
  argv: string[];
  code?: number;
  /** Parts of stdout; a single text is the whole output. */
  stdout?: string | (string | RegExp)[];
  stderr?: string | (string | RegExp)[];
  /** Stores stdout without its line break under this name, for later steps. */
  finds?: string;
}

export type Run = (argv: readonly string[]) => Promise<CliResult>;
type Ids = Record<string, string>;

export interface Story {
  title: string;
  /** Run in order; each step sees the effects of the previous ones. */
  steps: Step[];
  /** Runs before the first step. @returns ids by the names that steps use */
  prepare?(run: Run): Promise<Ids>;
  /** Removes from the transcript values that may differ between the two environments. */
  normalize?(text: string): string;
}

const WORLDS: [string, (clock: Clock) => World | Promise<World>][] = [
  ['on the local store', localWorld],
  ['against a server', remoteWorld],
];

/** Runs the story on the local store and against a server; both must print the same. */
export function buildStory({ title, steps, prepare, normalize: clean = (text) => text }: Story): void {
  const transcripts: string[][] = [];

  describe.each(WORLDS)(`${title} %s`, (_name, open) => {
    let world: World;
    let ids: Ids = {};
    const clock = tickingClock();
    const transcript: string[] = [];
    const run: Run = (argv) => runCli(argv, { clock, env: world.env });
    const withIds = (text: string) =>
      Object.entries(ids).reduce((filled, [name, id]) => filled.replaceAll(`<${name}>`, id), text);
    beforeAll(async () => {
      world = await open(clock);
      transcripts.push(transcript);
      ids = (await prepare?.(run)) ?? {};
    });
    afterAll(() => world.close());

    it.each(steps)('$argv', async ({ argv, code = 0, stdout, stderr, finds }) => {
      const result = await run(argv.map(withIds));
      if (finds) ids[finds] = result.stdout.trim();
      transcript.push(clean(withoutRandomness(transcriptOf(argv, result))));
      expect(result.code, result.stderr).toBe(code);
      expectText(result.stdout, stdout, withIds);
      expectText(result.stderr, stderr, withIds);
    });
  });

  it(`${title}: prints the same for the local store and a server`, () => {
    const [local, remote] = transcripts;
    expect(local).toHaveLength(steps.length);
    expect(remote).toEqual(local);
  });
}

function transcriptOf(argv: readonly string[], { code, stdout, stderr }: CliResult): string {
  return [`$ misstep ${argv.join(' ')}`, stdout, stderr, `exit code ${code}`].join('\n');
}

function expectText(text: string, expected: Step['stdout'], withIds: (text: string) => string): void {
  if (typeof expected === 'string') expect(text).toBe(withIds(expected));
  else
    for (const part of expected ?? []) {
      if (typeof part === 'string') expect(text).toContain(withIds(part));
      else expect(text).toMatch(part);
    }
}
