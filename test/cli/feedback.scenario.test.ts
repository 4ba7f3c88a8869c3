import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { type CliResult, runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World, withoutChance } from './world.ts';

interface Step {
  /** `<detection>` and `<fix>` stand for the ids that the world found first. */
  argv: string[];
  code?: number;
  /** Parts of stdout, or the whole where it is one text. */
  stdout?: string | (string | RegExp)[];
  stderr?: string | (string | RegExp)[];
}

/** One story, told in order; each step sees what those before it have done. */
const STORY: Step[] = [
  { argv: ['feedback', 'list'], stdout: '', stderr: 'No feedback found.\n' },
  { argv: ['feedback', 'stats'], stdout: '', stderr: 'No feedback yet.\n' },
  { argv: ['feedback', 'recommend'], stdout: '', stderr: 'No feedback yet.\n' },
  {
    argv: ['feedback', 'add', '<detection>', 'false_positive', '--comment', 'it was asked to'],
    stdout: [/^fbk_\w+\n$/],
    stderr: '',
  },
  { argv: ['feedback', 'add', '<detection>', 'true_positive', '--json'], stdout: [/"is_valid": true/] },
  {
    argv: ['feedback', 'list'],
    stdout: [
      /^CREATED +SAID +COUNTS +FAILURE +COMMENT +DETECTION\n/,
      /true_positive +yes +loop\/recursion_limit +– /,
      /false_positive +replaced +loop\/recursion_limit +it was asked to /,
    ],
    stderr: '',
  },
  { argv: ['feedback', 'list', '--said', 'false_positive', '--json'], stdout: [/"total": 1/, /"is_current": false/] },
  { argv: ['feedback', 'list', '--detection', '<detection>', '--limit', '1'], stderr: ['1 of 2 feedback; go on'] },
  {
    argv: ['feedback', 'stats'],
    stdout: [/^FAILURE +TP +FP +TN +FN +PRECISION/, /loop +1 +0 +0 +0 +1\.00 \(0\.21–1\.00\)/, /all +1 /],
    stderr: [/the most that recall can be/],
  },
  { argv: ['feedback', 'stats', '--json'], stdout: [/"recall_estimate": "/] },
  {
    argv: ['feedback', 'recommend'],
    stdout: [/loop +1 +none +0\.\d\d +– /, 'loop: Needs feedback on 20 detections; there are 1.'],
    stderr: '',
  },
  { argv: ['feedback', 'recommend', '--precision', '0.9', '--json'], stdout: [/"target_precision": 0\.9/] },
  { argv: ['feedback', 'recommend', '--precision', 'high'], code: 2, stderr: ['Give a number from 0.5 to 1'] },
  { argv: ['feedback', 'add', '<detection>', 'maybe'], code: 2, stderr: ['Allowed choices are true_positive, '] },
  { argv: ['feedback', 'add', 'det_none', 'true_positive'], code: 2, stderr: [/^misstep: not_found: /] },
  { argv: ['feedback', 'list', '--type', 'bogus'], code: 2, stderr: ['Allowed choices are loop, '] },
  { argv: ['detections', 'list', '--validated', 'yes'], stdout: ['<detection>'] },
  { argv: ['detections', 'fixes', '<detection>'], stdout: ['<fix>', /low risk · confidence \d+ %/], stderr: '' },
  { argv: ['detections', 'fixes', '<detection>', '--json'], stdout: [/"applied_at": null/] },
  { argv: ['detections', 'apply', '<detection>', '<fix>'], stdout: [/^applied 2026-05-04T/], stderr: '' },
  { argv: ['detections', 'apply', '<detection>', '<fix>', '--json'], stdout: [/"applied_by": "\w+"/] },
  { argv: ['detections', 'fixes', '<detection>'], stdout: [/ · applied 2026-05-04T/] },
  { argv: ['detections', 'apply', '<detection>', 'fix_none'], code: 2, stderr: [/^misstep: not_found: /] },
  { argv: ['detections', 'fixes', 'det_none'], code: 2, stdout: '', stderr: [/^misstep: not_found: /] },
];

const worlds: [string, (clock: Clock) => World | Promise<World>][] = [
  ['on the local store', localWorld],
  ['against a server', remoteWorld],
];
const transcripts: string[][] = [];

describe.each(worlds)('feedback %s', (_name, open) => {
  let world: World;
  let ids: [name: string, id: string][] = [];
  const clock = tickingClock();
  const transcript: string[] = [];
  const run = (argv: readonly string[]) => runCli(argv, { clock, env: world.env });
  beforeAll(async () => {
    world = await open(clock);
    transcripts.push(transcript);
    await run(['demo', '--quiet']);
    const list = JSON.parse((await run(['detections', 'list', '--type', 'loop', '--json'])).stdout);
    const looped = list.items.find(({ subtype }: { subtype: string }) => subtype === 'recursion_limit');
    ids = [
      ['<detection>', looped.detection_id],
      ['<fix>', looped.fixes[0].fix_id],
    ];
  });
  afterAll(() => world.close());

  const withIds = (text: string) => ids.reduce((filled, [name, id]) => filled.replaceAll(name, id), text);

  it.each(STORY)('$argv', async ({ argv, code = 0, stdout, stderr }) => {
    const result = await run(argv.map(withIds));
    transcript.push(told(argv, result));
    expect(result.code, result.stderr).toBe(code);
    expectText(result.stdout, stdout, withIds);
    expectText(result.stderr, stderr, withIds);
  });
});

it('says the same on the local store and against a server', () => {
  const [local, remote] = transcripts;
  expect(local).toHaveLength(STORY.length);
  expect(remote).toEqual(local);
});

function told(argv: string[], { code, stdout, stderr }: CliResult): string {
  const text = [`$ misstep ${argv.join(' ')}`, stdout, stderr, `exit code ${code}`].join('\n');
  return withoutChance(text)
    .replaceAll(/"(created|applied)_by": "\w+"/g, '"$1_by": <who>')
    .replaceAll(/\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replaceAll(/eyJ\w+|--cursor \S+/g, '<cursor>');
}

function expectText(text: string, expected: Step['stdout'], withIds: (text: string) => string): void {
  if (typeof expected === 'string') expect(text).toBe(expected);
  else
    for (const part of expected ?? []) {
      if (typeof part === 'string') expect(text).toContain(withIds(part));
      else expect(text).toMatch(part);
    }
}
