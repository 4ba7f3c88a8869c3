import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { DEFAULT_THRESHOLDS } from '../src/core/thresholds.ts';
import { runDetectors } from '../src/detectors/_runner/run.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { decodeOpenClaw } from '../src/formats/openclaw/decode-openclaw.ts';
import { buildTrace } from '../src/formats/trace-model/build-trace.ts';

const START = Date.parse('2026-05-04T10:00:00Z');
const models = createModelCatalog();
const SANDBOXED = '## Sandbox\nYou are running in a sandboxed runtime (tools execute in Docker).';

interface Call {
  tool: string;
  params: JsonObject;
  result: string;
}

const exec = (params: JsonObject, result = 'ok'): Call => ({ tool: 'exec', params, result });
const spawns = (task: string, result = 'accepted'): Call => ({ tool: 'sessions_spawn', params: { task }, result });
const FORBIDDEN =
  '{"status":"forbidden","error":"sessions_spawn is not allowed at this depth (current depth: 1, max: 1)"}';

/** The events that a plugin posts for a session with these calls, with a model call before each. */
function session(calls: readonly Call[], systemPrompt: string): JsonObject[] {
  const ctx = { sessionId: 's-1', sessionKey: 'agent:main:main', agentId: 'main' };
  const hooks = calls.flatMap(({ tool, params, result }, at): [string, JsonObject][] => {
    const call = { toolName: tool, params, toolCallId: `c-${at}` };
    const model = { runId: `r-${at}`, provider: 'openai', model: 'gpt-4o' };
    const content = [{ type: 'text', text: result }];
    return [
      ['llm_input', { ...model, prompt: 'Tidy up the notes.', systemPrompt }],
      ['llm_output', { ...model, assistantTexts: [`Call ${at}.`], usage: { input: 10, output: 3, total: 13 } }],
      ['before_tool_call', call],
      ['after_tool_call', { ...call, result: { content } }],
    ];
  });
  const all: [string, JsonObject][] = [
    ['session_start', { sessionId: 's-1' }],
    ['message_received', { content: 'Tidy up the notes.', messageId: 'm-1' }],
    ...hooks,
  ];
  return all.map(([hook, event], at) => ({ hook, event, ctx, timestamp: new Date(START + at * 1000).toISOString() }));
}

function found(calls: readonly Call[], systemPrompt = 'You are a helper.'): string[] {
  const { spans, rejections } = decodeOpenClaw(session(calls, systemPrompt), START);
  expect(rejections).toEqual([]);
  const trace = buildTrace(spans, { models, isSettled: true });
  const { detections, crashed } = runDetectors(trace, {
    thresholds: DEFAULT_THRESHOLDS,
    models,
    overrides: {},
    enabled: {},
  });
  expect(crashed).toEqual([]);
  const alarms = detections.filter(({ severity }) => severity === 'warning' || severity === 'critical');
  return alarms.map(({ type, subtype }) => `${type}/${subtype}`);
}

describe('a session of OpenClaw reaches the detectors', () => {
  it.each<[string, Call[], string, string?]>([
    ['a home folder deleted', [exec({ command: 'rm -rf ~/*' })], 'role_usurpation/destructive_command'],
    [
      'a command for the machine around its sandbox',
      [exec({ command: 'ls /home', host: 'gateway' })],
      'role_usurpation/sandbox_escape',
      SANDBOXED,
    ],
    [
      'its own sandbox switched off',
      [exec({ command: 'openclaw config set agents.defaults.sandbox.mode off' })],
      'role_usurpation/sandbox_escape',
    ],
    [
      'agents that it may not start, requested repeatedly',
      [
        spawns('Sort the notes of May', FORBIDDEN),
        spawns('Sort the notes of June', FORBIDDEN),
        spawns('Sort all notes now', FORBIDDEN),
      ],
      'resource_misallocation/spawn_fan_out',
    ],
    [
      'an agent for the same task, started a third time',
      [spawns('Sort the notes of May'), spawns('Sort the notes of May'), spawns('Sort the notes of May')],
      'resource_misallocation/spawn_fan_out',
    ],
  ])('%s', (_title, calls, expected, prompt) => {
    expect(found(calls, prompt)).toContain(expected);
  });

  it.each<[string, Call[], string?]>([
    ['work in its own workspace', [exec({ command: 'rm -rf notes/old && ls' }), exec({ command: 'cat notes/a.md' })]],
    ['the host where there is no sandbox', [exec({ command: 'ls', host: 'gateway' })]],
    ['two agents', [spawns('Sort the notes of May'), spawns('Sort the notes of June')]],
    [
      'a refusal that it respects',
      [exec({ command: 'ls', elevated: true }, 'elevated is not available right now (runtime=sandboxed).')],
      SANDBOXED,
    ],
  ])('%s is not a fault', (_title, calls, prompt) => {
    expect(found(calls, prompt)).toEqual([]);
  });
});
