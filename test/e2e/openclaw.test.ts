import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PROGRAMS_FOLDER } from '../../scripts/e2e/programs.ts';
import { describeProgram, type TraceSummary, toolSteps } from '../support/real-program.ts';
import { type Credentials, EXECUTABLE } from '../support/served.ts';

const TIMEOUT_MS = 400_000;
const HEALTHY = 'How many sets of brake pads BP-204 are in stock?';
const FAILING = 'How many sets does the missing list name?';

/** A real OpenClaw agent whose plugin reports two sessions; then its database is imported on top. */
describeProgram('openclaw', {}, (rig) => {
  let credentials: Credentials;
  let traces: TraceSummary[];

  beforeAll(async () => {
    credentials = await rig.tenant();
    const registered = await fetch(`${rig.served.url}/api/v1/agentsession/agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey },
      body: JSON.stringify({ name: 'Shop', external_id: 'main' }),
    });
    const { webhook } = (await registered.json()) as { webhook: { path: string } };
    mkdirSync(state());
    const env = { OPENCLAW_STATE_DIR: state(), MISSTEP_WEBHOOK: rig.served.url + webhook.path };
    for (const [session, message] of [
      ['bench-1', HEALTHY],
      ['bench-2', FAILING],
    ] as const) {
      const { code, output } = await rig.run('ask.mjs', env, [session, message]);
      if (code !== 0) throw new Error(`OpenClaw ended with ${code}: ${output.slice(-2000)}`);
    }
    traces = await rig.analyzed(credentials, 2);
  }, TIMEOUT_MS);

  const state = () => join(rig.folder, 'openclaw');
  const traceOf = async (task: string, among = traces) => {
    const trace = among.find((one) => one.task === task);
    expect(trace, `a trace of the task among ${among.map((one) => one.task).join(', ')}`).toBeDefined();
    return rig.detail(credentials, trace as TraceSummary);
  };

  it('its plugin is the one of docs/integrations.md', () => {
    const docs = readFileSync(resolve(import.meta.dirname, '../../docs/integrations.md'), 'utf8');
    const source = readFileSync(join(PROGRAMS_FOLDER, 'openclaw/plugin/index.js'), 'utf8');
    const tokens = (text: string) => text.replace(/[\s,]+/g, '');
    expect(tokens(docs)).toContain(tokens(source));
  });

  it('healthy session by its plugin: one trace, everything is read, nothing is detected', async () => {
    const trace = await traceOf(HEALTHY);
    expect(trace).toMatchObject({ framework: 'openclaw', status: 'ok', models: ['gpt-4o'], total_tokens: 300 });
    expect(toolSteps(trace).map(({ tool }) => tool?.name)).toEqual(['exec']);
    expect(await rig.warnings(credentials, trace)).toEqual([]);
  });

  it('failing session by its plugin: the tool that fails is detected at its step', async () => {
    const trace = await traceOf(FAILING);
    const found = await rig.found(credentials, trace);
    const failure = found.find(({ detection_type }) => detection_type === 'tool_failure');
    const blamed = trace.spans.find(({ span_id }) => span_id === failure?.span_ids[0]);
    expect(blamed?.step.tool?.name).toBe('read');
  });

  it('plugin and database: still one trace for each session, no token counts twice', async () => {
    const database = join(state(), 'agents/main/agent/openclaw-agent.sqlite');
    const { status, stdout, stderr } = spawnSync(EXECUTABLE, ['import', database, '--no-input'], {
      env: { PATH: process.env.PATH, MISSTEP_SERVER: rig.served.url, MISSTEP_API_KEY: credentials.apiKey },
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
    const both = await rig.analyzed(credentials, 2);
    expect(both).toHaveLength(2);
    const trace = await traceOf(HEALTHY, both);
    expect(trace).toMatchObject({ status: 'ok', total_tokens: 300 });
    expect(toolSteps(trace).map(({ tool }) => tool?.name)).toEqual(['exec']);
    expect(await rig.warnings(credentials, trace)).toEqual([]);
  });
});
