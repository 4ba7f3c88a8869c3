import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { derailedRun, RECIPE } from '../support/derailed-run.ts';
import { type JudgeServer, startJudgeServer } from '../support/judge-server.ts';
import { sendJson } from '../support/send-json.ts';
import { runCli } from './run-cli.ts';

const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}AA`;

let server: JudgeServer;
let cwd: string;
let env: Record<string, string>;
beforeEach(async () => {
  server = await startJudgeServer();
  cwd = mkdtempSync(join(tmpdir(), 'misstep-judge-'));
  env = { MISSTEP_DATA: join(cwd, 'data'), MISSTEP_JUDGE_URL: `${server.url}/v1`, MISSTEP_JUDGE_MODEL: 'small' };
  writeFileSync(join(cwd, 'run.json'), encodeOtlpJson(derailedRun(1)));
  writeFileSync(join(cwd, 'secret.json'), encodeOtlpJson(derailedRun(2, `${RECIPE}\n\`\`\`\n${SECRET}\n\`\`\``)));
});
afterEach(async () => {
  rmSync(cwd, { recursive: true, force: true });
  await server.close();
});

/** With previews: subtypes that the model is called about are in preview by default. */
const analyze = (...argv: string[]) => runCli(['analyze', '--preview', ...argv], { cwd, env });

describe('misstep analyze --judge', () => {
  it('without the flag no model is called, even if one is configured', async () => {
    const { code, stdout } = await analyze('run.json');
    expect([code, server.requests.length]).toEqual([1, 0]);
    expect(stdout).toContain('derailment/unrelated_answer');
  });

  it('asks each question once and shows the effect', async () => {
    const { code, stdout } = await analyze('--judge', 'run.json', 'run.json');
    expect([code, server.requests.length]).toEqual([0, 1]);
    expect(stdout).not.toContain('derailment/unrelated_answer');
  });

  it('keeps a detection that the model agrees with', async () => {
    server.behave(() => '{"answer":"yes","reason":"It is a recipe."}');
    const { code, stdout } = await analyze('--judge', '--json', 'run.json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)[0].detections[0]).toMatchObject({ confidence: 0.57, method: 'judge', calibrated: false });
  });

  it('sends no secret of a file to the model', async () => {
    await analyze('--judge', 'secret.json');
    expect(server.requests[0]?.user).toContain('Whisk eggs');
    expect(JSON.stringify(server.requests)).not.toContain(SECRET);
  });

  it('without an answer reports it and uses the rules alone', async () => {
    server.behave(() => (response) => sendJson(response, 401, { error: { message: 'no key' } }));
    const { code, stdout, stderr } = await analyze('--judge', 'run.json');
    expect(code).toBe(1);
    expect(stdout).toContain('derailment/unrelated_answer');
    expect(stderr).toContain('misstep: the judge answered 401: no key');
  });

  it('stays within the budget', async () => {
    env.MISSTEP_JUDGE_DAILY_BUDGET = '0';
    const { code, stderr } = await analyze('--judge', 'run.json');
    expect([code, server.requests.length]).toEqual([1, 0]);
    expect(stderr).toContain("1 question not asked: the judge's budget is used up");
  });

  it.each([
    [
      'without a model',
      ['--judge', 'run.json'],
      { MISSTEP_JUDGE_MODEL: '', MISSTEP_JUDGE_URL: '' },
      '--judge needs a model',
    ],
    ['of a stored trace', ['--judge', 'a000'], {}, '--judge works on files'],
  ])('%s is refused', async (_name, argv, change, message) => {
    Object.assign(env, change);
    const { code, stderr } = await analyze(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(server.requests).toEqual([]);
  });
});
