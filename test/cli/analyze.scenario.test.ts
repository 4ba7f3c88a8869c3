import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeTranscript } from '../support/agent-home.ts';
import { type CliInput, NOW, runCli } from './run-cli.ts';
import { demoBody, demoTraceId, hostileBody } from './sample-traces.ts';

const N8N_EXECUTIONS = join(import.meta.dirname, '../fixtures/n8n/program/executions.json');

let cwd: string;
let env: Record<string, string>;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'misstep-analyze-'));
  env = { MISSTEP_DATA: join(cwd, 'data') };
  writeFileSync(join(cwd, 'healthy.json'), demoBody('support triage'));
  writeFileSync(join(cwd, 'loop.json'), demoBody('migration planner'));
  writeFileSync(join(cwd, 'order.json'), demoBody('order workflow'));
  writeFileSync(join(cwd, 'refund.json.gz'), gzipSync(demoBody('refund desk')));
  writeFileSync(join(cwd, 'hostile & <odd>.json'), hostileBody());
  writeFileSync(join(cwd, 'k1.json'), JSON.stringify(CLINE_FACTS));
  writeFileSync(join(cwd, 'k1.messages.json'), JSON.stringify(CLINE_MESSAGES));
  writeFileSync(join(cwd, 'garbage.json'), '{"hello":"world"}');
  writeFileSync(join(cwd, 'empty.json'), '');
  writeFileSync(join(cwd, 'mistakes.jsonl'), `${demoBody('support triage')}\n${'{"broken":\n'.repeat(30)}`);
  writeFileSync(join(cwd, 'partly.jsonl'), `${demoBody('support triage')}\n{"broken":\n`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const CLINE_FACTS = {
  session_id: 'k1',
  started_at: '2026-10-02T10:40:00.000Z',
  ended_at: '2026-10-02T10:41:00.000Z',
  status: 'completed',
  workspace_root: '/w/boat',
  prompt: 'Caulk the hull',
  messages_path: '/home/u/.cline/k1.messages.json',
};
const CLINE_MESSAGES = {
  sessionId: 'k1',
  agent: 'lead',
  updated_at: '2026-10-02T10:41:00.000Z',
  messages: [{ id: 'm1', role: 'user', ts: 1_791_000_000_000, content: [{ type: 'text', text: 'Caulk the hull' }] }],
};

const analyze = (argv: string[], input: CliInput = {}) => runCli(['analyze', ...argv], { cwd, env, ...input });

interface Row {
  name: string;
  argv: string[];
  stdin?: () => string | Buffer;
  code: number;
  stdout?: (string | RegExp)[];
  stderr?: (string | RegExp)[];
}

const rows: Row[] = [
  {
    name: 'the two files of a session of Cline as one trace',
    argv: ['k1.messages.json', 'healthy.json', 'k1.json', 'k1.json'],
    code: 0,
    stdout: ['k1.messages.json, k1.json', 'in 2 traces.'],
  },
  {
    name: 'the file without the messages of a session of Cline',
    argv: ['k1.json'],
    code: 2,
    stderr: ['k1.json has no messages of its session. They are in k1.messages.json: name both files.'],
  },
  {
    name: 'a healthy file',
    argv: ['healthy.json'],
    code: 0,
    stdout: ['No failures found.', '0 detections in 1 trace.'],
  },
  {
    name: 'a file with a loop',
    argv: ['loop.json'],
    code: 1,
    stdout: ['CRITICAL  loop/recursion_limit', 'agent planner', 'step ', '"planner"', ' · fact\n', 'wasted', 'fix'],
  },
  {
    name: 'a workflow whose steps name no agent',
    argv: ['order.json'],
    code: 1,
    stdout: [/langgraph · \d+ steps · (?!\d+ agent)/, '  node shipping · step 4 "shipping"'],
  },
  {
    name: 'a workflow whose steps name no agent, as Markdown',
    argv: ['order.json', '--format', 'markdown'],
    code: 1,
    stdout: ['| node shipping | step 4 '],
  },
  {
    name: 'a workflow whose steps name no agent, as JUnit',
    argv: ['order.json', '--format', 'junit'],
    code: 1,
    stdout: [', node shipping, '],
  },
  {
    name: 'runs that start each other',
    argv: ['--format', 'text', N8N_EXECUTIONS],
    code: 1,
    stdout: [
      /step 6\s+"Weigh crate" started Scale [0-9a-f]{32} \(error\)/,
      /Linked runs: started by Crates one by one [0-9a-f]{32} \(ok\)\./,
    ],
  },
  {
    name: 'standard input',
    argv: ['-'],
    stdin: () => demoBody('refund desk'),
    code: 1,
    stdout: ['tool_failure/auth', '401 Unauthorized'],
  },
  {
    name: 'standard input without saying so',
    argv: [],
    stdin: () => demoBody('support triage'),
    code: 0,
    stdout: ['No failures'],
  },
  {
    name: 'several files, one of them packed',
    argv: ['healthy.json', 'refund.json.gz'],
    code: 1,
    stdout: ['1 detection in 2 traces: 1 warning.'],
  },
  {
    name: 'a floor for failing',
    argv: ['refund.json.gz', '--fail-on', 'critical'],
    code: 0,
    stdout: ['tool_failure/auth'],
  },
  { name: 'never failing', argv: ['loop.json', '--fail-on', 'never'], code: 0 },
  {
    name: 'a floor for showing',
    argv: ['refund.json.gz', '--min-severity', 'critical'],
    code: 1,
    stdout: ['No failures found.'],
  },
  {
    name: 'a file that is missing beside one that is not',
    argv: ['no/such.json', 'healthy.json'],
    code: 2,
    stdout: ['No failures'],
    stderr: ['no/such.json cannot be read'],
  },
  { name: 'neither file nor trace', argv: ['nothing'], code: 2, stderr: ['neither a file nor a trace "nothing"'] },
  { name: 'a folder', argv: ['.'], code: 2, stderr: ['. is a folder'] },
  {
    name: 'an unknown format',
    argv: ['garbage.json'],
    code: 2,
    stderr: ['misstep: usage: garbage.json: The input has no known format'],
  },
  { name: 'an empty file', argv: ['empty.json'], code: 2, stderr: ['empty'] },
  { name: 'empty standard input', argv: [], stdin: () => '', code: 2, stderr: ['empty'] },
  {
    name: 'an invalid line does not affect others',
    argv: ['partly.jsonl'],
    code: 0,
    stdout: ['No failures'],
    stderr: ['partly.jsonl: line 2 was left out'],
  },
  {
    name: 'a file with the same mistake in many lines',
    argv: ['mistakes.jsonl'],
    code: 0,
    stderr: ['mistakes.jsonl: line 2 was left out: not JSON (and 29 more records for the same reason)\n'],
  },
  { name: 'a mistake in the command line', argv: ['--format', 'pdf'], code: 2, stderr: ["argument 'pdf' is invalid"] },
];

describe('misstep analyze', () => {
  it.each(rows)('$name', async ({ argv, stdin, code, stdout = [], stderr = [] }) => {
    const result = await analyze(argv, stdin ? { stdin: stdin() } : {});
    expect(result.code, result.stderr).toBe(code);
    for (const text of stdout) expect(result.stdout).toMatch(text);
    for (const text of stderr) expect(result.stderr).toMatch(text);
    if (stdout.length === 0 && code === 2) expect(result.stdout).toBe('');
  });

  it('reads a named pipe, which a shell creates for `<(…)`', async () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'cat healthy.json > pipe'], { cwd });
    const { code, stdout, stderr } = await analyze(['pipe']);
    writer.kill();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('No failures found.');
  });

  it('does not open the store', async () => {
    await analyze(['loop.json']);
    await analyze(['nothing']);
    expect(readdirSync(cwd)).not.toContain('data');
  });

  it('does not wait for terminal input', async () => {
    const result = await analyze([], { isTty: true });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('No input');
  });

  it('prints JSON with the API field names', async () => {
    const { stdout, code } = await analyze(['loop.json', '--json']);
    expect(code).toBe(1);
    const [{ trace, detections }] = JSON.parse(stdout);
    expect(trace).toMatchObject({
      trace_id: demoTraceId('migration planner'),
      framework: 'langgraph',
      status: 'error',
    });
    expect(detections[0]).toMatchObject({
      detection_type: 'loop',
      agent_id: 'planner',
      trace_id: trace.trace_id,
      severity: 'critical',
    });
    expect(Object.keys(detections[0])).toEqual(
      expect.arrayContaining(['step', 'span_ids', 'evidence', 'fixes', 'fingerprint', 'calibrated']),
    );
  });

  it('gives the same detection the same id every time', async () => {
    const [first, second] = await Promise.all([analyze(['loop.json', '--json']), analyze(['loop.json', '--json'])]);
    expect(first.stdout).toBe(second.stdout);
  });

  it('prints SARIF 2.1.0', async () => {
    const { stdout } = await analyze(['loop.json', '--format', 'sarif']);
    const { version, runs } = JSON.parse(stdout);
    const [run] = runs;
    const [result] = run.results;
    expect(version).toBe('2.1.0');
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(result).toMatchObject({ ruleId: 'loop', level: 'error' });
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('loop.json');
    expect(result.locations[0].logicalLocations[0]).toMatchObject({ name: 'planner', kind: 'agent' });
    expect(result.partialFingerprints['misstep/v1']).toMatch(/^\w+$/);
  });

  it('prints JUnit XML with test counts', async () => {
    const { stdout } = await analyze(['refund.json.gz', 'healthy.json', '--format', 'junit']);
    expect(stdout).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="misstep" tests="\d+" failures="1" errors="0"/,
    );
    expect(stdout.match(/<testcase /g)).toHaveLength(Number(/tests="(\d+)"/.exec(stdout)?.[1]));
    expect(stdout.match(/<failure /g)).toHaveLength(1);
  });

  it('marks tokens and cost as lower bounds if an answer was recorded before its end', async () => {
    const session = claudeTranscript({ sessionId: 'a', startMs: NOW });
    const shownCost = async (stdin: string) =>
      / · [^·]+ tokens · [^·]+ · /.exec((await analyze(['-'], { stdin })).stdout)?.[0];
    expect(await shownCost(session)).not.toContain('≥');
    const open = session.replaceAll('"stop_reason":"tool_use"', '"stop_reason":null');
    expect(await shownCost(open)).toMatch(/^ · ≥ [\d,]+ tokens · ≥ \$/);
  });

  it('does not say that a coding agent records no state, except as JUnit', async () => {
    const files = ['k1.json', 'k1.messages.json'];
    const { stdout } = await analyze(files);
    expect(stdout).toContain('Not judged: ');
    expect(stdout).not.toContain('state_corruption');
    expect((await analyze([...files, '--format', 'junit'])).stdout).toContain('the trace records no state');
  });

  it('prints a Markdown table', async () => {
    const { stdout } = await analyze(['refund.json.gz', '--format', 'markdown']);
    expect(stdout).toContain('| warning | `tool_failure/auth` | refund-agent |');
  });

  describe('a trace with control characters and markup', () => {
    const formats = ['text', 'json', 'markdown', 'sarif', 'junit'];
    it.each(formats)('%s output has no control characters', async (format) => {
      const result = await analyze(['hostile & <odd>.json', '--format', format]);
      expect(result.code).toBe(1);
      expect(result.stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(result.stdout).toContain('owned');
    });

    it.each(formats)('%s output keeps a name with line breaks on one line, and shortens a long one', async (format) => {
      const forged = `desk\n\n  No failures found.\n${'L'.repeat(30_000)}`;
      const body = JSON.parse(hostileBody());
      for (const { attributes } of body.resourceSpans[0].scopeSpans[0].spans)
        for (const { key, value } of attributes)
          if (key === 'gen_ai.tool.name' || key === 'gen_ai.agent.name') value.stringValue = forged;
      const { stdout, code } = await runCli(['analyze', '-', '--format', format], { cwd, stdin: JSON.stringify(body) });
      expect(code).toBe(1);
      expect(stdout).not.toMatch(/^ *No failures found/m);
      if (format !== 'json') expect(stdout.length).toBeLessThan(20_000);
    });

    it('XML output has no injected tags', async () => {
      const { stdout } = await analyze(['hostile & <odd>.json', '--format', 'junit']);
      expect(stdout).not.toMatch(/<script|]]>/);
      expect(stdout).toContain('&lt;script&gt;');
      expect(stdout).toContain('hostile &amp; &lt;odd&gt;.json');
    });

    it('Markdown output has no injected link, image or tag', async () => {
      const { stdout } = await analyze(['hostile & <odd>.json', '--format', 'markdown']);
      const outsideCode = stdout.replace(/(`+)[^`].*?\1/g, '');
      expect(outsideCode).not.toMatch(/(?<!\\)[[<]/);
      expect(outsideCode).not.toContain('http://evil');
    });

    it('SARIF output has no injected link', async () => {
      const { stdout } = await analyze(['hostile & <odd>.json', '--format', 'sarif']);
      const [{ results }] = JSON.parse(stdout).runs;
      expect(results[0].message.text).not.toContain('](');
      expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('hostile%20%26%20%3Codd%3E.json');
    });
  });
});
