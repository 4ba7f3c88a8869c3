import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRoot, runProgram } from '../support/program.ts';
import { CLAIM, CORRECT, POINTS, type Point, verdictOf } from '../support/scripted-verdict.ts';
import { createTenant, EXECUTABLE, get, isBuilt, type Served, serve } from '../support/served.ts';

/**
 * Real coding agents against a scripted model, with the hooks of the built executable. `MISSTEP_EMITTERS` names a folder
 * with `coding-agents/` and its installed packages; programs that are not installed are skipped by name. Each runs in a
 * network namespace that has only loopback, which needs root on Linux.
 */
const EMITTERS = resolve(process.env.MISSTEP_EMITTERS ?? '', 'coding-agents');
const areThere = process.env.MISSTEP_EMITTERS !== undefined && existsSync(join(EMITTERS, 'fake-models.mjs'));
const canRun = areThere && isBuilt && isRoot && process.platform === 'linux';
const PATIENCE_MS = 150_000;

interface Program {
  title: string;
  /** The settings of the emitters. */
  agent: string;
  package: string;
  /** What a verdict from the hooks or the telemetry alone names; null where the program has none. */
  hooks: readonly Point[] | null;
  telemetry: readonly Point[] | null;
}

/** Of sources without the model's answers. */
const NO_ANSWERS: readonly Point[] = POINTS.filter((point) => point !== 'false claim');

const PROGRAMS: readonly Program[] = [
  {
    title: 'Claude Code',
    agent: 'claude-code',
    package: '@anthropic-ai/claude-code',
    hooks: POINTS,
    telemetry: POINTS,
  },
  { title: 'Codex', agent: 'codex-trusted', package: '@openai/codex', hooks: POINTS, telemetry: NO_ANSWERS },
  { title: 'Codex in code mode', agent: 'codex-gpt-6', package: '@openai/codex', hooks: POINTS, telemetry: NO_ANSWERS },
  { title: 'Gemini CLI', agent: 'gemini', package: '@google/gemini-cli', hooks: POINTS, telemetry: POINTS },
  { title: 'Qwen Code', agent: 'qwen', package: '@qwen-code/qwen-code', hooks: POINTS, telemetry: POINTS },
  { title: 'Copilot CLI', agent: 'copilot', package: '@github/copilot', hooks: NO_ANSWERS, telemetry: POINTS },
  { title: 'OpenCode', agent: 'opencode', package: 'opencode-ai', hooks: null, telemetry: ['repetition'] },
  { title: 'Pi', agent: 'pi', package: '@mariozechner/pi-coding-agent', hooks: null, telemetry: null },
  { title: 'Cline', agent: 'cline', package: 'cline', hooks: null, telemetry: null },
];

interface Found {
  detection_type: string;
  subtype: string;
  severity: 'critical' | 'warning' | 'info' | 'observation';
}

const verdict = (found: readonly Found[]) =>
  verdictOf(found.map(({ detection_type: type, subtype, severity }) => ({ type, subtype, severity })));
const naming = (points: readonly Point[]) => ({ ...CORRECT, named: [...points] });

describe.skipIf(!canRun)(
  'coding agents (needs MISSTEP_EMITTERS with coding-agents, dist/misstep, root on Linux)',
  () => {
    for (const program of PROGRAMS) {
      const isInstalled = existsSync(join(EMITTERS, 'node_modules', program.package));
      describe.skipIf(!isInstalled)(isInstalled ? program.title : `${program.title} (not installed)`, () => {
        let folder: string;
        beforeAll(async () => {
          folder = mkdtempSync(join(tmpdir(), 'misstep-agent-'));
          await runAgent(program.agent, folder);
        }, PATIENCE_MS);
        afterAll(() => rmSync(folder, { recursive: true, force: true }));

        it('does the task to its end', () => {
          expect(namesIn(join(folder, 'transcript'))).not.toEqual([]);
          expect(readFileSync(join(folder, 'stdout.txt'), 'utf8')).toContain(CLAIM);
        });

        const { hooks, telemetry } = program;
        if (hooks !== null)
          it('by hooks: one trace, the correct verdict', () => {
            const { traces, found } = stored(join(folder, 'store'));
            expect(traces).toBe(1);
            expect(verdict(found)).toEqual(naming(hooks));
          });

        if (telemetry !== null)
          it('by telemetry: one trace, the correct verdict', async () => {
            const { traces, found } = await exported(program.agent, folder);
            expect(traces).toBe(1);
            expect(verdict(found)).toEqual(naming(telemetry));
          });

        it('by its transcript: one trace, the correct verdict', () => {
          importTranscripts(join(folder, 'imported'), folder);
          const { traces, found } = stored(join(folder, 'imported'));
          expect(traces).toBe(1);
          expect(verdict(found)).toEqual(CORRECT);
        });

        if (hooks !== null)
          it('by hooks and transcript: still one trace, the correct verdict', () => {
            importTranscripts(join(folder, 'store'), folder);
            const { traces, found } = stored(join(folder, 'store'));
            expect(traces).toBe(1);
            expect(verdict(found)).toEqual(CORRECT);
          });
      });
    }
  },
);

/** Runs a program of the emitters; what it leaves is in the folder. */
async function runAgent(agent: string, folder: string): Promise<void> {
  const script = resolve(import.meta.dirname, 'run-coding-agent.sh');
  const child = spawn('unshare', ['-n', '-m', 'bash', script, agent], {
    env: { PATH: process.env.PATH, EMITTERS, MISSTEP: EXECUTABLE, NODE: dirname(process.execPath), OUT: folder },
    stdio: 'ignore',
  });
  await new Promise((done, fail) => child.once('exit', done).once('error', fail));
}

/** What a store holds, read as a user reads it. */
function stored(store: string): { traces: number; found: Found[] } {
  const list = (...args: string[]) => {
    const { stdout, stderr } = runProgram(store, [...args, '--json']);
    if (stdout === '') throw new Error(`misstep ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout).items;
  };
  return { traces: list('traces', 'list').length, found: list('detections', 'list') };
}

function importTranscripts(store: string, folder: string): void {
  const { status, stderr } = runProgram(store, ['import', join(folder, 'transcript')]);
  if (status !== 0) throw new Error(`misstep import: ${stderr}`);
}

/** What a server makes of the program's telemetry, in order of export. */
async function exported(agent: string, folder: string): Promise<{ traces: number; found: Found[] }> {
  const served: Served = await serve(join(folder, 'served'));
  try {
    const credentials = await createTenant(served.url, agent);
    for (const name of namesIn(join(folder, 'otlp'))) {
      const signal = /-(logs|traces)\.(json|pb)$/.exec(name);
      if (signal === null) continue;
      const response = await fetch(`${served.url}/v1/${signal[1]}`, {
        method: 'POST',
        headers: {
          'content-type': signal[2] === 'json' ? 'application/json' : 'application/x-protobuf',
          'x-svc-api-key': credentials.apiKey,
        },
        body: readFileSync(join(folder, 'otlp', name)),
      });
      if (!response.ok) throw new Error(`POST /v1/${signal[1]}: ${response.status} ${await response.text()}`);
    }
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const { items } = await get<{ items: { analyzed: boolean }[] }>(served.url, credentials, '/traces');
      if (items.length > 0 && items.every(({ analyzed }) => analyzed)) {
        const { items: found } = await get<{ items: Found[] }>(served.url, credentials, '/detections');
        return { traces: items.length, found };
      }
      await new Promise((next) => setTimeout(next, 100));
    }
    throw new Error('the traces did not come or settle');
  } finally {
    await served.end('SIGTERM');
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
