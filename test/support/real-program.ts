import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { isInstalled, PROGRAMS_FOLDER, type ProgramName } from '../../scripts/e2e/programs.ts';
import { type ScriptedModel, serveModel } from '../e2e/model/server.ts';
import { SHOP_USAGE, shopScript } from '../e2e/model/shop-script.ts';
import { type Credentials, createTenant, get, isBuilt, type Served, serve } from './served.ts';

/** Folder in which `npm run test:e2e` installs the real programs. */
export const CACHE = process.env.MISSTEP_E2E ?? '';

export interface TraceSummary {
  trace_id: string;
  name: string;
  title: string;
  task: string | null;
  service_name: string | null;
  session_id: string | null;
  framework: string;
  status: string;
  agent_ids: string[];
  models: string[];
  total_tokens: number;
  detection_count: number;
  analyzed: boolean;
}

export interface Step {
  index: number;
  kind: string;
  agent_id: string | null;
  node: string | null;
  tool: { name: string; arguments: unknown; result: unknown } | null;
  model: string | null;
  tokens: { input: number | null; output: number | null };
  error: { message: string | null } | null;
}

export interface TraceDetail extends TraceSummary {
  spans: {
    span_id: string;
    parent_span_id: string | null;
    name: string;
    status: { code: string };
    attributes: Record<string, unknown>;
    step: Step;
  }[];
  states: { node: string | null }[];
  final_output: string | null;
}

export interface Found {
  detection_id: string;
  detection_type: string;
  subtype: string;
  severity: 'critical' | 'warning' | 'info' | 'observation';
  agent_id: string;
  span_ids: string[];
  explanation: string;
  fixes: { fix_id: string; fix_type: string }[];
}

export interface ProgramRun {
  /** Exit code of the program. */
  code: number | null;
  output: string;
}

/** Shared state of the tests of one program: the executable as a server, and the model that the program calls. */
export class Rig {
  readonly program: ProgramName;
  folder = '';
  served!: Served;
  model!: ScriptedModel;

  constructor(program: ProgramName) {
    this.program = program;
  }

  async start(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), `misstep-e2e-${this.program}-`));
    cpSync(join(PROGRAMS_FOLDER, this.program), this.home, { recursive: true });
    this.model = await serveModel(shopScript, SHOP_USAGE);
    this.served = await serve(join(this.folder, 'data'));
  }

  async stop(): Promise<void> {
    await this.served?.end('SIGTERM');
    await this.model?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The folder with the program's packages and our scripts. */
  get home(): string {
    return join(CACHE, this.program);
  }

  tenant(name: string = this.program): Promise<Credentials> {
    return createTenant(this.served.url, name);
  }

  /** Runs one of our scripts to its end, in a clean environment. */
  run(file: string, env: Record<string, string> = {}, args: readonly string[] = []): Promise<ProgramRun> {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: this.home,
      env: {
        PATH: [dirname(process.execPath), process.env.PATH].join(':'),
        HOME: this.folder,
        MODEL_URL: this.model.url,
        MISSTEP_URL: this.served.url,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part) => {
        output += part;
      });
    }
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ code, output }));
    });
  }

  /** Runs a script for a new tenant and waits until that many traces are analyzed. */
  async recordTraces(
    file: string,
    traces: number,
    env: (key: string) => Record<string, string>,
    args: readonly string[] = [],
  ) {
    const credentials = await this.tenant(file);
    const { code, output } = await this.run(
      file,
      { MISSTEP_API_KEY: credentials.apiKey, ...env(credentials.apiKey) },
      args,
    );
    if (code !== 0) throw new Error(`${this.program}/${file} ended with ${code}: ${output}`);
    return { credentials, output, traces: await this.analyzed(credentials, traces, output) };
  }

  /** The tenant's traces, once there are that many and all are analyzed. */
  async analyzed(credentials: Credentials, count: number, output = ''): Promise<TraceSummary[]> {
    let seen: TraceSummary[] = [];
    for (let attempt = 0; attempt < 450; attempt += 1) {
      seen = (await get<{ items: TraceSummary[] }>(this.served.url, credentials, '/traces')).items;
      if (seen.length >= count && seen.every(({ analyzed }) => analyzed)) return seen;
      await new Promise((next) => setTimeout(next, 100));
    }
    const seenNames = seen.map(({ name, analyzed }) => `${name}${analyzed ? '' : ' (not analyzed)'}`).join(', ');
    throw new Error(`${count} traces expected, there are: ${seenNames || 'none'}; the program printed: ${output}`);
  }

  detail(credentials: Credentials, { trace_id }: { trace_id: string }): Promise<TraceDetail> {
    return get<TraceDetail>(this.served.url, credentials, `/traces/${trace_id}`);
  }

  async found(credentials: Credentials, trace?: { trace_id: string }): Promise<Found[]> {
    const query = trace ? `?trace_id=${trace.trace_id}` : '';
    return (await get<{ items: Found[] }>(this.served.url, credentials, `/detections${query}`)).items;
  }

  /** Each warning or critical detection as `type/subtype agent`. */
  async warnings(credentials: Credentials, trace?: { trace_id: string }): Promise<string[]> {
    const found = await this.found(credentials, trace);
    return found
      .filter(({ severity }) => severity === 'warning' || severity === 'critical')
      .map(({ detection_type, subtype, agent_id }) => `${detection_type}/${subtype} ${agent_id}`);
  }
}

/** The tests of one real program; skipped with a reason if it is not installed. */
export function describeProgram(program: ProgramName, needs: { root?: boolean }, tests: (rig: Rig) => void): void {
  const isHere = CACHE !== '' && isInstalled(CACHE, program);
  const reason = !isHere ? 'needs npm run test:e2e' : !isBuilt ? 'needs dist/misstep' : null;
  const isAllowed = !needs.root || (process.getuid?.() === 0 && process.platform === 'linux');
  const why = reason ?? (isAllowed ? null : 'needs root on Linux');
  describe.skipIf(why !== null)(why === null ? program : `${program} (${why})`, () => {
    const rig = new Rig(program);
    beforeAll(() => rig.start(), 60_000);
    afterAll(() => rig.stop());
    tests(rig);
  });
}

/** The trace with this name or with this agent. */
export function traceOf(traces: readonly TraceSummary[], name: string): TraceSummary {
  const trace = traces.find((one) => one.name === name || one.agent_ids.includes(name));
  expect(trace, `a trace of ${name} among ${traces.map((one) => one.name).join(', ')}`).toBeDefined();
  return trace as TraceSummary;
}

/** The steps that called a tool. */
export function toolSteps({ spans }: TraceDetail): Step[] {
  return spans.flatMap(({ step }) => (step.kind === 'tool' ? [step] : []));
}
