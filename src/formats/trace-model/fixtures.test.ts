import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compactTrace } from '../../../test/support/compact-trace.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { buildTrace } from './build-trace.ts';

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/conventions');

const FIXTURES = [
  'autogen/message-between-agents',
  'claude-code/interaction',
  'crewai/crew-of-two',
  'dify/phoenix-workflow',
  'interface-keys/graph-nodes-with-states',
  'interface-keys/real-spelling-still-running',
  'langfuse/workshop-visit',
  'langgraph/failing-node',
  'langgraph/parallel-nodes-and-subgraph',
  'langgraph/planner-critic-loop',
  'langgraph/supervisor-healthy',
  'langsmith/graph-with-model-call',
  'langsmith/one-span-for-all',
  'mastra/agent-with-tool',
  'mastra/workflow-with-failing-step',
  'openai-agents/handoff',
  'openclaw/run-with-tool-loop',
  'openinference-openai/responses-api',
  'openinference-openai/tool-call',
  'openinference/retrieval',
  'openinference/smolagents-managed-agent',
  'otel-gen-ai/handoff-between-agents',
  'otel-gen-ai/message-events',
  'otel-gen-ai/numbered-prompts',
  'traceloop/workflow-with-two-agents',
  'vercel-ai6/generate-text-with-tool',
  'vercel-ai6/rate-limited',
  'vercel-ai6/stream-text',
  'vercel-ai7-legacy/generate-text-with-tool',
  'vercel-ai7-legacy/rate-limited',
  'vercel-ai7/invoke-agent-with-tool',
  'vercel-ai7/rate-limited',
];

function read(fixture: string): { trace: Trace; expected: Record<string, unknown> } {
  const { spans, rejections } = decodeOtlpJson(readFileSync(join(FOLDER, `${fixture}.json`)));
  expect(rejections).toEqual([]);
  const expected = JSON.parse(readFileSync(join(FOLDER, `${fixture}.expected.json`), 'utf8'));
  return { trace: buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true }), expected };
}

describe('spans of real senders', () => {
  test.each(FIXTURES)('%s', (fixture) => {
    const { trace, expected } = read(fixture);
    expect(compactTrace(trace)).toEqual(expected);
  });

  test('the comparison detects a wrong agent, token or state', () => {
    const { trace, expected } = read('langgraph/supervisor-healthy');
    const wrong = [{ agents: ['supervisor'] }, { tokens: [870, 120, 991] }, { states: [] }];
    for (const part of wrong) expect(() => expect(compactTrace(trace)).toEqual({ ...expected, ...part })).toThrow();
  });

  test('the list above is complete', () => {
    const found = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json') && !path.endsWith('.expected.json'))
      .map((path) => path.slice(0, -'.json'.length));
    expect(found.sort()).toEqual([...FIXTURES].sort());
  });
});

/** Captures of real senders, kept outside the repository; the expected values were determined manually. */
const CAPTURES = process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../../shared/clients/captures');

interface CaptureRow {
  folder: string;
  /** Names of the traces' roots, in order of start. */
  name: string;
  agents: string[];
  tokens: number | null;
  /** Names of the tools called. */
  toolCalls: string[];
  states: number;
  status: Trace['status'];
}

const NONE = { toolCalls: [], states: 0, status: 'ok' as const };

const CAPTURED: CaptureRow[] = [
  {
    ...NONE,
    folder: 'traceloop',
    name: 'research_workflow',
    agents: ['planner', 'writer'],
    tokens: 173,
    toolCalls: ['get_weather'],
  },
  { ...NONE, folder: 'openinference-openai', name: 'OpenAI Chat Completions', agents: [], tokens: 168 },
  { ...NONE, folder: 'openinference-openai', name: 'OpenAI Chat Completions', agents: [], tokens: 168 },
  { ...NONE, folder: 'openinference-openai', name: 'OpenAI Responses', agents: [], tokens: 168 },
  {
    folder: 'openinference-langgraph',
    name: 'research_team_run',
    agents: ['supervisor', 'researcher', 'writer'],
    tokens: 1008,
    toolCalls: ['get_weather'],
    states: 6,
    status: 'ok',
  },
  {
    ...NONE,
    folder: 'openinference-langgraph',
    name: 'looping_team',
    agents: ['planner', 'critic'],
    tokens: 840,
    states: 11,
    status: 'error',
  },
  {
    ...NONE,
    folder: 'openinference-langgraph',
    name: 'failing_team',
    agents: ['bad_node'],
    tokens: null,
    states: 1,
    status: 'error',
  },
  {
    ...NONE,
    folder: 'vercel-ai6',
    name: 'planner-agent',
    agents: ['planner-agent'],
    tokens: 336,
    toolCalls: ['get_weather'],
  },
  { ...NONE, folder: 'vercel-ai6', name: 'writer-agent', agents: ['writer-agent'], tokens: 168 },
  { ...NONE, folder: 'vercel-ai6', name: 'fail-agent', agents: ['fail-agent'], tokens: null, status: 'error' },
  {
    ...NONE,
    folder: 'vercel-ai7',
    name: 'planner-agent',
    agents: ['planner-agent'],
    tokens: 336,
    toolCalls: ['get_weather'],
  },
  { ...NONE, folder: 'vercel-ai7', name: 'writer-agent', agents: ['writer-agent'], tokens: 168 },
  { ...NONE, folder: 'vercel-ai7', name: 'fail-agent', agents: ['fail-agent'], tokens: null, status: 'error' },
  {
    ...NONE,
    folder: 'vercel-ai7-legacy',
    name: 'planner-agent',
    agents: ['planner-agent'],
    tokens: 336,
    toolCalls: ['get_weather'],
  },
  { ...NONE, folder: 'vercel-ai7-legacy', name: 'writer-agent', agents: ['writer-agent'], tokens: 168 },
  { ...NONE, folder: 'vercel-ai7-legacy', name: 'fail-agent', agents: ['fail-agent'], tokens: null, status: 'error' },
  { ...NONE, folder: 'langsmith-otel', name: 'outer_traceable', agents: [], tokens: null },
];

describe.skipIf(!existsSync(join(CAPTURES, 'genai')))('captures of real senders', () => {
  const folders = [...new Set(CAPTURED.map((row) => row.folder))];

  test.each(folders)('%s', (folder) => {
    const expected = CAPTURED.filter((row) => row.folder === folder);
    expect(readCaptures(folder).map((trace) => toRow(folder, trace))).toEqual(expected);
  });

  test('states from LangGraph spans equal those of its history', () => {
    const captured = JSON.parse(readFileSync(join(CAPTURES, 'genai/langgraph-state-history.json'), 'utf8'));
    const [supervisor, looping] = readCaptures('openinference-langgraph');
    const compared = [
      { states: supervisor?.states, history: captured.history },
      { states: looping?.states, history: captured.loopHistory },
    ];
    for (const { states, history } of compared) {
      const counters = history.map(({ values }: { values: Record<string, unknown> }) => counted(values)).reverse();
      expect(states?.map(({ state }) => counted(state as Record<string, unknown>))).toEqual(counters.slice(1));
    }
  });
});

/** The fields that are not messages, and how many messages there are. */
function counted({ messages, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, messages: Array.isArray(messages) ? messages.length : 0 };
}

function readCaptures(folder: string): Trace[] {
  const files = readdirSync(join(CAPTURES, 'genai', folder)).filter((file) =>
    /\.(?:body|pb-decoded)\.json$/.test(file),
  );
  const byTrace = new Map<string, Span[]>();
  for (const file of files.sort()) {
    for (const span of decodeCapture(join(CAPTURES, 'genai', folder, file))) {
      byTrace.set(span.traceId, [...(byTrace.get(span.traceId) ?? []), span]);
    }
  }
  const traces = [...byTrace.values()].map((spans) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true }));
  return traces.sort((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
}

/** A library that converts protobuf to JSON writes ids in base64, OTLP/JSON in hex. */
function decodeCapture(path: string): Span[] {
  const text = readFileSync(path, 'utf8').replace(/"(traceId|spanId)": "([^"]+)"/g, (_, key, id) =>
    /^[0-9a-f]+$/.test(id) ? `"${key}": "${id}"` : `"${key}": "${Buffer.from(id, 'base64').toString('hex')}"`,
  );
  return decodeOtlpJson(text).spans;
}

function toRow(folder: string, trace: Trace): CaptureRow {
  const calls = trace.steps.flatMap(({ tool }) => (tool ? [tool.name] : []));
  return {
    folder,
    name: trace.name,
    agents: trace.agents,
    tokens: trace.tokens.total,
    toolCalls: calls,
    states: trace.states.length,
    status: trace.status,
  };
}
