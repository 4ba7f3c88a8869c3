import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { DEMO_RUNS } from '../../src/features/demo/demo-spans.ts';
import { type CliInput, type CliResult, runCli, tickingClock } from './run-cli.ts';
import { demoTraceId } from './sample-traces.ts';
import { localWorld, remoteWorld, type World, withoutRandomness } from './world.ts';

const LOOP = demoTraceId('migration planner');

interface Step {
  name: string;
  argv: string[];
  code?: number;
  /** Parts of stdout; a single text is the whole output. */
  stdout?: string | (string | RegExp)[];
  stderr?: string | (string | RegExp)[];
  input?: CliInput;
}

/** Run in order; each step sees the effects of the previous ones. */
const STORY: Step[] = [
  { name: 'nothing there yet', argv: ['traces', 'list'], stdout: '', stderr: 'No traces found.\n' },
  { name: 'nothing found yet', argv: ['detections', 'list'], stdout: '', stderr: 'No detections found.\n' },
  {
    name: 'an empty page as JSON',
    argv: ['issues', 'list', '--json'],
    stdout: [/"items": \[\]/, /"total": 0/],
    stderr: '',
  },
  {
    name: 'the demo',
    argv: ['demo'],
    stdout: ['loop/recursion_limit', 'tool_failure/auth', `in ${DEMO_RUNS.length} traces`],
    stderr: [/traces list/],
  },
  {
    name: 'the demo again changes nothing',
    argv: ['demo', '--quiet'],
    stdout: [`in ${DEMO_RUNS.length} traces`],
    stderr: '',
  },
  {
    name: 'traces',
    argv: ['traces', 'list'],
    stdout: [/^STARTED +TRACE +NAME/, new RegExp(LOOP), /langgraph +error +49/],
    stderr: '',
  },
  {
    name: 'a page of traces',
    argv: ['traces', 'list', '--limit', '2'],
    stderr: [`2 of ${DEMO_RUNS.length} traces; next page: --cursor `],
  },
  {
    name: 'traces of a status',
    argv: ['traces', 'list', '--status', 'error', '--json'],
    stdout: [/"status": "error"/],
  },
  {
    name: 'traces by the text of their task',
    argv: ['traces', 'list', '--text', 'BILLING tables', '--framework', 'langgraph', '--min-severity', 'critical'],
    stdout: [new RegExp(LOOP)],
    stderr: '',
  },
  {
    name: 'traces of an unknown name',
    argv: ['traces', 'list', '--text', 'bogus'],
    stdout: '',
    stderr: 'No traces found.\n',
  },
  { name: 'traces of an agent', argv: ['traces', 'list', '--agent', 'critic'], stdout: [new RegExp(LOOP)] },
  { name: 'one trace', argv: ['traces', 'show', LOOP], stdout: [/ {3}0 {2}/, /planner/, 'loop/recursion_limit'] },
  {
    name: 'a trace whose detections name nodes, which are not counted as agents',
    argv: ['traces', 'show', demoTraceId('order workflow')],
    stdout: [/langgraph · 6 steps · 1\.2 s · ok/, /node shipping · step 4/],
  },
  {
    name: 'a trace that is not there',
    argv: ['traces', 'show', 'feed'],
    code: 2,
    stdout: '',
    stderr: [/^misstep: not_found: /],
  },
  {
    name: 'detections',
    argv: ['detections', 'list'],
    stdout: [/^SEVERITY +FAILURE/, /critical +loop\/recursion_limit +planner/],
  },
  {
    name: 'detections of a type',
    argv: ['detections', 'list', '--type', 'tool_failure', '--trace', demoTraceId('refund desk')],
    stdout: [/tool_failure\/auth/],
  },
  {
    name: 'an unknown type',
    argv: ['detections', 'list', '--type', 'bogus'],
    code: 2,
    stdout: '',
    stderr: [/Allowed choices are loop, /],
  },
  {
    name: 'a page that is too long',
    argv: ['detections', 'list', '--limit', '201'],
    code: 2,
    stderr: ['Give a number from 1 to 200'],
  },
  {
    name: 'a limit that is no number',
    argv: ['traces', 'list', '--limit', 'many'],
    code: 2,
    stderr: ['Give a number from 1 to 200'],
  },
  {
    name: 'an invalid cursor',
    argv: ['traces', 'list', '--cursor', 'abc'],
    code: 2,
    stderr: [/^misstep: invalid_query: /],
  },
  { name: 'a date that is none', argv: ['traces', 'list', '--from', 'yesterday'], code: 2, stderr: [/\?date_from: /] },
  { name: 'issues', argv: ['issues', 'list'], stdout: [/loop\/recursion_limit/, /WORKFLOW/, /migration planner/] },
  {
    name: 'issues of one kind and service',
    argv: ['issues', 'list', '--subtype', 'recursion_limit', '--service', 'release-bot'],
    stdout: [/^SEVERITY.*\ncritical {2}loop\/recursion_limit .*\n$/],
  },
  {
    name: 'issues of a service that has none',
    argv: ['issues', 'list', '--service', 'elsewhere'],
    stderr: [/No issues found/],
  },
  {
    name: 'issues of an unknown subtype',
    argv: ['issues', 'list', '--type', 'loop', '--subtype', 'repetition'],
    code: 2,
    stderr: [/subtype: must be one of .*exact_repetition/],
  },
  { name: 'issues of a workflow', argv: ['issues', 'list', '--workflow', 'wf_none'], stderr: [/No issues found/] },
  {
    name: 'a link to the dashboard',
    argv: ['link'],
    stdout: [/^http:\/\/127\.0\.0\.1:\d+\/ui\/sign-in#t=[0-9A-Za-z]{43}\n$/],
  },
  { name: 'a link for the operator', argv: ['link', '--operator', '--json'], stdout: [/"url": "http:.*#t=/] },
  {
    name: 'an issue that is not there',
    argv: ['issues', 'resolve', 'iss_none'],
    code: 2,
    stderr: [/^misstep: not_found: /],
  },
  { name: 'alerts, while no channel is on', argv: ['alerts', 'list'], stdout: '', stderr: 'No alerts found.\n' },
  {
    name: 'who is alerted',
    argv: ['alerts', 'preferences'],
    stdout: [
      /^from severity +warning\n/,
      /team_chat +off\n/,
      /quiet hours +off\n/,
      /digest +more than 10 held alerts\n/,
    ],
  },
  {
    name: 'a test of no channel',
    argv: ['alerts', 'test'],
    code: 3,
    stdout: '',
    stderr: [/^No channel is enabled\./],
  },
  { name: 'agents', argv: ['agents', 'list'], stdout: [/^AGENT +OPEN ISSUES +STEPS/, /critic +\d+/] },
  { name: 'agents as JSON', argv: ['agents', 'list', '--json'], stdout: [/"agent_id": "critic"/] },
  {
    name: 'a stored trace analyzed again',
    argv: ['analyze', LOOP],
    code: 1,
    stdout: ['loop/recursion_limit'],
    stderr: '',
  },
  {
    name: 'an unknown trace',
    argv: ['analyze', 'feed'],
    code: 2,
    stdout: '',
    stderr: [/neither a file nor a trace "feed"/],
  },
  { name: 'own tenant', argv: ['tenants', 'show'], stdout: [/^tenant +ten_/, /name +local/] },
  { name: 'a key', argv: ['keys', 'create', '--name', 'ci'], stdout: [/^mst_\w+\n$/], stderr: [/not shown again/] },
  {
    name: 'a key as JSON',
    argv: ['keys', 'create', '--name', 'sender', '--scopes', 'ingest', '--json'],
    stdout: [/"scopes": \[\s+"ingest"\s+\]/, /"api_key": "mst_/],
    stderr: '',
  },
  {
    name: 'a key without name',
    argv: ['keys', 'create'],
    code: 2,
    stdout: '',
    stderr: 'misstep: usage: --name is required.\n',
  },
  {
    name: 'a key with a scope that is none',
    argv: ['keys', 'create', '--name', 'x', '--scopes', 'fly'],
    code: 2,
    stderr: [/^misstep: invalid_body: /, /\/scopes\/0: /],
  },
  {
    name: 'a key that is not there',
    argv: ['keys', 'revoke', 'key_none', '--yes'],
    code: 2,
    stderr: [/^misstep: not_found: /],
  },
  {
    name: 'a tenant',
    argv: ['tenants', 'create', '--name', 'acme'],
    stdout: [/^mst_/],
    stderr: [/^Tenant ten_\w+ created/],
  },
  { name: 'tenants', argv: ['tenants', 'list'], stdout: [/^TENANT +NAME +CREATED/, /local/, /acme/] },
  {
    name: 'a tenant without name',
    argv: ['tenants', 'create'],
    code: 2,
    stderr: 'misstep: usage: --name is required.\n',
  },
  {
    name: 'deleting an unknown tenant',
    argv: ['tenants', 'delete', 'ten_none', '--yes'],
    code: 2,
    stderr: [/^misstep: not_found: /],
  },
];

const worlds: [string, (clock: Clock) => World | Promise<World>][] = [
  ['on the local store', localWorld],
  ['against a server', remoteWorld],
];
const transcripts: string[][] = [];

describe.each(worlds)('commands %s', (_name, open) => {
  let world: World;
  const clock = tickingClock();
  const transcript: string[] = [];
  beforeAll(async () => {
    world = await open(clock);
    transcripts.push(transcript);
  });
  afterAll(() => world.close());
  const run = (argv: string[], input: CliInput = {}) =>
    runCli(argv, { ...input, clock, env: { ...world.env, ...input.env } });

  it.each(STORY)('$name', async ({ argv, code = 0, stdout, stderr, input }) => {
    const result = await run(argv, input);
    transcript.push(transcriptOf(argv, result));
    expect(result.code, result.stderr).toBe(code);
    expectText(result.stdout, stdout);
    expectText(result.stderr, stderr);
  });

  it('shows one detection and one issue', async () => {
    const [detection] = JSON.parse((await run(['detections', 'list', '--type', 'loop', '--json'])).stdout).items;
    const shown = await run(['detections', 'show', detection.detection_id]);
    expect(shown.stdout).toContain(detection.title);
    expect(JSON.parse((await run(['detections', 'show', detection.detection_id, '--json'])).stdout)).toEqual(detection);
    const issue = await run(['issues', 'show', detection.issue_id]);
    expect(issue.stdout).toMatch(new RegExp(`^issue +${detection.issue_id}\n`));
    expect(issue.stdout).toMatch(/status +open, new\n/);
  });

  it('ignores, snoozes, resolves and reopens issues', async () => {
    const [issue] = JSON.parse((await run(['issues', 'list', '--json'])).stdout).items;
    const id = issue.issue_id;
    const outputOf = async (...argv: string[]) => (await run(['issues', ...argv])).stdout.slice(id.length + 2);
    expect(await outputOf('ignore', id)).toBe(`ignored until it is reopened  ${issue.title}\n`);
    expect(await outputOf('ignore', id, '--runs', '100')).toContain('ignored for 100 more runs  ');
    expect(await outputOf('snooze', id, '--until', '2100-01-01')).toContain('snoozed until 2100-01-01T00:00:00.000Z  ');
    expect(await outputOf('resolve', id)).toMatch(/^resolved at \S+ by \S+ {2}/);
    expect(JSON.parse((await run(['issues', 'list', '--status', 'resolved', '--json'])).stdout).items).toMatchObject([
      { issue_id: id },
    ]);
    expect(await outputOf('reopen', id)).toContain('open  ');
    const mixed = await run(['issues', 'resolve', 'iss_none', id]);
    expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no issue iss_none.') });
    expect(mixed.stdout).toContain('resolved at ');
    expect((await run(['issues', 'reopen', id])).code).toBe(0);
    expect((await run(['issues', 'snooze', issue.issue_id, '--until', '2001-01-01'])).code).toBe(2);
  });

  it('revokes a created key and deletes a tenant', async () => {
    const key = JSON.parse((await run(['keys', 'create', '--name', 'short', '--json'])).stdout);
    expect(await run(['keys', 'revoke', key.key_id, '--yes'])).toMatchObject({ code: 0, stdout: '' });
    expect((await run(['keys', 'list'])).stdout).toMatch(new RegExp(`${key.key_id} +short +ingest,read +revoked`));
    const tenant = JSON.parse((await run(['tenants', 'create', '--name', 'gone', '--json'])).stdout);
    const unsure = await run(['tenants', 'delete', tenant.tenant_id]);
    expect(unsure.code).toBe(2);
    expect(unsure.stderr).toContain('Confirm with --yes');
    expect((await run(['tenants', 'delete', tenant.tenant_id, '--yes'])).code).toBe(0);
    expect((await run(['tenants', 'list'])).stdout).not.toContain('gone');
  });
});

it('prints the same for the local store and a server', () => {
  const [local, remote] = transcripts;
  expect(local).toHaveLength(STORY.length);
  expect(remote).toEqual(local);
});

function transcriptOf(argv: string[], { code, stdout, stderr }: CliResult): string {
  return withoutRandomness([`$ misstep ${argv.join(' ')}`, inOneOrder(stdout), stderr, `exit code ${code}`].join('\n'));
}

function expectText(text: string, expected: Step['stdout']): void {
  if (typeof expected === 'string') expect(text).toBe(expected);
  else for (const part of expected ?? []) expect(text).toMatch(part);
}

/** A server analyzes several traces at once, so detections and issues with the same time are listed in any order. */
function inOneOrder(text: string): string {
  const isFound = (line: string) => /^(?:critical|warning|info) /.test(line);
  const found = text.split('\n').filter(isFound).sort();
  return text.replace(/^(?:critical|warning|info) .*$/gm, () => found.shift() as string);
}
