import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { describeProgram, type Found, type Rig } from '../support/real-program.ts';
import { CLAIM, CORRECT, POINTS, type Point, verdictOf } from '../support/scripted-verdict.ts';
import { EXECUTABLE } from '../support/served.ts';

const MODEL = resolve(import.meta.dirname, 'model/serve-coding-task.ts');
const TIMEOUT_MS = 150_000;

interface Program {
  title: string;
  /** A file in `programs/coding-agents/agents`. */
  agent: string;
  /** The verdict from the hooks or the telemetry alone; null if the program has none. */
  hooks: readonly Point[] | null;
  telemetry: readonly Point[] | null;
}

/** The verdict from sources without the model's answers. */
const NO_ANSWERS: readonly Point[] = POINTS.filter((point) => point !== 'false claim');

const PROGRAMS: readonly Program[] = [
  {
    title: 'Claude Code',
    agent: 'claude-code',
    hooks: POINTS,
    telemetry: POINTS,
  },
  { title: 'Codex', agent: 'codex', hooks: POINTS, telemetry: NO_ANSWERS },
  { title: 'Codex in code mode', agent: 'codex-code-mode', hooks: POINTS, telemetry: NO_ANSWERS },
  { title: 'Gemini CLI', agent: 'gemini', hooks: POINTS, telemetry: POINTS },
  { title: 'Qwen Code', agent: 'qwen', hooks: POINTS, telemetry: POINTS },
  { title: 'Copilot CLI', agent: 'copilot', hooks: NO_ANSWERS, telemetry: POINTS },
  { title: 'OpenCode', agent: 'opencode', hooks: null, telemetry: ['repetition'] },
  { title: 'Pi', agent: 'pi', hooks: null, telemetry: null },
  { title: 'Cline', agent: 'cline', hooks: null, telemetry: null },
];

const verdict = (found: readonly Found[]) =>
  verdictOf(found.map(({ detection_type: type, subtype, severity }) => ({ type, subtype, severity })));
const naming = (points: readonly Point[]) => ({ ...CORRECT, named: [...points] });

/**
 * Real coding agents against a scripted model, with the hooks of the built executable. Each runs in a network namespace
 * that has only loopback, which needs root on Linux.
 */
describeProgram('coding-agents', { root: true }, (rig) => {
  for (const program of PROGRAMS) {
    describe(program.title, () => {
      let folder: string;
      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'misstep-agent-'));
        await runAgent(rig.home, program.agent, folder);
      }, TIMEOUT_MS);
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
          const { traces, found } = await exported(rig, program.agent, folder);
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
});

/** Runs a program, which writes its files into the folder. */
async function runAgent(home: string, agent: string, folder: string): Promise<void> {
  const child = spawn('unshare', ['-n', '-m', 'bash', join(home, 'run.sh'), agent], {
    env: {
      PATH: process.env.PATH,
      BIN: join(home, 'node_modules'),
      MODEL,
      MISSTEP: EXECUTABLE,
      NODE: dirname(process.execPath),
      OUT: folder,
    },
    stdio: 'ignore',
  });
  await new Promise((done, fail) => child.once('exit', done).once('error', fail));
}

/** The contents of a store, read through the CLI. */
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

/** Sends the program's telemetry to a server, in order of export. */
async function exported(rig: Rig, agent: string, folder: string): Promise<{ traces: number; found: Found[] }> {
  const credentials = await rig.tenant(agent);
  for (const name of namesIn(join(folder, 'otlp'))) {
    const signal = /-(logs|traces)\.(json|pb)$/.exec(name);
    if (signal === null) continue;
    const response = await fetch(`${rig.served.url}/v1/${signal[1]}`, {
      method: 'POST',
      headers: {
        'content-type': signal[2] === 'json' ? 'application/json' : 'application/x-protobuf',
        'x-svc-api-key': credentials.apiKey,
      },
      body: readFileSync(join(folder, 'otlp', name)),
    });
    if (!response.ok) throw new Error(`POST /v1/${signal[1]}: ${response.status} ${await response.text()}`);
  }
  const traces = await rig.analyzed(credentials, 1);
  return { traces: traces.length, found: await rig.found(credentials) };
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
